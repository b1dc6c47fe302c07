#include "app/panels/figure_panels.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/export/figure_painter.h"
#include "app/export/plot_frame.h"
#include "app/panels/data_table_panel.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/marks.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_interaction.h"
#include "app/panels/plot_values.h"
#include "app/panels/window_canvas.h"
#include "app/window/theme.h"
#include "core/figure/axis.h"
#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

constexpr float kKey = 24;  // the line or square with the space before the name
constexpr float kGap = 14;
constexpr float kLine = 18;
constexpr float kHiddenAlpha = 0.4F;

// An entry of the legend.
struct Entry {
  std::string name;  // in the legend
  Colour value;
  const Series* series = nullptr;  // null for bars
};

// Whether any point of the curve lies within the shown limits of the y axis.
bool visible(const LinePlot& plot, const Series& series) {
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const double share = axis_share(plot.y, series.y[i]);
    if (std::isfinite(series.x[i]) && share >= 0 && share <= 1) return true;
  }
  return false;
}

std::vector<Entry> entries(const Painter& painter, const LinePlot& plot) {
  const std::vector<Colour> colours = series_colours(*painter.palette, plot.series);
  std::vector<std::size_t> named;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (plot.series[i].name.empty() || !visible(plot, plot.series[i])) continue;
    named.push_back(i);
    names.push_back(plot.series[i].name);
  }
  std::vector<Entry> result;
  for (const LegendKey& key : legend_keys(names)) {
    const std::size_t i = named[key.curve];
    result.push_back({key.name, colours[i], &plot.series[i]});
  }
  for (const Bars& bars : plot.bars) {
    if (!bars.name.empty()) result.push_back({bars.name, bar_colour(*painter.palette, bars)});
  }
  return result;
}

float entry_width(const Painter& painter, const Entry& entry) {
  return measure(painter, TextStyle::kSmall, entry.name).x + painter.px(kKey + kGap);
}

// The line and marker of a curve, or a square in the colour of the bars, and the name.
void draw_entry(PanelState& state, const Entry& entry, ImVec2 corner, const std::string& name) {
  const Painter& painter = state.painter;
  const bool hidden = entry.series != nullptr && entry.series->hidden;
  WindowCanvas canvas(painter, state.textures, hidden ? kHiddenAlpha : 1);
  const Rect at = logical(painter, corner, {});
  if (entry.series == nullptr) {
    canvas.fill({at.x + 3, at.y + 3, 10, 10}, entry.value);
  } else {
    paint_key(canvas, *entry.series, entry.value, {at.x, at.y + 12.5});
  }
  draw_text(painter, ImGui::GetWindowDrawList(), {corner.x + painter.px(kKey), corner.y},
            TextStyle::kSmall, entry.series == nullptr ? painter.palette->muted : entry.value, name,
            hidden ? kHiddenAlpha : 1);
}

// Whether the entry was clicked; bars cannot be.
bool entry_clicked(const Painter& painter, const Entry& entry, ImVec2 corner, float width) {
  if (entry.series == nullptr) return false;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(corner);
  const bool pressed =
      ImGui::InvisibleButton(("legend " + entry.series->name).c_str(),
                             {std::max(width, 1.0F), painter.px(kLine)}, kFocusable);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::SetCursorScreenPos(cursor);
  return pressed;
}

// Width of the legend in one line, and its height when it is wrapped to this width.
float legend_width(const Painter& painter, const LinePlot& plot) {
  float width = 0;
  for (const Entry& entry : entries(painter, plot))
    width += entry_width(painter, entry);
  return width;
}

float legend_height(const Painter& painter, const LinePlot& plot, float width) {
  float x = 0;
  int lines = 1;
  const std::vector<Entry> all = entries(painter, plot);
  if (all.empty()) return 0;
  for (const Entry& entry : all) {
    const float own = entry_width(painter, entry);
    if (x > 0 && x + own > width + painter.px(kGap)) {
      x = 0;
      ++lines;
    }
    x += own;
  }
  return painter.px(kLine) * static_cast<float>(lines);
}

