#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/export/plot_frame.h"
#include "app/export/surface_layout.h"
#include "app/palette/value_colour.h"
#include "core/figure/field_image.h"
#include "core/figure/surface.h"

namespace dispersion {
namespace {

constexpr double kBarWidth = 12;
constexpr double kBarGap = 18;
constexpr double kBarLabelGap = 7;
constexpr double kBarSpace = 84;  // for the colour bar, its gap and its labels
constexpr int kBarColours = 256;
constexpr double kNameHeight = 18;      // of the name of the values
constexpr double kInsideAspect = 0.46;  // ratio of height to width that suits a field
constexpr double kHighestInside = 330;

void paint_colour_bar(Canvas& canvas, const FieldPlot& plot, Rect bar, const DrawOptions& options) {
  std::vector<Colour> colours;
  for (int i = 0; i < kBarColours; ++i)
    colours.push_back(value_colour(plot, 1 - (i + 0.5) / kBarColours, options.palette));
  canvas.image(bar, kBarColours, 1, colours);
  for (const Tick& tick : scale_ticks(plot.scale, plot.low, plot.high)) {
    const double share = colour_position(plot.scale, tick.value, plot.low, plot.high);
    canvas.text({bar.right() + kBarLabelGap, bar.bottom() - share * bar.height + 4.5}, tick.label,
                options.muted());
  }
}

// Writes the name of a curve to the right of its middle, above the curve.
void paint_overlay_name(Canvas& canvas, const std::string& name, Point middle,
                        const Scales& scales) {
  const Rect& inside = scales.inside();
  const Lettering bright = {13, rgb(0xFFFFFF)};
  const double width = canvas.text_width(name, bright);
  if (width > inside.width || inside.height < kNameHeight) return;
  const Point at = {std::clamp(middle.x + 6, inside.x, inside.right() - width),
                    std::clamp(middle.y - 6, inside.y + kNameHeight - 5, inside.bottom() - 5)};
  canvas.text({at.x + 1, at.y + 1}, name, {13, rgb(0x101010)});
  canvas.text(at, name, bright);
}

void paint_overlay(Canvas& canvas, const FieldPlot& plot, const Scales& scales,
                   const DrawOptions& options) {
  const Canvas::Clip clip(canvas, scales.inside());
  for (const Series& series : plot.overlay) {
    const std::vector<Point> points = line_places(scales, series.x, series.y);
    // A bright line on a wider dark one is visible on every colour of the map.
    canvas.polyline(points, rgb(0x101010), 3.4);
    if (series.line == LineStyle::kDashed) {
      canvas.dashed_line(points, rgb(0xFFFFFF), 1.8);
    } else {
      canvas.polyline(points, rgb(0xFFFFFF), 1.8);
    }
  }
  if (!options.overlay_names) return;
  for (const Series& series : plot.overlay) {
    const std::vector<Point> points = places(scales, series.x, series.y);
    if (!points.empty()) paint_overlay_name(canvas, series.name, points[points.size() / 2], scales);
  }
}

Colour shaded(Colour colour, double light) {
  return mix({0, 0, 0}, colour, static_cast<float>(light));
}

}  // namespace

PlotFrame fitted_frame(const Canvas& canvas, const FieldPlot& plot, Rect area,
                       const DrawOptions& options) {
  double widest = 0;
  for (const Tick& tick : scale_ticks(plot.scale, plot.low, plot.high))
    widest = std::max(widest, canvas.text_width(tick.label, options.muted()));
  area.width -= kBarGap + kBarWidth + kBarLabelGap + widest;
  return fitted_frame(canvas, plot.x, plot.y, area, options);
}

void paint_map(Canvas& canvas, const FieldPlot& plot, const PlotFrame& frame,
               const DrawOptions& options) {
  const FieldImage image = field_image(plot);
  if (image.rows == 0) return;
  const Scales scales(plot.x, plot.y, frame.inside);
  const Rect inside = scales.inside();
  canvas.fill(inside, options.palette.raised);
  std::vector<Colour> colours;
  colours.reserve(image.position.size());
  for (const float position : image.position)
    colours.push_back(value_colour(plot, static_cast<double>(position), options.palette));
  {
    const Canvas::Clip clip(canvas, inside);
    const Rect where = {
        inside.x + image.left * inside.width, inside.bottom() - image.top * inside.height,
        (image.right - image.left) * inside.width, (image.top - image.bottom) * inside.height};
    canvas.image(where, image.rows, image.columns, colours);
  }
  paint_axes(canvas, plot.x, plot.y, scales, frame.axis_width, false, options);
  paint_overlay(canvas, plot, scales, options);
  paint_colour_bar(canvas, plot, {inside.right() + kBarGap, inside.y, kBarWidth, inside.height},
                   options);
}

PaintedSurface paint_surface(Canvas& canvas, const FieldPlot& plot, Rect area,
                             const DrawOptions& options) {
  Surface surface = project_surface(plot, options.view, options.surface_samples);
  if (!surface.upright) {
    // Seen from so steeply above, the axis of the values is too short to be read, so a colour bar
    // takes its place.
    canvas.text({area.right(), area.y + 4}, scale_label(plot), options.muted(Align::kRight));
    area.y += kNameHeight;
    area.height -= kNameHeight;
    area.width -= kBarSpace;
    paint_colour_bar(canvas, plot,
                     {area.right() + kBarGap, area.y, kBarWidth, area.height - kAxisHeight},
                     options);
  }
  SurfaceLayout layout = surface_layout(canvas, surface, area, options);
  const auto corners = [&](const std::array<SurfacePoint, 4>& from) {
    std::vector<Point> points;
    for (const SurfacePoint& p : from)
      points.push_back(layout.place(p));
    return points;
  };
  for (const auto& wall : surface.walls)
    canvas.polygon(corners(wall), options.palette.raised, 0.6);
  for (const SurfaceLine& line : surface.grid) {
    const std::vector<Point> ends = {layout.place(line.from), layout.place(line.to)};
    canvas.polyline(ends, options.palette.line, 0.8);
  }
  for (const SurfaceFace& face : surface.faces)
    canvas.facet(corners(face.corner),
                 shaded(value_colour(plot, face.position, options.palette), face.light));
  for (const SurfaceLabel& label : layout.labels)
    canvas.text(label.at, label.text, label.style);
  return {std::move(surface), std::move(layout)};
}

double field_height(const Canvas& canvas, const FieldPlot& plot, double width,
                    const DrawOptions& options) {
  const double inside = options.plot_height * std::min(kInsideAspect * width, kHighestInside);
  return heading_height(canvas, plot.title, plot.subtitle, width, options) + kNameHeight + inside +
         kAxisHeight;
}

void paint_field(Canvas& canvas, const FieldPlot& plot, Rect area, const DrawOptions& options) {
  const double heading = paint_heading(canvas, plot.title, plot.subtitle, area, options);
  area.y += heading;
  area.height -= heading;
  if (options.surfaces) {
    paint_surface(canvas, plot, area, options);
    return;
  }
  canvas.text({area.right(), area.y + 4}, scale_label(plot), options.muted(Align::kRight));
  area.y += kNameHeight;
  area.height -= kNameHeight;
  const Rect inside = {area.x + kAxisWidth, area.y, area.width - kAxisWidth - kBarSpace,
                       area.height - kAxisHeight};
  paint_map(canvas, plot, {inside, kAxisWidth}, options);
}

}  // namespace dispersion
