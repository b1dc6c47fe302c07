#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "app/export/figure_painter.h"
#include "app/palette/value_colour.h"
#include "core/figure/field_image.h"

namespace dispersion {
namespace {

constexpr double kHeadingLine = 26;
constexpr double kHeadingBelow = 20;  // space below the heading
constexpr double kFrameHeight = 150;
constexpr double kLeastFrameWidth = 30;  // which a caption needs
constexpr double kStripTitleWidth = 122;
constexpr double kFrameGap = 7;
constexpr double kFrameTitleHeight = 20;
constexpr double kCaptionHeight = 36;
constexpr double kLastCaptionHeight = 24;  // of the captions below the last strip
constexpr double kBarWidth = 180;
constexpr double kLeastBarWidth = 60;
constexpr double kBarHeight = 10;
constexpr int kBarColours = 256;
constexpr double kBetweenTicks = 4;  // least space between two tick labels

std::vector<Colour> colours_of(const Heatmap& map, const HeatmapGrid& grid,
                               const Palette& palette) {
  std::vector<Colour> colours;
  colours.reserve(map.values.size());
  for (const float value : map.values) {
    colours.push_back(value_colour(
        grid, colour_position(grid.scale, static_cast<double>(value), grid.low, grid.high),
        palette));
  }
  return colours;
}

// The width of the colour bar with its name to the left and its limits at both ends.
double bar_width(const Canvas& canvas, const HeatmapGrid& grid, const DrawOptions& options) {
  const std::vector<Tick> ticks = bar_ticks(grid);
  double width = kBarWidth + 28;
  for (const std::string& text : {ticks.front().label, ticks.back().label, grid.value_label})
    width += canvas.text_width(text, options.muted());
  return width;
}

// Writes the labels of the inner ticks below the bar, without those that would touch the one
// before.
void paint_inner_ticks(Canvas& canvas, const HeatmapGrid& grid, std::span<const Tick> ticks,
                       Rect bar, const DrawOptions& options) {
  const Lettering style = options.small(options.palette.muted, Align::kCentre);
  double taken = bar.x - kBarWidth;
  for (const Tick& tick : ticks) {
    const double x =
        bar.x + bar.width * colour_position(grid.scale, tick.value, grid.low, grid.high);
    const double half = canvas.text_width(tick.label, style) / 2;
    if (x - half < taken) continue;
    canvas.text({x, bar.bottom() + 13}, tick.label, style);
    taken = x + half + kBetweenTicks;
  }
}

// Paints the colour bar at the right of `area`, centred vertically on `middle`. It becomes shorter
// if the area is too narrow.
void paint_colour_bar(Canvas& canvas, const HeatmapGrid& grid, Rect area, double middle,
                      const DrawOptions& options) {
  const double too_wide = bar_width(canvas, grid, options) - area.width;
  const double length = std::clamp(kBarWidth - too_wide, kLeastBarWidth, kBarWidth);
  const std::vector<Tick> ticks = bar_ticks(grid);
  const std::string& low = ticks.front().label;
  const std::string& high = ticks.back().label;
  const double baseline = middle + 4.5;
  canvas.text({area.right(), baseline}, high, options.muted(Align::kRight));
  const Rect bar = {area.right() - canvas.text_width(high, options.muted()) - 8 - length,
                    middle - kBarHeight / 2, length, kBarHeight};
  std::vector<Colour> colours;
  for (int i = 0; i < kBarColours; ++i) {
    // The bar shows the colours at equal steps; its name says how the values are scaled to them.
    colours.push_back(value_colour(grid, (i + 0.5) / kBarColours, options.palette));
  }
  canvas.image(bar, 1, kBarColours, colours);
  paint_inner_ticks(canvas, grid, std::span(ticks).subspan(1, ticks.size() - 2), bar, options);
  canvas.text({bar.x - 8, baseline}, low, options.muted(Align::kRight));
  canvas.text({bar.x - 8 - canvas.text_width(low, options.muted()) - 12, baseline},
              grid.value_label, options.muted(Align::kRight));
}

void paint_strip(Canvas& canvas, const HeatmapGrid& grid, const HeatmapStrip& strip, Rect frames,
                 double frame_width, bool with_titles, const DrawOptions& options) {
  const Colour colour = role_colour(options.palette, strip.role);
  const double title_x = frames.x - kStripTitleWidth;
  canvas.text({title_x, frames.y + 14}, strip.title, options.strong(colour));
  canvas.text({title_x, frames.y + 33}, strip.subtitle, options.muted());
  if (!grid.caption_label.empty()) {
    canvas.text({title_x, frames.bottom() + 18}, grid.caption_label, options.muted());
  }
  if (with_titles) canvas.text({title_x, frames.y - 8}, grid.frame_label, options.muted());
  double x = frames.x;
  for (const Heatmap& map : strip.frames) {
    const Rect frame = {x, frames.y, frame_width, frames.height};
    const double centre = x + frame_width / 2;
    if (with_titles) {
      canvas.text({centre, frame.y - 8}, map.title,
                  options.small(options.palette.text, Align::kCentre));
    }
    if (map.values.empty()) {
      canvas.fill(frame, options.palette.raised);
    } else {
      canvas.image(frame, map.rows, map.columns, colours_of(map, grid, options.palette));
    }
    canvas.text({centre, frame.bottom() + 18}, map.caption, options.small(colour, Align::kCentre));
    x += frame_width + kFrameGap;
  }
}

// The lines on which the subtitle and the colour bar stand; the title is on line 0. As many of the
// three as fit share a line.
struct Heading {
  int subtitle = 0;
  int bar = 0;
  double height() const { return kHeadingLine * (std::max(subtitle, bar) + 1) + kHeadingBelow; }
};

Heading heading_of(const Canvas& canvas, const HeatmapGrid& grid, double width,
                   const DrawOptions& options) {
  const double title = canvas.text_width(grid.title, options.heading()) + 16;
  const double subtitle = canvas.text_width(grid.subtitle, options.muted()) + 24;
  const double bar = bar_width(canvas, grid, options);
  if (title + subtitle + bar <= width) return {0, 0};
  if (title + subtitle <= width) return {0, 1};
  if (subtitle + bar <= width) return {1, 1};
  return {1, 2};
}

// The height of the captions of all strips together.
double captions_height(const HeatmapGrid& grid) {
  const double strips = static_cast<double>(std::max<std::size_t>(1, grid.strips.size()));
  return (strips - 1) * kCaptionHeight + kLastCaptionHeight;
}

}  // namespace

double least_grid_width(const HeatmapGrid& grid) {
  std::size_t frames = 1;
  for (const HeatmapStrip& strip : grid.strips)
    frames = std::max(frames, strip.frames.size());
  return kStripTitleWidth + static_cast<double>(frames) * (kLeastFrameWidth + kFrameGap);
}

double grid_height(const Canvas& canvas, const HeatmapGrid& grid, double width,
                   const DrawOptions& options) {
  return heading_of(canvas, grid, width, options).height() + kFrameTitleHeight +
         static_cast<double>(grid.strips.size()) * kFrameHeight + captions_height(grid);
}

void paint_heatmap_grid(Canvas& canvas, const HeatmapGrid& grid, Rect area,
                        const DrawOptions& options) {
  const Heading heading = heading_of(canvas, grid, area.width, options);
  canvas.text({area.x, area.y + 18}, grid.title, options.heading());
  const double beside = canvas.text_width(grid.title, options.heading()) + 16;
  canvas.text({heading.subtitle == 0 ? area.x + beside : area.x,
               area.y + 18 + kHeadingLine * heading.subtitle},
              grid.subtitle, options.muted());
  paint_colour_bar(canvas, grid, area, area.y + 13 + kHeadingLine * heading.bar, options);

  std::size_t most_frames = 1;
  for (const HeatmapStrip& strip : grid.strips)
    most_frames = std::max(most_frames, strip.frames.size());
  const double frames_x = area.x + kStripTitleWidth;
  const double frame_width =
      (area.right() - frames_x + kFrameGap) / static_cast<double>(most_frames) - kFrameGap;
  const double strips = static_cast<double>(std::max<std::size_t>(1, grid.strips.size()));
  const double top = area.y + heading.height() + kFrameTitleHeight;
  const double height = (area.bottom() - top - captions_height(grid)) / strips;
  double y = top;
  for (const HeatmapStrip& strip : grid.strips) {
    const Rect frames = {frames_x, y, area.right() - frames_x, height};
    paint_strip(canvas, grid, strip, frames, frame_width, &strip == &grid.strips.front(), options);
    y += height + kCaptionHeight;
  }
}

}  // namespace dispersion