// The names of curves and bars with their colours: right-aligned in one line or, where that is too
// narrow, from the left in several. A click on a curve's name hides or shows the curve.
void draw_legend(PanelState& state, FigureZoom& zoom, const LinePlot& plot, ImVec2 corner,
                 float width) {
  const Painter& painter = state.painter;
  const std::vector<Entry> all = entries(painter, plot);
  const float whole = legend_width(painter, plot) - painter.px(kGap);
  const bool one_line = whole <= width;
  const float left = one_line ? corner.x + width - whole : corner.x;
  float x = left;
  float y = corner.y;
  for (const Entry& entry : all) {
    const float own = entry_width(painter, entry);
    if (!one_line && x > left && x + own > left + width + painter.px(kGap)) {
      x = left;
      y += painter.px(kLine);
    }
    const std::string name =
        fitted(painter, TextStyle::kSmall, entry.name, corner.x + width - x - painter.px(kKey) + 1);
    draw_entry(state, entry, {x, y}, name);
    if (entry_clicked(painter, entry, {x, y}, own - painter.px(kGap)))
      toggle_series(zoom, plot.title, entry.series->name);
    x += own;
  }
}

constexpr float kLeastWidth = 60;
constexpr float kLeastHeight = 40;
// What a panel needs beside lines of the legend.
constexpr float kLegendHeight = 110;
// In a smaller panel the axes have no names.
constexpr float kNamedWidth = 240;
constexpr float kNamedHeight = 140;
// To the right of the axes, in logical pixels, whatever the last tick label, so that zooming does
// not move them. With the margin of the panel there is room for half of "100 000 000".
constexpr double kRightMargin = 22;

// Splits every curve in two: the current points, and the outdated points as rings without a line.
// Dashed curves, of the paper or of a pinned state, have no age.
void separate_outdated(LinePlot& plot, std::span<const OldPoint> outdated) {
  if (outdated.empty()) return;
  const std::vector<Series> all = std::exchange(plot.series, {});
  for (const Series& series : all) {
    if (series.line == LineStyle::kDashed) {
      plot.series.push_back(series);
      continue;
    }
    Series current = series;
    Series old = series;
    for (Series* part : {&current, &old})
      part->x.clear(), part->y.clear(), part->low.clear(), part->high.clear();
    old.line = LineStyle::kNone;
    old.mark = Mark::kRing;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      const bool is_old = std::ranges::find(outdated, series.x[i], &OldPoint::x) != outdated.end();
      Series& part = is_old ? old : current;
      part.x.push_back(series.x[i]);
      part.y.push_back(series.y[i]);
      if (is_old || i >= series.low.size() || i >= series.high.size()) continue;
      part.low.push_back(series.low[i]);
      part.high.push_back(series.high[i]);
    }
    plot.series.push_back(std::move(current));
    plot.series.push_back(std::move(old));
  }
}

// The vertical line at the marked x.
void paint_marked(Canvas& canvas, const LinePlot& plot, const Rect& inside, double marked,
                  Colour value) {
  if (!(marked > 0) || beyond(plot.x, marked)) return;
  const double x = Scales(plot.x, plot.y, inside).x(marked);
  canvas.hairline({x, inside.y}, {x, inside.bottom()}, value);
}

