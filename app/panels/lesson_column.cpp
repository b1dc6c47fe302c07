#include <algorithm>
#include <cstddef>
#include <string>

#include "app/lesson/presentation.h"
#include "app/lesson/told_step.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/presentation_panel.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr const char* kGuess = "##guess of the class";
constexpr float kGuessWidth = 90;

// Words of the lesson, their paragraphs apart.
void paragraphs(const Painter& painter, Colour value, const std::string& words) {
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    flow_text(painter, TextStyle::kLesson, value, words.substr(begin, end - begin));
    begin = end + 1;
    if (begin <= words.size()) gap(painter, 3);
  }
}

// Words that claim something; while their numbers are still to come, that they are.
void claim(const Painter& painter, const ToldStep& told, const std::string& words) {
  if (told.known) {
    paragraphs(painter, painter.palette->text, words);
  } else {
    flow_text(painter, TextStyle::kLesson, painter.palette->muted,
              "The numbers are being computed …");
  }
}

// A formula on a ground of its own.
void draw_formula(const Painter& painter, const std::string& formula) {
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float inset = painter.px(10);
  const float height =
      flow_height(painter, TextStyle::kLesson, formula, width - 2 * inset) + 2 * painter.px(8);
  ImGui::GetWindowDrawList()->AddRectFilled(start, {start.x + width, start.y + height},
                                            packed(p.raised), painter.px(5));
  draw_wrapped(painter, {start.x + inset, start.y + painter.px(8)}, TextStyle::kLesson, p.text,
               formula, width - 2 * inset);
  ImGui::Dummy({width, height});
}

// What is set now, and how far one is in what is set in turn.
void draw_stop(const Painter& painter, const LessonStops& stops, std::size_t stop) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& p = *painter.palette;
  const float side = painter.px(7);
  float x = start.x;
  for (std::size_t i = 0; i < stops.values.size(); ++i) {
    const ImVec2 middle = {x + side / 2, start.y + painter.px(9)};
    if (i <= stop) {
      list->AddCircleFilled(middle, side / 2, packed(p.baseline));
    } else {
      list->AddCircle(middle, side / 2, packed(p.muted), 0, std::max(1.0F, painter.scale));
    }
    x += side + painter.px(6);
  }
  draw_text(painter, list, {x + painter.px(6), start.y}, TextStyle::kLesson, p.text,
            stop_text(stops, stop));
  ImGui::Dummy({1, painter.px(20)});
}

// The field for what the class guesses. Enter shows the answer.
void draw_guess(AppState& app, Session& session, PanelState& state, const LessonStep& step) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float label =
      draw_text(painter, ImGui::GetWindowDrawList(), {start.x, start.y + painter.px(4)},
                TextStyle::kSmall, p.muted, "Your guess") +
      painter.px(10);
  ImGui::SetCursorScreenPos({start.x + label, start.y});
  ImGui::SetNextItemWidth(painter.px(kGuessWidth));
  const bool entered =
      focused_field(kGuess, app.presentation->guess, state.guess_focus, ImGuiInputTextFlags_None);
  const ImVec2 after = {ImGui::GetItemRectMax().x + painter.px(8), start.y + painter.px(4)};
  draw_text(painter, ImGui::GetWindowDrawList(), after, TextStyle::kSmall, p.muted,
            std::string(step.guess->quantity->unit) + "   G: type it");
  if (!entered) return;
  leave_keyboard_field();
  go_on(app, session);
}

void draw_question(AppState& app, Session& session, PanelState& state, const LessonStep& step,
                   const ToldStep& told) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  gap(painter, 6);
  flow_text(painter, TextStyle::kLessonStrong, p.baseline, step.question);
  gap(painter, 4);
  if (!app.presentation->answered) {
    if (step.guess) draw_guess(app, session, state, step);
    return;
  }
  const std::string guessed = app.presentation->guess.data();
  if (step.guess && !guessed.empty() && told.known) {
    flow_text(painter, TextStyle::kLesson, p.muted, guess_text(step, app, guessed));
    gap(painter, 3);
  }
  claim(painter, told, told.answer);
}

}  // namespace

void draw_lesson_column(AppState& app, Session& session, PanelState& state, ImVec2 corner,
                        ImVec2 size) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const LessonStep& step = *presented_step(app);
  const ToldStep told = told_step(step, app);
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(p.panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(16), painter.px(12)});
  ImGui::BeginChild("lesson", size, ImGuiChildFlags_AlwaysUseWindowPadding | kTabbedThrough);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  flow_text(painter, TextStyle::kTitle, p.text, step.title);
  gap(painter, 6);
  if (step.question.empty() && !step.checks.empty()) {
    claim(painter, told, told.text);
  } else {
    paragraphs(painter, p.text, told.text);
  }
  if (step.stops) {
    gap(painter, 4);
    draw_stop(painter, *step.stops, app.presentation->stop);
  }
  if (!step.formula.empty()) {
    gap(painter, 4);
    draw_formula(painter, step.formula);
  }
  if (!step.question.empty()) draw_question(app, session, state, step, told);
  ImGui::EndChild();
}

}  // namespace dispersion
