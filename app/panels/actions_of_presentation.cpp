#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/lesson/presentation.h"
#include "app/panels/actions.h"
#include "app/panels/actions_table.h"

namespace dispersion {
namespace {

constexpr const char* kGroup = "Present";

// Moves as `move` says, the outline around the focused frames with it.
void step(const Actor& actor, void (*move)(AppState&, Session&)) {
  const int before = actor.app.view.focused_items;
  move(actor.app, actor.session);
  const int after = std::exchange(actor.app.view.focused_items, before);
  if (after != before) focus_items(actor.app, actor.state, after);
}

void add_begin(std::vector<Action>& all, const AppState& app) {
  all.push_back({.id = "window.present",
                 .group = kGroup,
                 .name = "Present",
                 .help =
                     "The view fills the screen in large type, without controls; a clicker steps "
                     "through the bookmarks or, without any, doubles n.",
                 .chords = {ImGuiKey_F5, ImGuiKey_P},
                 .act =
                     [](const Actor& a) {
                       present(a.app);
                       a.app.full_screen = true;
                     },
                 .shown_chords = 2,
                 .available = app.head.state != nullptr});
  for (std::size_t i = 0; i < app.lessons.size(); ++i) {
    const std::shared_ptr<const Lesson>& lesson = app.lessons[i];
    all.push_back({.id = "lesson." + std::to_string(i + 1),
                   .group = kGroup,
                   .name = "Lesson: " + lesson->title,
                   .help = lesson->about,
                   .act = [lesson](const Actor& a) { begin_lesson(a.app, a.session, lesson); },
                   .available = app.head.state != nullptr});
  }
}

void add_steps(std::vector<Action>& all, const AppState& app) {
  const bool sizes = steps_of(app) == Steps::kSizes;
  all.push_back({.id = "present.next",
                 .group = kGroup,
                 .name = sizes ? "Twice as many items" : "On",
                 .chords = {ImGuiKey_RightArrow, ImGuiKey_PageDown, ImGuiKey_DownArrow,
                            ImGuiKey_Space, ImGuiKey_Enter, ImGuiKey_KeypadEnter},
                 .act = [](const Actor& a) { step(a, go_on); },
                 .shown_chords = 2,
                 .reach = Reach::kPresent});
  all.push_back(
      {.id = "present.back",
       .group = kGroup,
       .name = sizes ? "Half as many items" : "Back",
       .chords = {ImGuiKey_LeftArrow, ImGuiKey_PageUp, ImGuiKey_UpArrow, ImGuiKey_Backspace},
       .act = [](const Actor& a) { step(a, go_back); },
       .shown_chords = 2,
       .reach = Reach::kPresent});
  const std::size_t last = sizes ? 0 : std::min<std::size_t>(9, step_count(app));
  for (std::size_t i = 1; i <= last; ++i) {
    const int digit = static_cast<int>(i) - 1;
    // A bookmark's number counts from 1 on, the desk being 0.
    const std::size_t to = steps_of(app) == Steps::kLesson ? i - 1 : i;
    all.push_back({.id = "present.step" + std::to_string(i),
                   .group = kGroup,
                   .name = "To step " + std::to_string(i),
                   .chords = {ImGuiKey_1 + digit, ImGuiMod_Shift | (ImGuiKey_1 + digit),
                              ImGuiKey_Keypad1 + digit},
                   .act = [to](const Actor& a) { go_to_step(a.app, a.session, to); },
                   .reach = Reach::kPresent});
  }
}

void add_screen(std::vector<Action>& all, const AppState& app) {
  all.push_back({.id = "present.blank",
                 .group = kGroup,
                 .name = "Blank the screen",
                 .help = "Any key shows it again.",
                 .chords = {ImGuiKey_B, ImGuiKey_Period, ImGuiKey_KeypadDecimal},
                 .act = [](const Actor& a) { a.app.presentation->blank = true; },
                 .reach = Reach::kPresent});
  const LessonStep* shown = presented_step(app);
  all.push_back({.id = "present.guess",
                 .group = kGroup,
                 .name = "Type a guess",
                 .chords = {ImGuiKey_G},
                 .act = [](const Actor& a) { a.state.guess_focus.wanted = true; },
                 .reach = Reach::kPresent,
                 .available = shown != nullptr && shown->guess && !app.presentation->answered});
  all.push_back(
      {.id = "present.controls",
       .group = kGroup,
       .name = "Show the controls, or hide them",
       .chords = {ImGuiKey_C},
       .act = [](const Actor& a) { a.app.presentation->controls = !a.app.presentation->controls; },
       .reach = Reach::kPresent,
       .value = app.presentation->controls ? "shown" : "hidden"});
  all.push_back({.id = "present.screen",
                 .group = kGroup,
                 .name = "Fill the screen",
                 .chords = {ImGuiKey_F5},
                 .act = [](const Actor& a) { a.app.full_screen = true; },
                 .reach = Reach::kPresent,
                 .available = !app.full_screen});
  all.push_back({.id = "present.leave",
                 .group = kGroup,
                 .name = app.presentation->lesson ? "Leave the lesson" : "Leave",
                 .help = "The desk comes back as it was.",
                 .chords = {ImGuiKey_Escape},
                 .act = [](const Actor& a) { leave_presentation(a.app); },
                 .reach = Reach::kPresent});
}

}  // namespace

void add_presentation_actions(std::vector<Action>& all, const AppState& app) {
  if (!presents(app)) return add_begin(all, app);
  add_steps(all, app);
  add_screen(all, app);
}

}  // namespace dispersion
