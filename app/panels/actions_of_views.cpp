#include <cstddef>
#include <span>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/keys.h"
#include "app/panels/view_grid.h"

namespace dispersion {

void add_view_actions(std::vector<Action>& all, const AppState& app) {
  for (std::size_t i = 0; i < app.experiments.views.size(); ++i) {
    const View view = app.experiments.views[i];
    const int digit = static_cast<int>(i);
    std::vector<ImGuiKeyChord> chords;
    if (digit < kNumberedViews) {
      // Some keyboards write digits with Shift.
      chords = {ImGuiKey_1 + digit, ImGuiMod_Shift | (ImGuiKey_1 + digit),
                ImGuiKey_Keypad1 + digit};
    }
    all.push_back({.id = "view." + std::string(view_title(view)),
                   .group = "Views",
                   .name = "Show " + std::string(view_title(view)),
                   .help = view_help(view),
                   .chords = chords,
                   .act = [view](const Actor& a) { show_view(a.app.view, view); },
                   .value = app.view.view == view ? "in front" : ""});
  }
  const std::span<const ShapeName> shapes = shape_names();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ShapeName each = shapes[i];
    all.push_back({.id = each.action,
                   .group = "Views",
                   .name = each.name,
                   .chords = {ImGuiMod_Ctrl | (ImGuiKey_1 + static_cast<int>(i))},
                   .act = [each](const Actor& a) { set_shape(a.app.view, each.shape); },
                   .value = app.view.grid.shape == each.shape ? "on screen" : ""});
  }
  all.push_back({.id = "view.next",
                 .group = "Views",
                 .name = "Go to the next view beside this one",
                 .chords = {ImGuiKey_F6},
                 .act = [](const Actor& a) { focus_next_pane(a.app.view); },
                 .available = app.view.grid.shape != GridShape::kOne});
  all.push_back({.id = "view.surfaces",
                 .group = "Views",
                 .name = "Fields as surfaces",
                 .help = "The same numbers as colours on a plane, or as heights.",
                 .act = [](const Actor& a) { a.app.view.surfaces = !a.app.view.surfaces; },
                 .value = app.view.surfaces ? "on" : "off"});
  all.push_back({.id = "view.fit",
                 .group = "Views",
                 .name = "Fit the plots: whole axes, all curves",
                 .chords = {ImGuiKey_F},
                 .act = [](const Actor& a) { fit_plots(a.app); }});
  all.push_back({.id = "view.tables",
                 .group = "Views",
                 .name = "Show the numbers of all figures as tables",
                 .help = "Every figure as a table of its numbers, or as a figure again.",
                 .chords = {ImGuiKey_D},
                 .act = [](const Actor& a) { toggle_tables(a.state); }});
}

}  // namespace dispersion
