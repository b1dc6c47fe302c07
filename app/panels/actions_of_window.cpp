#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/diagnostics.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kGroup = "Window";

void add_colours(std::vector<Action>& all, const AppState& app) {
  all.push_back({.id = "window.theme",
                 .group = kGroup,
                 .name = "Colours: dark, light, high contrast",
                 .chords = {ImGuiKey_T},
                 .act = [](const Actor& a) { a.app.view.theme = next_theme(a.app.view.theme); },
                 .value = std::string(theme_name(app.view.theme))});
}

void add_zoom(std::vector<Action>& all, const AppState& app) {
  // A + and some digits need Shift on some keyboards.
  all.push_back(
      {.id = "window.larger",
       .group = kGroup,
       .name = "Larger",
       .help = "Everything in the window becomes larger.",
       .chords = {ImGuiMod_Ctrl | ImGuiKey_Equal, ImGuiMod_Ctrl | ImGuiKey_KeypadAdd,
                  ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_KeypadAdd},
       .act = [](const Actor& a) { a.app.view.ui_scale = next_zoom(a.app.view.ui_scale, 1); }});
  all.push_back(
      {.id = "window.smaller",
       .group = kGroup,
       .name = "Smaller",
       .help = "Everything in the window becomes smaller.",
       .chords = {ImGuiMod_Ctrl | ImGuiKey_Minus, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Minus,
                  ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract},
       .act = [](const Actor& a) { a.app.view.ui_scale = next_zoom(a.app.view.ui_scale, -1); }});
  all.push_back({.id = "window.normal",
                 .group = kGroup,
                 .name = "Normal size",
                 .help = "Everything in the window has the size of the display's settings.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_0, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_0,
                            ImGuiMod_Ctrl | ImGuiKey_Keypad0},
                 .act = [](const Actor& a) {
                   a.app.view.ui_scale = 1;
                   a.app.view.projector = false;
                 }});
  all.push_back({.id = "window.scale",
                 .group = kGroup,
                 .name = "Size of everything, %",
                 .value = fixed_text(100 * static_cast<double>(app.view.ui_scale), 0),
                 .number = ActionNumber{100 * static_cast<double>(kSmallestZoom),
                                        100 * static_cast<double>(kLargestZoom), true,
                                        [](const Actor& a, double percent) {
                                          a.app.view.ui_scale = static_cast<float>(percent / 100);
                                        }}});
  all.push_back({.id = "window.large",
                 .group = kGroup,
                 .name = "Large type",
                 .chords = {ImGuiMod_Shift | ImGuiKey_P},
                 .act = [](const Actor& a) { a.app.view.projector = !a.app.view.projector; },
                 .value = app.view.projector ? "on" : "off"});
}

}  // namespace

void add_window_actions(std::vector<Action>& all, const AppState& app, const PanelState& state) {
  all.push_back({.id = "window.palette",
                 .group = kGroup,
                 .name = "Find anything",
                 .help = "Finds every action, setting, view and size by its name.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_K},
                 .act = [](const Actor& a) { open_palette(a.state.command_palette); },
                 .reach = Reach::kAnytime,
                 .available = !state.command_palette.open});
  all.push_back({.id = "window.keys",
                 .group = kGroup,
                 .name = "List of keys",
                 .help = "All keys, also those that no button has.",
                 .chords = {ImGuiKey_F1},
                 .act = [](const Actor& a) { a.state.keys_shown = !a.state.keys_shown; },
                 .reach = Reach::kAnytime});
  all.push_back({.id = "window.reset",
                 .group = kGroup,
                 .name = "Reset the layout",
                 .help = "One view, and the usual size and place of the window and its letters.",
                 .act = [](const Actor& a) { reset_layout(a.app, a.state); }});
  all.push_back({.id = "window.close",
                 .group = kGroup,
                 .name = "Close the window",
                 .help = "A run that is not saved is kept and offered at the next start.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_Q},
                 .act = [](const Actor& a) { a.state.close = true; }});
  all.push_back({.id = "window.diagnostics",
                 .group = kGroup,
                 .name = "Copy what this program runs on",
                 .help = "Version, backend, devices and how the window is drawn, as text for a "
                         "report.",
                 .act = [](const Actor& a) {
                   copy_text(a.state.painter, "diagnostics", diagnostics_text(a.app));
                 }});
  all.push_back({.id = "window.full_screen",
                 .group = kGroup,
                 .name = "Full screen",
                 .chords = {ImGuiKey_F11},
                 .act = [](const Actor& a) { a.app.full_screen = !a.app.full_screen; },
                 .value = app.full_screen ? "on" : "off"});
  add_colours(all, app);
  add_zoom(all, app);
}

}  // namespace dispersion