// Begins the panel with its title row and the legend; the rest of it is for the plot. Returns
// whether it shows the numbers as a table.
bool begin_plot_panel(PanelState& state, const char* id, const LinePlot& plot, FigureZoom& zoom,
                      ImVec2 size) {
  Painter& painter = state.painter;
  const std::string title = plot.title.empty() ? id : plot.title.text();
  const float legend = legend_width(painter, plot);
  const float kept = table_switch_width(painter);
  const float title_room = size.x - painter.px(28) - kept -
                           measure(painter, TextStyle::kTitle, title).x - painter.px(14);
  const std::string whole = painted_subtitle(plot);
  std::string subtitle = subtitle_that_fits(painter, whole, title_room - legend);
  // If a note or what the numbers are of would be cut, the legend moves to lines of its own.
  const std::size_t note = whole.find(';');
  const bool note_kept = note == std::string::npos || subtitle.ends_with(whole.substr(note));
  const bool least_kept = subtitle.size() >= least_subtitle(whole).size();
  // The data come first: where lines of the legend would leave them no room, it stays in the title
  // row, or there is none.
  const bool low =
      size.y - legend_height(painter, plot, size.x - painter.px(28)) < painter.px(kLegendHeight);
  const bool beside =
      legend <= title_room && (low ? !subtitle.empty() || whole.empty() : note_kept && least_kept);
  const bool below = !beside && !low;
  if (!beside) subtitle = subtitle_that_fits(painter, whole, title_room);
  begin_panel(painter, id, size, title, subtitle, kept + (beside ? legend : 0));
  // The headings of a table name its columns.
  const bool table = table_switch(state, panel_key(id, plot.title));
  if (table || (!beside && !below)) return table;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_legend(state, zoom, plot, {start.x, start.y - (beside ? painter.px(24) : painter.px(2))},
              beside ? width - kept : width);
  if (!beside) ImGui::Dummy({0, legend_height(painter, plot, width) - painter.px(4)});
  return table;
}

std::optional<double> draw_plot(PanelState& state, const char* id, const LinePlot& own,
                                const LinePlot& shown, FigureZoom& zoom,
                                const PlotOptions& options) {
  Painter& painter = state.painter;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < painter.px(kLeastWidth) || room.y < painter.px(kLeastHeight)) return std::nullopt;
  const bool named =
      options.axis_names && room.x >= painter.px(kNamedWidth) && room.y >= painter.px(kNamedHeight);
  DrawOptions draw_options = window_look(painter, named);
  draw_options.marked_x = options.marked;
  WindowCanvas canvas(painter, state.textures, options.alpha);
  const Rect area = logical(painter, ImGui::GetCursorScreenPos(), room);
  const std::string item = "axes " + std::string(id);
  PlotFrame fitted = fitted_frame(canvas, shown.x, shown.y, area, draw_options);
  fitted.inside.width = std::max(1.0, area.right() - kRightMargin - fitted.inside.x);
  const ShownAxes axes = {own.title, own.x,   own.y,
                          shown.x,   shown.y, steady_frame(state, item.c_str(), fitted)};
  const PlotPointer pointer = move_axes(state, zoom, axes, area, item.c_str(), options.scrolls);
  LinePlot painted = shown;
  separate_outdated(painted, options.outdated);
  paint_curves(canvas, painted, axes.frame, draw_options);
  paint_marked(canvas, shown, axes.frame.inside, options.marked, draw_options.palette.muted);
  paint_marked(canvas, shown, axes.frame.inside, marked_on(state.marked, shown.x),
               draw_options.palette.text);
  paint_pointer(canvas, axes, pointer, draw_options);
  if (pointer.hovered)
    point_at(state, shown.x, (pointer.at.x - axes.frame.inside.x) / axes.frame.inside.width);
  explain_axis(painter, axes, pointer);
  return hover_plot(painter, shown, axes.frame.inside, pointer, options.outdated);
}

}  // namespace

std::optional<double> draw_plot_panel(PanelState& state, const char* id, const LinePlot& plot,
                                      FigureZoom& zoom, const PlotOptions& options, ImVec2 size) {
  const LinePlot shown = zoomed(plot, zoom);
  LinePlot own = shown;
  own.x = widened(plot.x);
  own.y = widened(plot.y);
  std::optional<double> clicked;
  if (begin_plot_panel(state, id, own, zoom, size)) {
    draw_data_table(state, panel_key(id, plot.title),
                    options.table != nullptr ? *options.table : table_source(shown));
  } else {
    clicked = draw_plot(state, id, own, shown, zoom, options);
  }
  end_panel();
  return clicked;
}

}  // namespace dispersion
