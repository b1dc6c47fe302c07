#include "app/panels/plot_panel.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/export/plot_frame.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_hover.h"
#include "app/panels/plot_interaction.h"
#include "app/panels/plot_legend.h"
#include "app/panels/subtitle.h"
#include "app/panels/window_canvas.h"
#include "core/figure/axis.h"
#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

constexpr float kLeastWidth = 60;
constexpr float kLeastHeight = 40;
// Below this there is no room for the names of axes.
constexpr float kNamedWidth = 240;
constexpr float kNamedHeight = 140;

// The points at these x by themselves, as rings without a line.
void set_apart(LinePlot& plot, std::span<const double> outdated) {
  if (outdated.empty()) return;
  const std::vector<Series> all = std::exchange(plot.series, {});
  for (const Series& series : all) {
    Series current = series;
    Series old = series;
    for (Series* part : {&current, &old})
      part->x.clear(), part->y.clear(), part->low.clear(), part->high.clear();
    old.line = LineStyle::kNone;
    old.mark = Mark::kRing;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      const bool late = std::ranges::find(outdated, series.x[i]) != outdated.end();
      Series& part = late ? old : current;
      part.x.push_back(series.x[i]);
      part.y.push_back(series.y[i]);
      if (late || i >= series.low.size() || i >= series.high.size()) continue;
      part.low.push_back(series.low[i]);
      part.high.push_back(series.high[i]);
    }
    plot.series.push_back(std::move(current));
    plot.series.push_back(std::move(old));
  }
}

void paint_marked(Canvas& canvas, const LinePlot& plot, const Rect& inside, double marked,
                  const DrawOptions& draw_options) {
  if (!(marked > 0) || beyond(plot.x, marked)) return;
  const double x = Scales(plot.x, plot.y, inside).x(marked);
  canvas.hairline({x, inside.y}, {x, inside.bottom()}, draw_options.palette.muted);
}

// The panel's title line and legend; what follows is the room for the plot.
void begin_plot_panel(PanelState& state, const char* id, const LinePlot& plot, FigureZoom& zoom,
                      ImVec2 size) {
  Painter& painter = state.painter;
  const std::string title = plot.title.empty() ? id : plot.title;
  const float legend = legend_width(painter, plot);
  const float title_room =
      size.x - painter.px(28) - measure(painter, TextStyle::kTitle, title).x - painter.px(14);
  const std::string whole = painted_subtitle(plot);
  std::string subtitle = subtitle_that_fits(painter, whole, title_room - legend);
  // Rather than the unit or a note, the legend goes: to lines of its own.
  const bool told = whole.find(';') == std::string::npos || subtitle == whole;
  const bool beside = told && (!subtitle.empty() || whole.empty()) && legend <= title_room;
  if (!beside) subtitle = subtitle_that_fits(painter, whole, title_room);
  begin_panel(painter, id, size, title, subtitle, beside ? legend : 0);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_legend(state, zoom, plot, {start.x, start.y - (beside ? painter.px(24) : painter.px(2))},
              width);
  if (!beside) ImGui::Dummy({0, legend_height(painter, plot, width) - painter.px(4)});
}

std::optional<double> draw_plot(PanelState& state, const char* id, const LinePlot& own,
                                const LinePlot& shown, FigureZoom& zoom,
                                const PlotOptions& options) {
  Painter& painter = state.painter;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < painter.px(kLeastWidth) || room.y < painter.px(kLeastHeight)) return std::nullopt;
  const bool named =
      options.axis_names && room.x >= painter.px(kNamedWidth) && room.y >= painter.px(kNamedHeight);
  const DrawOptions draw_options = window_look(painter, named);
  WindowCanvas canvas(painter, state.textures, options.alpha);
  const Rect area = logical(painter, ImGui::GetCursorScreenPos(), room);
  const ShownAxes axes = {own.title, own.x,
                          own.y,     shown.x,
                          shown.y,   fitted_frame(canvas, shown.x, shown.y, area, draw_options)};
  const PlotPointer pointer =
      move_axes(state, zoom, axes, area, ("axes " + std::string(id)).c_str(), options.scrolls);
  LinePlot painted = shown;
  set_apart(painted, options.outdated);
  paint_curves(canvas, painted, axes.frame, draw_options);
  paint_marked(canvas, shown, axes.frame.inside, options.marked, draw_options);
  paint_pointer(canvas, axes, pointer, draw_options);
  return hover_plot(painter, shown, axes.frame.inside, pointer);
}

}  // namespace

std::optional<double> draw_plot_panel(PanelState& state, const char* id, const LinePlot& plot,
                                      FigureZoom& zoom, const PlotOptions& options, ImVec2 size) {
  const LinePlot shown = zoomed(plot, zoom);
  LinePlot own = shown;
  own.x = widened(plot.x);
  own.y = widened(plot.y);
  begin_plot_panel(state, id, own, zoom, size);
  const auto clicked = draw_plot(state, id, own, shown, zoom, options);
  end_panel();
  return clicked;
}

}  // namespace dispersion
