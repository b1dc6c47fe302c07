#include "app/panels/panels.h"

#include <cmath>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_panel.h"
#include "app/session/run_status.h"

namespace dispersion {
namespace {

// The line moves with the outline around the frames, halfway in logarithm.
double marked_items(const AppState& app, const PanelState& state) {
  const double share = motion_share(state);
  const double to = app.view.focused_items;
  if (share >= 1 || state.motion.from <= 0) return to;
  return state.motion.from * std::pow(to / state.motion.from, share);
}

// The n whose rows are older than the rest: of another run or step, or of other settings.
std::vector<double> outdated_items(const AppState& app) {
  std::vector<double> items;
  if (!app.snapshot) return items;
  for (std::size_t i = 0; i < app.snapshot->sizes.size(); ++i) {
    if (!row_current(*app.snapshot, app.status, i)) items.push_back(app.snapshot->sizes[i]);
  }
  return items;
}

void draw_curve(AppState& app, PanelState& state, const char* id, const LinePlot& plot,
                ImVec2 size) {
  Painter& painter = state.painter;
  if (!plot.series.empty()) {
    const std::vector<double> outdated = outdated_items(app);
    const PlotOptions options = {.marked = marked_items(app, state), .outdated = outdated};
    const auto clicked = draw_plot_panel(state, id, plot, app.zooms[kCurvesFigure], options, size);
    if (clicked) focus_items(app, state, static_cast<int>(*clicked));
    return;
  }
  begin_panel(painter, id, size, plot.title.empty() ? id : plot.title, "");
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_empty(painter, low, {low.x + room.x, low.y + room.y}, "Being counted …");
  end_panel();
}

}  // namespace

void draw_curves(AppState& app, PanelState& state, ImVec2 size) {
  const float spacing = state.painter.px(8);
  const float width = std::floor((size.x - spacing) / 2);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  draw_curve(app, state, "Accuracy", state.figures.accuracy(), {width, size.y});
  ImGui::SetCursorScreenPos({corner.x + width + spacing, corner.y});
  draw_curve(app, state, "Entropy of attention", state.figures.entropy(),
             {size.x - width - spacing, size.y});
}

}  // namespace dispersion
