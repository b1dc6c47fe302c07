// What the window remembers from one start to the next, and files under that name that it did not
// write.

#include "app/window/preferences.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/io/file.h"

namespace dispersion {
namespace {

class PreferencesFile : public testing::Test {
 protected:
  void SetUp() override {
    // Tests may run at the same time, so each has a folder of its own.
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("dispersion_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static std::string content(const std::filesystem::path& file) {
    return read_whole_file(file, 1 << 20);
  }
  std::filesystem::path folder_;
};

TEST_F(PreferencesFile, ComesBackAsSaved) {
  const std::filesystem::path path = folder_ / "new" / "settings.json";
  Preferences preferences;
  preferences.view.theme = Theme::kLight;
  preferences.view.ui_scale = 1.25F;
  preferences.view.projector = true;
  preferences.view.view = view_named("fit");
  preferences.view.theta = 0.1 + 0.2;
  preferences.view.rule.gate = 1.0 / 3;
  preferences.view.focused_items = 64;
  show(preferences.view, TransformId::kAdaptive, false);
  preferences.head = "/home/me/größer.safetensors";
  use_style(preferences.exporting, "paper");
  preferences.exporting.format = &figure_format("svg");
  preferences.exporting.width = 84.5;
  preferences.exporting.family = FontFamily::kSerif;
  preferences.exporting.looks[FormatKind::kAnimation].text_points = 14;
  preferences.exporting.path = "/home/me/figures/fit.svg";
  preferences.size = {1000, 700};
  preferences.backend = {BackendChoice::Kind::kCuda, 1};
  save_preferences(path, preferences);
  const LoadedPreferences loaded = load_preferences(path);
  EXPECT_EQ(loaded.preferences, preferences);
  EXPECT_EQ(loaded.notice, "");
}

TEST_F(PreferencesFile, ThoseOfBeforeTheBackendCouldBeChosenHold) {
  const std::filesystem::path path = folder_ / "settings.json";
  std::ofstream(path) << R"({"theme":"light","zoom":1,"projector":false,"width":900,"height":600})";
  const LoadedPreferences loaded = load_preferences(path);
  EXPECT_EQ(loaded.notice, "");
  EXPECT_EQ(loaded.preferences.view.theme, Theme::kLight);
  EXPECT_EQ(loaded.preferences.backend, BackendChoice());
}

TEST_F(PreferencesFile, MissingIsNothingToSpeakOf) {
  const LoadedPreferences loaded = load_preferences(folder_ / "settings.json");
  EXPECT_EQ(loaded.preferences, Preferences());
  EXPECT_EQ(loaded.notice, "");
}

TEST_F(PreferencesFile, NonsenseIsKeptAsideAndTold) {
  const std::filesystem::path path = folder_ / "settings.json";
  int tried = 0;
  for (const std::string text :
       {"", "{", "[]", R"({"theme":"pink","zoom":1,"projector":false,"width":900,"height":600})",
        R"({"theme":"dark","zoom":1e9,"projector":false,"width":900,"height":600})",
        R"({"theme":"dark","zoom":1,"projector":false,"width":900,"height":600,"backend":"gpu"})",
        R"({"theme":"dark","zoom":1,"projector":false,"width":900,"height":600,"view":{"n":100}})",
        R"({"theme":"dark","zoom":1,"projector":false,"width":900,"height":600,
            "export":{"format":"doc"}})",
        R"({"theme":"dark","zoom":1,"projector":false,"width":900,"height":600,
            "view":{"view":"of a later version"}})",
        R"({"theme":"dark","zoom":1,"projector":false,"width":15,"height":3})"}) {
    std::ofstream(path) << text;
    const LoadedPreferences loaded = load_preferences(path);
    EXPECT_EQ(loaded.preferences, Preferences()) << text;
    EXPECT_NE(loaded.notice, "") << text;
    EXPECT_FALSE(std::filesystem::exists(path)) << text;
    // None replaces the one before.
    const std::string number = tried == 0 ? "" : std::to_string(tried + 1);
    EXPECT_EQ(content(folder_ / ("settings.json.bad" + number)), text);
    ++tried;
  }
}

TEST_F(PreferencesFile, WhatIsNoFileStaysAsItIs) {
  const std::filesystem::path path = folder_ / "settings.json";
  const auto stays = [&](std::filesystem::file_type type) {
    const LoadedPreferences loaded = load_preferences(path);
    EXPECT_EQ(loaded.preferences, Preferences());
    EXPECT_NE(loaded.notice.find("is no file"), std::string::npos) << loaded.notice;
    EXPECT_THROW(save_preferences(path, Preferences()), FileError);
    EXPECT_EQ(std::filesystem::symlink_status(path).type(), type);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "settings.json.bad"));
    std::filesystem::remove(path);
  };
  std::filesystem::create_directory(path);
  stays(std::filesystem::file_type::directory);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  stays(std::filesystem::file_type::fifo);  // and nothing waits for somebody to write into it
  std::filesystem::create_symlink("/dev/null", path);
  stays(std::filesystem::file_type::symlink);
}

TEST_F(PreferencesFile, ALinkIsFollowed) {
  const std::filesystem::path path = folder_ / "settings.json";
  const std::filesystem::path elsewhere = folder_ / "kept" / "lab.json";
  std::filesystem::create_directories(elsewhere.parent_path());
  std::filesystem::create_symlink(elsewhere, path);
  EXPECT_EQ(load_preferences(path).notice, "");  // it leads nowhere yet
  Preferences light;
  light.view.theme = Theme::kLight;
  save_preferences(path, light);
  EXPECT_EQ(load_preferences(path).preferences.view.theme, Theme::kLight);
  EXPECT_TRUE(std::filesystem::is_regular_file(elsewhere));
  std::ofstream(elsewhere) << "nonsense";
  EXPECT_NE(load_preferences(path).notice.find("lab.json.bad"), std::string::npos);
  EXPECT_EQ(content(folder_ / "kept" / "lab.json.bad"), "nonsense");
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  save_preferences(path, Preferences());
  EXPECT_TRUE(std::filesystem::is_regular_file(elsewhere));
}

}  // namespace
}  // namespace dispersion
