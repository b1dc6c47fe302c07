#include "app/panels/keys.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

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

bool pressed(ImGuiKeyChord chord, bool repeats) {
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  return modifiers() == (chord & ImGuiMod_Mask_) && ImGui::IsKeyPressed(key, repeats);
}

namespace {

struct KeyLine {
  const char* keys;
  const char* what;
};
constexpr std::array<KeyLine, 23> kLines = {
    {{"Space", "play or pause training"},
     {"S", "one training step"},
     {"R", "rewind to the start of the run"},
     {"N", "new run with the next seed"},
     {"Ctrl Z   Ctrl Shift Z", "undo and redo, settings and runs"},
     {"Ctrl B", "bookmarks: states of the window with their heads"},
     {"Ctrl H", "what was changed, to go back to any step"},
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
     {"Ctrl Alt C   Ctrl Alt V", "copy the state of the window as a line, open a copied one"},
     {"F1   Esc", "show this list, hide it"}}};

// What shortcuts act on.
struct Actor {
  AppState& app;
  Session& session;
  PanelState& state;
};

// Where a shortcut works.
enum class Reach {
  kWindow,   // in the window, unless the user is typing
  kDialog,   // also in the export dialog
  kAnytime,  // also while the user is typing
};

// One action and the chords that bring it about. `number` is passed on to `act`.
struct Shortcut {
  std::vector<ImGuiKeyChord> chords;
  void (*act)(const Actor&, int number);
  int number = 0;
  bool repeats = false;  // while the key is held
  Reach reach = Reach::kWindow;
};

std::vector<Shortcut> control_shortcuts() {
  return {
      // A + and some digits need Shift on some keyboards.
      {{ImGuiMod_Ctrl | ImGuiKey_Equal, ImGuiMod_Ctrl | ImGuiKey_KeypadAdd,
        ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_KeypadAdd},
       [](const Actor& a, int) { a.app.view.ui_scale = next_zoom(a.app.view.ui_scale, 1); }},
      {{ImGuiMod_Ctrl | ImGuiKey_Minus, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Minus,
        ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract},
       [](const Actor& a, int) { a.app.view.ui_scale = next_zoom(a.app.view.ui_scale, -1); }},
      {{ImGuiMod_Ctrl | ImGuiKey_0, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_0,
        ImGuiMod_Ctrl | ImGuiKey_Keypad0},
       [](const Actor& a, int) {
         a.app.view.ui_scale = 1;
         a.app.view.projector = false;
       }},
      {{ImGuiMod_Ctrl | ImGuiKey_S},
       [](const Actor& a, int) { ask_for_path(a.app, a.state.entry, PathEntry::Purpose::kSave); }},
      {{ImGuiMod_Ctrl | ImGuiKey_O},
       [](const Actor& a, int) { ask_for_path(a.app, a.state.entry, PathEntry::Purpose::kOpen); }},
      {{ImGuiMod_Ctrl | ImGuiKey_C},
       [](const Actor& a, int) {
         copy_text(a.state.painter, "everything", everything_shown(a.app, a.state));
       }},
      {{ImGuiMod_Ctrl | ImGuiKey_Z}, [](const Actor& a, int) { a.app.undo.ask(1); }, 0, true},
      {{ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiKey_Y},
       [](const Actor& a, int) { a.app.undo.ask(-1); },
       0,
       true},
      {{ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C},
       [](const Actor& a, int) { copy_state(a.app, a.state); }},
      {{ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_V},
       [](const Actor& a, int) { paste_state(a.app, a.session); }},
      {{ImGuiMod_Ctrl | ImGuiKey_B},
       [](const Actor& a, int) { a.state.bookmarks.shown = !a.state.bookmarks.shown; }},
      {{ImGuiMod_Ctrl | ImGuiKey_H},
       [](const Actor& a, int) { a.state.history_shown = !a.state.history_shown; }},
  };
}

std::vector<Shortcut> dialog_shortcuts() {
  return {
      {.chords = {ImGuiMod_Ctrl | ImGuiKey_E},
       .act = [](const Actor& a, int) { open_export(a.app, a.state.surface); },
       .reach = Reach::kDialog},
      {.chords = {ImGuiMod_Ctrl | ImGuiKey_D},
       .act = [](const Actor& a, int) { copy_figure_data(a.app, a.state.surface); },
       .reach = Reach::kDialog},
      {.chords = {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C},
       .act = [](const Actor& a, int) { copy_figure_image(a.app, a.state.surface); },
       .reach = Reach::kDialog},
  };
}

// There is no digit for the views after the ninth.
std::vector<Shortcut> number_shortcuts() {
  std::vector<Shortcut> all;
  for (int i = 0; i < kNumberedViews; ++i) {
    all.push_back({{ImGuiKey_1 + i, ImGuiMod_Shift | (ImGuiKey_1 + i), ImGuiKey_Keypad1 + i},
                   [](const Actor& a, int number) {
                     const std::vector<View>& views = a.app.experiments.views;
                     const auto place = static_cast<std::size_t>(number);
                     if (place < views.size()) a.app.view.view = views[place];
                   },
                   i});
  }
  return all;
}

std::vector<Shortcut> view_shortcuts() {
  const auto double_n = [](const Actor& a, int steps) { double_items(a.app, a.state, steps); };
  constexpr int kAllTheWay = 100;
  return {
      {{ImGuiKey_RightArrow, ImGuiKey_UpArrow}, double_n, 1, true},
      {{ImGuiKey_LeftArrow, ImGuiKey_DownArrow}, double_n, -1, true},
      {{ImGuiKey_PageUp}, double_n, -kAllTheWay},
      {{ImGuiKey_PageDown}, double_n, kAllTheWay},
      {{ImGuiKey_A},
       [](const Actor& a, int) {
         show(a.app.view, TransformId::kAdaptive, !is_shown(a.app.view, TransformId::kAdaptive));
       }},
      {{ImGuiKey_0, ImGuiMod_Shift | ImGuiKey_0},
       [](const Actor& a, int) { a.app.view.theta = 1; }},
      {{ImGuiKey_F}, [](const Actor& a, int) { fit_plots(a.app); }},
      {{ImGuiKey_T},
       [](const Actor& a, int) {
         a.app.view.theme = a.app.view.theme == Theme::kDark ? Theme::kLight : Theme::kDark;
       }},
      {{ImGuiKey_P}, [](const Actor& a, int) { a.app.view.projector = !a.app.view.projector; }},
      {{ImGuiKey_Escape},
       [](const Actor& a, int) {
         a.state.keys_shown = false;
         a.state.history_shown = false;
         a.state.bookmarks.shown = false;
       }},
      {.chords = {ImGuiKey_F1},
       .act = [](const Actor& a, int) { a.state.keys_shown = !a.state.keys_shown; },
       .reach = Reach::kAnytime},
  };
}

std::vector<Shortcut> run_shortcuts() {
  return {
      {{ImGuiKey_Space}, [](const Actor& a, int) { play_or_pause(a.app, a.session); }},
      {{ImGuiKey_S}, [](const Actor& a, int) { single_step(a.session); }},
      {{ImGuiKey_R}, [](const Actor& a, int) { rewind(a.session); }},
      {{ImGuiKey_N}, [](const Actor& a, int) { new_seed(a.app, a.session); }},
  };
}

const std::vector<Shortcut>& shortcuts() {
  static const std::vector<Shortcut> all = [] {
    std::vector<Shortcut> made;
    for (const auto& part : {control_shortcuts(), dialog_shortcuts(), number_shortcuts(),
                             view_shortcuts(), run_shortcuts()})
      made.insert(made.end(), part.begin(), part.end());
    return made;
  }();
  return all;
}

bool chosen(const Shortcut& shortcut) {
  return std::ranges::any_of(shortcut.chords,
                             [&](ImGuiKeyChord chord) { return pressed(chord, shortcut.repeats); });
}

// What the user is doing decides which shortcuts work.
bool works(Reach reach, const AppState& app, const PanelState& state) {
  if (app.exporting.open) return reach == Reach::kDialog;
  // While a file name is asked for, keys belong to it, also in the moment before its field has the
  // focus.
  const bool typing =
      ImGui::GetIO().WantTextInput || state.entry.purpose != PathEntry::Purpose::kNone;
  return !typing || reach == Reach::kAnytime;
}

}  // namespace

