#include "app/panels/plot_legend.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/export/figure_painter.h"
#include "app/panels/window_canvas.h"
#include "app/window/theme.h"
#include "core/figure/axis.h"

namespace dispersion {
namespace {

constexpr float kKey = 24;  // the line or square, and the air before the name
constexpr float kGap = 14;
constexpr float kLine = 18;
constexpr float kHiddenAlpha = 0.4F;

struct Entry {
  std::string name;
  Colour value;
  const Series* series = nullptr;  // null: bars
};

// Whether anything of the curve can be seen.
bool seen(const LinePlot& plot, const Series& series) {
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const double share = axis_share(plot.y, series.y[i]);
    if (std::isfinite(series.x[i]) && share >= 0 && share <= 1) return true;
  }
  return false;
}

std::vector<Entry> entries(const Painter& painter, const LinePlot& plot) {
  const std::vector<Colour> colours = series_colours(*painter.palette, plot.series);
  std::vector<Entry> result;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    if (!plot.series[i].name.empty() && seen(plot, plot.series[i]))
      result.push_back({plot.series[i].name, colours[i], &plot.series[i]});
  }
  for (const Bars& bars : plot.bars) {
    if (!bars.name.empty()) result.push_back({bars.name, bar_colour(*painter.palette, bars)});
  }
  return result;
}

float entry_width(const Painter& painter, const Entry& entry) {
  return measure(painter, TextStyle::kSmall, entry.name).x + painter.px(kKey + kGap);
}

// A curve's own line and mark, or a square of the bars' colour.
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

// Whether the name of a curve was clicked.
bool clicked(const Painter& painter, const Entry& entry, ImVec2 corner, float width) {
  if (entry.series == nullptr) return false;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(corner);
  const bool pressed = ImGui::InvisibleButton(("legend " + entry.name).c_str(),
                                              {std::max(width, 1.0F), painter.px(kLine)});
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::SetCursorScreenPos(cursor);
  return pressed;
}

}  // namespace

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
    if (clicked(painter, entry, {x, y}, own - painter.px(kGap)))
      toggle_series(zoom, plot.title, entry.name);
    x += own;
  }
}

}  // namespace dispersion
