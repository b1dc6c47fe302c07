#include <algorithm>
#include <string>
#include <vector>

#include "app/export/figure_painter.h"

namespace dispersion {
namespace {

constexpr double kHeadingHeight = 46;
constexpr double kStripTitleWidth = 122;
constexpr double kFrameGap = 7;
constexpr double kFrameTitleHeight = 20;
constexpr double kCaptionHeight = 36;
constexpr double kBarWidth = 180;
constexpr double kBarHeight = 10;
constexpr int kBarColours = 256;
constexpr double kBarTicks[] = {0.1, 0.5};  // of the range, besides its ends

std::vector<Colour> colours_of(const Heatmap& map, const HeatmapGrid& grid) {
  std::vector<Colour> colours;
  colours.reserve(map.values.size());
  for (const float value : map.values) {
    colours.push_back(
        viridis(colour_position(grid.scale, static_cast<double>(value), grid.low, grid.high)));
  }
  return colours;
}

std::string limit_text(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// With its name to the left and its limits at both ends; ends at `right`, centred on `middle`.
void paint_colour_bar(Canvas& canvas, const HeatmapGrid& grid, double right, double middle,
                      const Look& look) {
  const std::string high = limit_text(grid.high);
  const std::string low = limit_text(grid.low);
  const double baseline = middle + 4.5;
  canvas.text({right, baseline}, high, look.muted(Align::kRight));
  const Rect bar = {right - canvas.text_width(high, look.muted()) - 8 - kBarWidth,
                    middle - kBarHeight / 2, kBarWidth, kBarHeight};
  std::vector<Colour> colours;
  for (int i = 0; i < kBarColours; ++i) {
    // Along the bar values grow evenly in position, so that it shows every colour; the name says
    // how.
    colours.push_back(viridis((i + 0.5) / kBarColours));
  }
  canvas.image(bar, 1, kBarColours, colours);
  for (const double share : kBarTicks) {
    const double value = grid.low + share * (grid.high - grid.low);
    const double x = bar.x + bar.width * colour_position(grid.scale, value, grid.low, grid.high);
    canvas.text({x, bar.bottom() + 13}, limit_text(value),
                look.small(look.palette.muted, Align::kCentre));
  }
  canvas.text({bar.x - 8, baseline}, low, look.muted(Align::kRight));
  canvas.text({bar.x - 8 - canvas.text_width(low, look.muted()) - 12, baseline}, grid.value_label,
              look.muted(Align::kRight));
}

void paint_strip(Canvas& canvas, const HeatmapGrid& grid, const HeatmapStrip& strip, Rect frames,
                 double frame_width, bool with_titles, const Look& look) {
  const Colour colour = role_colour(look.palette, strip.role);
  const double title_x = frames.x - kStripTitleWidth;
  canvas.text({title_x, frames.y + 14}, strip.title, look.strong(colour));
  canvas.text({title_x, frames.y + 33}, strip.subtitle, look.muted());
  if (!grid.caption_label.empty()) {
    canvas.text({title_x, frames.bottom() + 18}, grid.caption_label, look.muted());
  }
  double x = frames.x;
  for (const Heatmap& map : strip.frames) {
    const Rect frame = {x, frames.y, frame_width, frames.height};
    const double centre = x + frame_width / 2;
    if (with_titles) {
      canvas.text({centre, frame.y - 8}, map.title, look.small(look.palette.text, Align::kCentre));
    }
    if (map.values.empty()) {
      canvas.fill(frame, look.palette.raised);
    } else {
      canvas.image(frame, map.rows, map.columns, colours_of(map, grid));
    }
    canvas.text({centre, frame.bottom() + 18}, map.caption, look.small(colour, Align::kCentre));
    x += frame_width + kFrameGap;
  }
}

}  // namespace

void paint_heatmap_grid(Canvas& canvas, const HeatmapGrid& grid, Rect area, const Look& look) {
  canvas.text({area.x, area.y + 18}, grid.title, look.heading());
  canvas.text({area.x + canvas.text_width(grid.title, look.heading()) + 16, area.y + 18},
              grid.subtitle, look.muted());
  paint_colour_bar(canvas, grid, area.right(), area.y + 13, look);

  std::size_t most_frames = 1;
  for (const HeatmapStrip& strip : grid.strips)
    most_frames = std::max(most_frames, strip.frames.size());
  const double frames_x = area.x + kStripTitleWidth;
  const double frame_width =
      (area.right() - frames_x + kFrameGap) / static_cast<double>(most_frames) - kFrameGap;
  const double strips = static_cast<double>(std::max<std::size_t>(1, grid.strips.size()));
  const double top = area.y + kHeadingHeight + kFrameTitleHeight;
  const double height = (area.bottom() - top) / strips - kCaptionHeight;
  double y = top;
  for (const HeatmapStrip& strip : grid.strips) {
    const Rect frames = {frames_x, y, area.right() - frames_x, height};
    paint_strip(canvas, grid, strip, frames, frame_width, &strip == &grid.strips.front(), look);
    y += height + kCaptionHeight;
  }
}

}  // namespace dispersion