int actions_of(ImGuiKeyChord chord) {
  return static_cast<int>(std::ranges::count_if(shortcuts(), [&](const Shortcut& shortcut) {
    return std::ranges::find(shortcut.chords, chord) != shortcut.chords.end();
  }));
}

void handle_keys(AppState& app, Session& session, PanelState& state) {
  const Actor actor = {app, session, state};
  for (const Shortcut& shortcut : shortcuts()) {
    if (works(shortcut.reach, app, state) && chosen(shortcut)) shortcut.act(actor, shortcut.number);
  }
}

void draw_keys_card(PanelState& state, ImVec2 low, ImVec2 high) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const float line = painter.px(24);
  const float indent = painter.px(190);  // of what the keys do
  const float margin = painter.px(22);
  float longest = 0;
  for (const KeyLine& each : kLines)
    longest = std::max(longest, measure(painter, TextStyle::kBody, each.what).x);
  const ImVec2 size = {std::min(2 * margin + indent + longest, high.x - low.x),
                       std::min(painter.px(66) + line * kLines.size(), high.y - low.y)};
  const ImVec2 corner = {(low.x + high.x - size.x) / 2, (low.y + high.y - size.y) / 2};
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, painter.px(16)});
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
    draw_text(painter, list, {start.x + indent, y}, TextStyle::kBody, p.muted,
              fitted(painter, TextStyle::kBody, each.what, size.x - 2 * margin - indent));
    y += line;
  }
  ImGui::Dummy({1, y - start.y});
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace dispersion
