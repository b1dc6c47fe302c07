#include "app/panels/keys.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "app/panels/actions.h"
#include "app/window/theme.h"
#include "core/figure/figure.h"

namespace dispersion {
namespace {

struct Modifier {
  ImGuiKeyChord chord;
  ImGuiKey left;
  ImGuiKey right;
};
constexpr std::array<Modifier, 4> kModifiers = {
    {{ImGuiMod_Ctrl, ImGuiKey_LeftCtrl, ImGuiKey_RightCtrl},
     {ImGuiMod_Shift, ImGuiKey_LeftShift, ImGuiKey_RightShift},
     {ImGuiMod_Alt, ImGuiKey_LeftAlt, ImGuiKey_RightAlt},
     {ImGuiMod_Super, ImGuiKey_LeftSuper, ImGuiKey_RightSuper}}};

// The modifiers that count as held in this frame; see pressed().
ImGuiKeyChord modifiers() {
  ImGuiKeyChord held = ImGui::GetIO().KeyMods;
  for (const Modifier& modifier : kModifiers) {
    if (ImGui::IsKeyReleased(modifier.left) || ImGui::IsKeyReleased(modifier.right))
      held |= modifier.chord;
  }
  return held;
}

}  // namespace

bool pressed(ImGuiKeyChord chord) {
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  return modifiers() == (chord & ImGuiMod_Mask_) && ImGui::IsKeyPressed(key, false);
}

namespace {

struct KeyLine {
  const char* keys;
  const char* what;
};
constexpr std::array<KeyLine, 20> kLines = {
    {{"Space", "play or pause training"},
     {"S", "one training step"},
     {"R", "rewind to the start of the run"},
     {"N", "new run with the next seed"},
     {"Ctrl Z", "bring back the run that R, N or Open replaced; again: the one before"},
     {"→   ↑", "twice as many items"},
     {"←   ↓", "half as many items"},
     {"1 to 9", "views: attention, table 1, fit, theory"},
     {"Page up, Page down", "first and last n: 16 and 16 384"},
     {"A", "adaptive θ on or off"},
     {"0", "temperature θ back to 1"},
     {"F", "fit the plots: whole axes, all curves"},
     {"T", "dark or light"},
     {"P", "large type for a projector"},
     {"Ctrl +   Ctrl −   Ctrl 0", "larger, smaller, normal"},
     {"Ctrl S   Ctrl O", "save or open a head"},
     {"Ctrl E", "export what is shown: PDF, SVG, PNG, CSV, …"},
     {"Ctrl C   Ctrl D", "copy every number, or the figure's data as CSV"},
     {"Ctrl Shift C", "copy the figure as a picture"},
     {"F1   Esc", "show this list, hide it"}}};

bool pressed_or_held(ImGuiKey key) {
  return modifiers() == 0 && ImGui::IsKeyPressed(key, true);
}

void handle_number_keys(AppState& app) {
  for (std::size_t i = 0; i < app.experiments.views.size(); ++i) {
    const int offset = static_cast<int>(i);
    if (pressed(static_cast<ImGuiKey>(ImGuiKey_1 + offset)) ||
        pressed(static_cast<ImGuiKey>(ImGuiKey_Keypad1 + offset)))
      app.view.view = app.experiments.views[i];
  }
}

void handle_control_keys(AppState& app, PanelState& state) {
  ViewSettings& view = app.view;
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Equal) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadAdd) ||
      pressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Equal)) {
    view.ui_scale = next_zoom(view.ui_scale, 1);
  }
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Minus) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract)) {
    view.ui_scale = next_zoom(view.ui_scale, -1);
  }
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_0) || pressed(ImGuiMod_Ctrl | ImGuiKey_Keypad0)) {
    view.ui_scale = 1;
    view.projector = false;
  }
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_S)) {
    ask_for_path(app, state.entry, PathEntry::Purpose::kSave);
  }
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_O)) {
    ask_for_path(app, state.entry, PathEntry::Purpose::kOpen);
  }
  handle_export_keys(app, state);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_C)) {
    copy_text(state.painter, "everything", everything_shown(app, state));
  }
}

void handle_view_keys(AppState& app, PanelState& state) {
  ViewSettings& view = app.view;
  if (pressed_or_held(ImGuiKey_RightArrow) || pressed_or_held(ImGuiKey_UpArrow)) {
    double_items(app, state, 1);
  }
  if (pressed_or_held(ImGuiKey_LeftArrow) || pressed_or_held(ImGuiKey_DownArrow)) {
    double_items(app, state, -1);
  }
  if (pressed(ImGuiKey_PageUp)) double_items(app, state, -100);
  if (pressed(ImGuiKey_PageDown)) double_items(app, state, 100);
  if (pressed(ImGuiKey_A))
    show(view, TransformId::kAdaptive, !is_shown(view, TransformId::kAdaptive));
  if (pressed(ImGuiKey_0)) view.theta = 1;
  if (pressed(ImGuiKey_F)) fit_plots(app);
  if (pressed(ImGuiKey_T)) view.theme = view.theme == Theme::kDark ? Theme::kLight : Theme::kDark;
  if (pressed(ImGuiKey_P)) view.projector = !view.projector;
}

void handle_run_keys(AppState& app, Session& session) {
  if (pressed(ImGuiKey_Space)) play_or_pause(app, session);
  if (pressed(ImGuiKey_S)) single_step(session);
  if (pressed(ImGuiKey_R)) rewind(session);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Z) && !app.status.set_aside.empty()) bring_back(session);
  if (pressed(ImGuiKey_N)) new_seed(app, session);
}

}  // namespace

void handle_keys(AppState& app, Session& session, PanelState& state) {
  if (app.exporting.open) return;  // the dialog handles its own keys
  if (pressed(ImGuiKey_F1)) state.keys_shown = !state.keys_shown;
  if (ImGui::GetIO().WantTextInput) return;
  if (pressed(ImGuiKey_Escape)) state.keys_shown = false;
  handle_control_keys(app, state);
  handle_number_keys(app);
  handle_view_keys(app, state);
  handle_run_keys(app, session);
}

void handle_export_keys(AppState& app, PanelState& state) {
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_E)) open_export(app, state.surface);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_D)) copy_figure_data(app, state.surface);
  if (pressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C)) copy_figure_image(app, state.surface);
}

void draw_keys_card(PanelState& state, ImVec2 low, ImVec2 high) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const float line = painter.px(24);
  const ImVec2 size = {std::min(painter.px(520), high.x - low.x),
                       std::min(painter.px(66) + line * kLines.size(), high.y - low.y)};
  const ImVec2 corner = {(low.x + high.x - size.x) / 2, (low.y + high.y - size.y) / 2};
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(22), painter.px(16)});
  ImGui::BeginChild("keys", size, ImGuiChildFlags_AlwaysUseWindowPadding);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Dear ImGui would draw the background of a child below the children drawn before it.
  const ImVec2 end = {corner.x + size.x, corner.y + size.y};
  list->AddRectFilled(corner, end, packed(p.raised), painter.px(8));
  list->AddRect(corner, end, packed(p.line), painter.px(8), std::max(1.0F, painter.scale));
  draw_text(painter, list, start, TextStyle::kTitle, p.text, "Keys");
  float y = start.y + painter.px(30);
  for (const KeyLine& each : kLines) {
    draw_text(painter, list, {start.x, y}, TextStyle::kBody, p.text, each.keys);
    draw_text(painter, list, {start.x + painter.px(190), y}, TextStyle::kBody, p.muted, each.what);
    y += line;
  }
  ImGui::Dummy({1, y - start.y});
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace dispersion
