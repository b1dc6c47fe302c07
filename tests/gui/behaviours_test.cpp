// The list of docs/behaviours.md: that its tests exist, and those of them that have no place
// elsewhere.

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/gui/driver.h"
#include "tests/gui/pretended_device.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The names of all tests: "Suite.Name", of those in Python "file.name", and those that ctest alone
// has.
std::set<std::string> names_of_tests() {
  const std::regex in_source(R"(TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  const std::regex in_python(R"(def (test_\w+)\()");
  const std::regex in_cmake(R"(add_test\(NAME (\w+\.\w+))");
  std::set<std::string> names;
  const auto add = [&](const std::string& text, const std::regex& pattern,
                       const std::string& folder) {
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
      names.insert(folder + (*match)[1].str() + (match->size() > 2 ? "." + (*match)[2].str() : ""));
  };
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(fs::path(DISPERSION_SOURCE_DIR) / "tests")) {
    const fs::path& file = entry.path();
    if (file.extension() == ".cpp") add(text_of(file), in_source, "");
    if (file.extension() == ".py") add(text_of(file), in_python, file.stem().string() + ".");
    if (file.filename() == "CMakeLists.txt") add(text_of(file), in_cmake, "");
  }
  return names;
}

// A row of the table: "| 4 | sentence | `Suite.Name`, `Suite.Name` |".
struct Row {
  int number = 0;
  std::vector<std::string> tests;
};

std::vector<Row> rows_of_list() {
  std::istringstream list(text_of(fs::path(DISPERSION_SOURCE_DIR) / "docs" / "behaviours.md"));
  const std::regex begin(R"(^\| (\d+) \|)");
  const std::regex test(R"(`(\w+\.\w+)`)");
  std::vector<Row> rows;
  for (std::string line; std::getline(list, line);) {
    std::smatch number;
    if (!std::regex_search(line, number, begin)) continue;
    Row& row = rows.emplace_back(Row{std::stoi(number[1]), {}});
    for (std::sregex_iterator match(line.begin(), line.end(), test), end; match != end; ++match)
      row.tests.push_back((*match)[1]);
  }
  return rows;
}

// Each behaviour has a test with its number in its name, and each test that is listed exists.
TEST(Behaviours, Behaviour25_EachHasATestThatIsNamedAfterIt) {
  const std::set<std::string> names = names_of_tests();
  const std::vector<Row> rows = rows_of_list();
  ASSERT_EQ(rows.size(), 25U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].number, static_cast<int>(i + 1));
    const std::string two = (i < 9 ? "0" : "") + std::to_string(i + 1);
    bool named = false;
    for (const std::string& test : rows[i].tests) {
      EXPECT_TRUE(names.contains(test)) << test << " does not exist";
      named = named || test.find("Behaviour" + two) != std::string::npos ||
              test.find("behaviour_" + two) != std::string::npos;
    }
    EXPECT_TRUE(named) << "no test is named after " << rows[i].number;
  }
}

TEST(Window, Behaviour02_WhatTheProgramRunsOnIsOneText) {
  GuiDriver driver({1280, 800}, {}, with_device(std::make_shared<PretendedDevice>()));
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.memory.has_value(); }));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    context->KeyChars("what this program runs on");
    context->Yield(2);
    context->KeyPress(ImGuiKey_Enter);
    context->Yield(2);
    const std::string text = ImGui::GetClipboardText();
    for (const char* line :
         {"Dispersion Lab: ", "commit ",
          "build: ", "instruction set: ", "computes with: CUDA device 0, NVIDIA H100 80GB HBM3",
          "CUDA driver: for CUDA 13.1", "CUDA runtime: 13.0",
          "CUDA device 0: NVIDIA H100 80GB HBM3, compute capability 9.0, 85.0 GB",
          "device memory: 80.0 of 85.0 GB free",
          "OpenGL renderer: ", "OpenGL version: ", "window system: none, GLFW 3.", "window: 1"})
      EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
    EXPECT_EQ(text.find(": unknown"), std::string::npos) << text;
  });
}

