#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/plot_marks.h"
#include "app/panels/plot_painter.h"
#include "app/window/theme.h"
#include "core/figure/field_image.h"

namespace dispersion {
namespace {

constexpr float kKey = 22;  // the line or square, and the air before the name
constexpr float kGap = 14;
constexpr float kLine = 18;

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

void draw_key(const Painter& painter, const Entry& entry, ImVec2 left) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = packed(entry.value);
  const ImVec2 ends[2] = {left, {left.x + painter.px(16), left.y}};
  if (entry.series == nullptr) {
    list->AddRectFilled({left.x + painter.px(3), left.y - painter.px(5)},
                        {left.x + painter.px(13), left.y + painter.px(5)}, ink);
    return;
  }
  if (entry.series->line == LineStyle::kSolid)
    list->AddLine(ends[0], ends[1], ink, 1.75F * painter.scale);
  if (entry.series->line == LineStyle::kDashed)
    draw_dashes(list, ends, ink, 1.75F * painter.scale, 4 * painter.scale);
  if (entry.series->markers)
    draw_mark(list, entry.series->mark, {left.x + painter.px(8), left.y}, painter.px(3), ink,
              1.4F * painter.scale);
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

void draw_legend(const Painter& painter, const LinePlot& plot, ImVec2 corner, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
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
    draw_key(painter, entry, {x, y + painter.px(8)});
    const std::string name =
        fitted(painter, TextStyle::kSmall, entry.name, corner.x + width - x - painter.px(kKey) + 1);
    draw_text(painter, list, {x + painter.px(kKey), y}, TextStyle::kSmall,
              entry.series == nullptr ? painter.palette->muted : entry.value, name);
    x += own;
  }
}

}  // namespace dispersion
