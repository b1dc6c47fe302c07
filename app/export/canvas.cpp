#include "app/export/canvas.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace dispersion {
namespace {

struct SurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};

std::uint32_t packed(Colour colour) {
  return 0xFF000000u | std::uint32_t{colour.red} << 16 | std::uint32_t{colour.green} << 8 |
         colour.blue;
}

}  // namespace

Canvas::Canvas(cairo_t* context, double scale, const Typeface& typeface)
    : context_(context), scale_(scale), typeface_(typeface) {
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
}

double Canvas::snap(double coordinate) const {
  return std::round(coordinate * scale_) / scale_;
}

Rect Canvas::snap(Rect rect) const {
  const double x = snap(rect.x), y = snap(rect.y);
  return {x, y, snap(rect.right()) - x, snap(rect.bottom()) - y};
}

void Canvas::set_colour(Colour colour, double alpha) {
  cairo_set_source_rgba(context_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                        alpha);
}

void Canvas::trace(std::span<const Point> points) {
  cairo_new_path(context_);
  for (const Point& point : points)
    cairo_line_to(context_, point.x, point.y);
}

void Canvas::fill(Rect rect, Colour colour) {
  const Rect snapped = snap(rect);
  set_colour(colour);
  cairo_rectangle(context_, snapped.x, snapped.y, snapped.width, snapped.height);
  cairo_fill(context_);
}

void Canvas::hairline(Point from, Point to, Colour colour) {
  const double left = std::min(from.x, to.x), top = std::min(from.y, to.y);
  const double thickness = std::max(1.0, std::round(scale_)) / scale_;
  const bool horizontal = from.y == to.y;
  const Rect rect = {snap(left), snap(top), horizontal ? std::abs(to.x - from.x) : thickness,
                     horizontal ? thickness : std::abs(to.y - from.y)};
  fill(rect, colour);
}

void Canvas::polyline(std::span<const Point> points, Colour colour, double thickness) {
  set_colour(colour);
  cairo_set_line_width(context_, thickness);
  trace(points);
  cairo_stroke(context_);
}

void Canvas::dashed_line(std::span<const Point> points, Colour colour, double thickness) {
  constexpr double kDash[] = {6, 5};
  cairo_set_dash(context_, kDash, 2, 0);
  polyline(points, colour, thickness);
  cairo_set_dash(context_, nullptr, 0, 0);
}

void Canvas::facet(std::span<const Point> points, Colour colour) {
  cairo_set_antialias(context_, CAIRO_ANTIALIAS_NONE);
  polygon(points, colour, 1);
  cairo_set_antialias(context_, CAIRO_ANTIALIAS_DEFAULT);
}

void Canvas::polygon(std::span<const Point> points, Colour colour, double alpha) {
  set_colour(colour, alpha);
  trace(points);
  cairo_fill(context_);
}

void Canvas::disc(Point centre, double radius, Colour colour, double alpha) {
  set_colour(colour, alpha);
  cairo_new_path(context_);
  cairo_arc(context_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  cairo_fill(context_);
}

void Canvas::image(Rect rect, int rows, int columns, std::span<const Colour> pixels) {
  if (rows < 1 || columns < 1) return;
  const std::unique_ptr<cairo_surface_t, SurfaceDeleter> image(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
  if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
  const int stride = cairo_image_surface_get_stride(image.get());
  cairo_surface_flush(image.get());
  unsigned char* data = cairo_image_surface_get_data(image.get());
  for (int row = 0; row < rows; ++row) {
    auto* out = reinterpret_cast<std::uint32_t*>(data + std::ptrdiff_t{row} * stride);
    for (int column = 0; column < columns; ++column) {
      out[column] = packed(pixels[static_cast<std::size_t>(row * columns + column)]);
    }
  }
  cairo_surface_mark_dirty(image.get());
  const Rect snapped = snap(rect);
  cairo_save(context_);
  cairo_translate(context_, snapped.x, snapped.y);
  cairo_scale(context_, snapped.width / columns, snapped.height / rows);
  cairo_set_source_surface(context_, image.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(context_), CAIRO_EXTEND_PAD);
  cairo_rectangle(context_, 0, 0, columns, rows);
  cairo_fill(context_);
  cairo_restore(context_);
}

double Canvas::text_width(std::string_view text, const TextStyle& style) const {
  return typeface_.width(text, style.size, style.weight);
}

std::vector<std::string> Canvas::lines(std::string_view text, double width,
                                       const TextStyle& style) const {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, style) > width) {
      lines.push_back(std::move(line));
      line = word;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

void Canvas::text(Point at, std::string_view text, const TextStyle& style) {
  double x = at.x;
  if (style.align == Align::kCentre) x -= text_width(text, style) / 2;
  if (style.align == Align::kRight) x -= text_width(text, style);
  set_colour(style.colour);
  cairo_new_path(context_);
  typeface_.append_path(context_, text, x, at.y, style.size, style.weight);
  cairo_fill(context_);
}

void Canvas::upward_text(Point at, std::string_view text, const TextStyle& style) {
  cairo_save(context_);
  cairo_translate(context_, at.x, at.y);
  cairo_rotate(context_, -std::numbers::pi / 2);
  TextStyle centred = style;
  centred.align = Align::kCentre;
  this->text({0, 0}, text, centred);
  cairo_restore(context_);
}

Canvas::Clip::Clip(Canvas& canvas, Rect rect) : context_(canvas.context_) {
  cairo_save(context_);
  cairo_rectangle(context_, rect.x, rect.y, rect.width, rect.height);
  cairo_clip(context_);
}

Canvas::Clip::~Clip() {
  cairo_restore(context_);
}

}  // namespace dispersion