// While the window is minimised nothing is drawn, the heads of training get all of the time, and
// what was missed is there afterwards.
TEST(Window, Behaviour08_TrainingNeedsNoFrames) {
  GuiDriver driver({1280, 800});
  AppState& app = driver.app();
  const auto steps_on = [&](std::int64_t steps) {
    return [&app, end = app.status.step + steps] { return app.status.step >= end; };
  };
  // The engine's script cannot go on while no frame is drawn, so frames pass here.
  const auto frames_until = [&](const std::function<bool()>& condition) {
    for (int i = 0; i < 30'000 && !condition(); ++i) {
      driver.lab().frame();
      driver.lab().window().wait(0.002);
    }
    EXPECT_TRUE(condition());
  };
  int drawn = 0;
  driver.lab().after_drawing = [&] { ++drawn; };
  frames_until([&] { return app.snapshot && app.snapshot->complete; });
  driver.lab().session().send(NewRunCommand{.recipe = {}, .seed = 5});
  driver.lab().session().send(PlayCommand{.stop_at = 1'000'000});
  frames_until([&] { return app.status.seed == 5 && app.status.step >= 20; });
  EXPECT_TRUE(app.requested->visible);

  glfwIconifyWindow(driver.lab().window().handle());
  driver.lab().frame();
  drawn = 0;
  frames_until(steps_on(100));
  EXPECT_EQ(drawn, 0);
  EXPECT_FALSE(app.requested->visible);
  EXPECT_EQ(static_cast<std::int64_t>(app.history.size()), app.history.back().step);

  glfwRestoreWindow(driver.lab().window().handle());
  frames_until(steps_on(20));
  EXPECT_GT(drawn, 0);
  EXPECT_TRUE(app.requested->visible);

  // Without the keyboard it goes on drawing.
  ImGui::GetIO().AddFocusEvent(false);
  drawn = 0;
  frames_until(steps_on(20));
  EXPECT_GT(drawn, 0);
  driver.lab().after_drawing = nullptr;
}

TEST(Window, Behaviour12_FollowsTheScaleOfTheScreenItIsMovedTo) {
  GuiDriver driver({1280, 800});
  driver.run([&](ImGuiTestContext* context) {
    const Painter& painter = driver.lab().panels().painter;
    for (const float scale : {2.0F, 1.25F, 3.0F, 1.0F}) {
      driver.lab().window().pretend_scale(scale);
      context->Yield(2);
      EXPECT_FLOAT_EQ(painter.scale, scale);
    }
    // The user's own choice comes on top, on every screen.
    driver.app().view.ui_scale = 1.5F;
    driver.lab().window().pretend_scale(2);
    context->Yield(2);
    EXPECT_FLOAT_EQ(painter.scale, 3);
    driver.lab().window().pretend_scale(1);
    context->Yield(2);
    EXPECT_FLOAT_EQ(painter.scale, 1.5F);
    EXPECT_FLOAT_EQ(driver.app().view.ui_scale, 1.5F);
  });
}

// Colours mean the same number in every frame: of all n, at every temperature and step.
TEST(Heatmaps, Behaviour19_ColoursKeepTheirRange) {
  GuiDriver driver({1280, 800});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const auto check = [&] {
      context->Yield(2);
      const HeatmapGrid& grid = driver.lab().panels().figures.grid();
      EXPECT_EQ(grid.high, 1);
      EXPECT_EQ(grid.low, 0);
    };
    check();
    driver.app().view.theta = 0.05;
    IM_CHECK(driver.wait_for_picture(context));
    check();
    driver.app().view.theta = 10;
    IM_CHECK(driver.wait_for_picture(context));
    check();
    context->KeyPress(ImGuiKey_N);
    context->KeyPress(ImGuiKey_S);
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().history.size() == 1; }));
    IM_CHECK(driver.wait_for_picture(context));
    check();
  });
}

// From a single pixel to 8K, in letters of every size. There is nothing to compare: Dear ImGui's
// assertions and OpenGL's errors fail it.
TEST(Window, SurvivesEverySizeUpTo8K) {
  GuiDriver driver({1280, 800});
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    driver.lab().after_drawing = [] {};  // so that all frames are painted
    for (const Size size : {Size{1, 1}, {1, 4320}, {7680, 1}, {3840, 2160}, {7680, 4320}}) {
      driver.lab().window().resize(size);
      for (const float zoom : {1.0F, 3.0F}) {
        driver.app().view.ui_scale = zoom;
        context->Yield(2);
        EXPECT_EQ(ImGui::GetIO().DisplaySize.x, static_cast<float>(size.width));
        EXPECT_EQ(ImGui::GetIO().DisplaySize.y, static_cast<float>(size.height));
      }
    }
  });
}

}  // namespace
}  // namespace dispersion
