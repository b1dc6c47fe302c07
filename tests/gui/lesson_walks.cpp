#include "tests/gui/lesson_walks.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <vector>

#include "app/commands/lesson.h"
#include "app/lesson/presentation.h"
#include "app/lesson/told_step.h"
#include "tests/gui/scenes.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

const std::vector<Format> kRooms = {{"1280x720", {1280, 720}, 1}, kDesktop};
constexpr Theme kKeptTheme = Theme::kLight;
constexpr int kMostPresses = 200;

std::string title_as_name(const Lesson& lesson) {
  std::string name;
  for (const char letter : lesson.title) {
    const auto plain = static_cast<unsigned char>(letter);
    if (std::isalnum(plain) != 0) {
      name += static_cast<char>(std::tolower(plain));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  return name;
}

std::string sheet_name(const Lesson& lesson, const Format& room, Theme theme) {
  const bool kept = room.name == kRooms.front().name && theme == kKeptTheme;
  const std::string rest = kept ? "" : "_" + room.name + "_" + std::string(theme_name(theme));
  return "lesson_" + title_as_name(lesson) + rest + ".png";
}

// A third as wide and high, each pixel the mean of nine.
Picture reduced(const Picture& whole) {
  constexpr int kBy = 3;
  Picture small;
  small.size = {whole.size.width / kBy, whole.size.height / kBy};
  for (int y = 0; y < small.size.height; ++y) {
    for (int x = 0; x < small.size.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        int sum = 0;
        for (int i = 0; i < kBy * kBy; ++i) {
          const int at = (y * kBy + i / kBy) * whole.size.width + x * kBy + i % kBy;
          sum += whole.rgb[static_cast<std::size_t>(at) * 3 + static_cast<std::size_t>(c)];
        }
        small.rgb.push_back(static_cast<std::uint8_t>(sum / (kBy * kBy)));
      }
    }
  }
  return small;
}

// Pictures of one size beside and below one another, on a grey ground.
Picture sheet_of(const std::vector<Picture>& steps) {
  constexpr int kColumns = 3;
  constexpr int kGap = 8;
  constexpr std::uint8_t kGround = 128;
  const Size each = steps.front().size;
  const int rows = (static_cast<int>(steps.size()) + kColumns - 1) / kColumns;
  Picture sheet;
  sheet.size = {kColumns * (each.width + kGap) + kGap, rows * (each.height + kGap) + kGap};
  sheet.rgb.assign(
      static_cast<std::size_t>(sheet.size.width) * static_cast<std::size_t>(sheet.size.height) * 3,
      kGround);
  const auto row_bytes = static_cast<std::size_t>(each.width) * 3;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const int left = kGap + static_cast<int>(i) % kColumns * (each.width + kGap);
    const int top = kGap + static_cast<int>(i) / kColumns * (each.height + kGap);
    for (int y = 0; y < each.height; ++y) {
      const auto from = static_cast<std::size_t>(y) * row_bytes;
      const auto to = static_cast<std::size_t>((top + y) * sheet.size.width + left) * 3;
      std::copy_n(steps[i].rgb.begin() + static_cast<std::ptrdiff_t>(from), row_bytes,
                  sheet.rgb.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  return sheet;
}

class LessonWalk : public testing::Test {
 public:
  LessonWalk(std::shared_ptr<const Lesson> lesson, Format room, Theme theme, fs::path file)
      : lesson_(std::move(lesson)),
        room_(std::move(room)),
        theme_(theme),
        file_(std::move(file)),
        driver_(room_.size) {}

  void TestBody() override {
    driver_.run([&](ImGuiTestContext* context) { walk(context); });
    if (!HasFailure() && !steps_.empty()) write_png(file_, sheet_of(steps_));
  }

 private:
  const Presentation& shown() { return *driver_.app().presentation; }

  // Until all that the step says is computed, and the view shows it.
  void wait_for_numbers(ImGuiTestContext* context) {
    AppState& app = driver_.app();
    IM_CHECK(driver_.wait_for(
        context,
        [&] {
          if (!driver_.lab().session().answered(app.status)) return false;
          if (!told_step(*presented_step(app), app).known) return false;
          if (app.view.view == View::kAttention) return true;
          return app.experiments.of(app.view.view).update.phase == ExperimentPhase::kDone;
        },
        120));
    if (app.view.view == View::kAttention) IM_CHECK(driver_.wait_for_picture(context));
  }

  void look_at_step(ImGuiTestContext* context) {
    wait_for_numbers(context);
    if (context->IsError()) return;
    const AppState& app = driver_.app();
    const ToldStep told = told_step(*presented_step(app), app);
    const std::string where = "step " + std::to_string(shown().step + 1) + " of " + lesson_->title;
    EXPECT_TRUE(told.holds) << where << ": " << told.text << " / " << told.answer;
    context->Yield(2);
    ImGuiWindow* column = context->WindowInfo("//lab/lesson").Window;
    if (column == nullptr) {
      ADD_FAILURE() << where << " has no text";
      return;
    }
    EXPECT_EQ(column->ScrollMax.y, 0) << where << " has more text than the column has room for";
  }

  void walk(ImGuiTestContext* context) {
    AppState& app = driver_.app();
    IM_CHECK(driver_.wait_for(context, [&] { return app.head.state != nullptr; }));
    app.view.theme = theme_;
    context->MouseMoveToPos({1, 1});
    begin_lesson(app, driver_.lab().session(), lesson_);
    context->Yield(3);
    for (int press = 0; press < kMostPresses; ++press) {
      look_at_step(context);
      if (context->IsError()) return;
      const std::size_t step = shown().step;
      const bool last = at_end(app);
      Picture picture = reduced(driver_.grab(context));
      // Of each step what it shows last.
      if (steps_.size() > step) steps_.pop_back();
      steps_.push_back(std::move(picture));
      if (last) break;
      context->KeyPress(ImGuiKey_PageDown);
      context->Yield(2);
    }
    EXPECT_EQ(steps_.size(), lesson_->steps.size());
    context->KeyPress(ImGuiKey_Escape);
    IM_CHECK(driver_.wait_for(context, [&] { return app.presentation == nullptr; }));
  }

  std::shared_ptr<const Lesson> lesson_;
  Format room_;
  Theme theme_;
  fs::path file_;
  GuiDriver driver_;
  std::vector<Picture> steps_;
};

}  // namespace

std::set<std::string> lesson_sheets() {
  std::set<std::string> names;
  for (const auto& lesson : shipped_lessons())
    names.insert(sheet_name(*lesson, kRooms.front(), kKeptTheme));
  return names;
}

void register_lesson_walks(const fs::path& kept, const fs::path& others) {
  for (const auto& lesson : shipped_lessons()) {
    for (const Format& room : kRooms) {
      for (const Theme theme : {Theme::kDark, kKeptTheme}) {
        const std::string name = sheet_name(*lesson, room, theme);
        const fs::path file = (lesson_sheets().contains(name) ? kept : others) / name;
        testing::RegisterTest(
            "Lessons", fs::path(name).stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [=]() -> testing::Test* { return new LessonWalk(lesson, room, theme, file); });
      }
    }
  }
}

}  // namespace dispersion
