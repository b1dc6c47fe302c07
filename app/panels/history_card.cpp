#include "app/panels/history_card.h"

#include <algorithm>
#include <string>

#include "app/panels/keyboard_focus.h"
#include "app/panels/panel_frame.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

constexpr float kRow = 26;
constexpr float kAboveHint = 6;
constexpr float kHint = 17;
constexpr float kBelowHint = 6;

// A line of the list. Returns whether it was clicked.
bool history_row(const Painter& painter, const std::string& id, std::string_view what, Colour value,
                 bool present) {
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = painter.px(kRow);
  const bool clicked = ImGui::Selectable(("###" + id).c_str(), false, 0, {width, height});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float indent = painter.px(18);
  const float line = measure(painter, TextStyle::kBody, "n").y;
  const float y = start.y + (height - line) / 2;
  if (present) {
    list->AddCircleFilled({start.x + painter.px(8), start.y + height / 2}, painter.px(3.5F),
                          packed(p.adaptive));
  }
  const float room = width - indent - painter.px(6);
  const std::string shown = fitted(painter, TextStyle::kBody, what, room);
  draw_text(painter, list, {start.x + indent, y}, TextStyle::kBody, value, shown);
  if (shown != what) help_tooltip(painter, what);
  return clicked;
}

void draw_steps(AppState& app, const Painter& painter) {
  const Palette& p = *painter.palette;
  const int done = static_cast<int>(app.undo.done().size());
  const int undone = static_cast<int>(app.undo.undone().size());
  int wanted = 0;  // steps back
  for (int i = 0; i < done; ++i) {
    const UndoStep& step = app.undo.done()[static_cast<std::size_t>(done - 1 - i)];
    if (history_row(painter, "done" + std::to_string(i), step.what, p.text, i == 0)) wanted = i;
  }
  // Runs come back as far as they are trained.
  const std::string start = app.history.empty() ? "as it was before these"
                                                : "as it was before these, except for training";
  if (history_row(painter, "start", start, p.muted, done == 0)) wanted = done;
  if (undone > 0) {
    gap(painter, kAboveHint);
    flow_text(painter, TextStyle::kSmall, p.muted, "Undone: a click does them again.");
    gap(painter, kBelowHint);
  }
  for (int i = 0; i < undone; ++i) {
    const UndoStep& step = app.undo.undone()[static_cast<std::size_t>(undone - 1 - i)];
    if (history_row(painter, "undone" + std::to_string(i), step.what, p.muted, false))
      wanted = -(i + 1);
  }
  if (wanted != 0) app.undo.ask(wanted);
}

}  // namespace

void draw_history_card(AppState& app, PanelState& state, ImVec2 low, ImVec2 high) {
  Painter& painter = state.painter;
  const std::size_t undone = app.undo.undone().size();
  const auto rows = static_cast<float>(app.undo.done().size() + 1 + undone);
  const float height = kRow * rows + 66 + (undone > 0 ? kAboveHint + kHint + kBelowHint : 0);
  begin_card(painter, "history", {painter.px(460), painter.px(height)}, low, high);
  section_title(painter, "History", "Ctrl Z, Ctrl Shift Z");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("steps", {0, 0}, kTabbedThrough);
  draw_steps(app, painter);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  end_card();
}

}  // namespace dispersion
