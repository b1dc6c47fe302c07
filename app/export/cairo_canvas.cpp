#include "app/export/cairo_canvas.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <numbers>
#include <vector>

namespace dispersion {
namespace {

// In a vector file a facet is outlined with a line of this width, which reaches under its
// neighbours, so that no seam shows between them.
constexpr double kSeam = 0.4;

std::uint32_t packed(Colour colour) {
  return 0xFF000000u | std::uint32_t{colour.red} << 16 | std::uint32_t{colour.green} << 8 |
         colour.blue;
}

}  // namespace

CairoSurface rgb_surface(int rows, int columns, std::span<const Colour> pixels) {
  CairoSurface image(cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows));
  if (cairo_surface_status(image.get()) != CAIRO_STATUS_SUCCESS) throw std::bad_alloc();
  const int stride = cairo_image_surface_get_stride(image.get());
  cairo_surface_flush(image.get());
  unsigned char* data = cairo_image_surface_get_data(image.get());
  for (int row = 0; row < rows; ++row) {
    auto* out = reinterpret_cast<std::uint32_t*>(data + std::ptrdiff_t{row} * stride);
    for (int column = 0; column < columns; ++column)
      out[column] = packed(pixels[static_cast<std::size_t>(row * columns + column)]);
  }
  cairo_surface_mark_dirty(image.get());
  return image;
}

CairoCanvas::CairoCanvas(cairo_t* context, double scale, const Typeface& typeface, Letters letters)
    : Canvas(scale),
      context_(context),
      typeface_(typeface),
      vector_(!(scale > 0)),
      letters_(letters) {
  cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(context_, CAIRO_LINE_CAP_ROUND);
}

void CairoCanvas::set_colour(Colour colour, double alpha) {
  cairo_set_source_rgba(context_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                        alpha);
}

void CairoCanvas::trace(std::span<const Point> points) {
  cairo_new_path(context_);
  for (const Point& point : points)
    cairo_line_to(context_, point.x, point.y);
}

void CairoCanvas::draw_rectangle(Rect rect, Colour colour) {
  set_colour(colour);
  cairo_rectangle(context_, rect.x, rect.y, rect.width, rect.height);
  cairo_fill(context_);
}

void CairoCanvas::draw_line(std::span<const Point> points, Colour colour, double thickness,
                            bool dashed) {
  set_colour(colour);
  cairo_set_line_width(context_, thickness);
  if (dashed) cairo_set_dash(context_, kDash, 2, 0);
  trace(points);
  cairo_stroke(context_);
  cairo_set_dash(context_, nullptr, 0, 0);
}

void CairoCanvas::draw_polygon(std::span<const Point> points, Colour colour, double alpha) {
  set_colour(colour, alpha);
  trace(points);
  cairo_fill(context_);
}

void CairoCanvas::draw_facet(std::span<const Point> points, Colour colour) {
  set_colour(colour);
  trace(points);
  if (vector_) {
    cairo_close_path(context_);
    cairo_set_line_width(context_, kSeam);
    cairo_fill_preserve(context_);
    cairo_stroke(context_);
    return;
  }
  // With smooth edges, the background would show between neighbours.
  cairo_set_antialias(context_, CAIRO_ANTIALIAS_NONE);
  cairo_fill(context_);
  cairo_set_antialias(context_, CAIRO_ANTIALIAS_DEFAULT);
}

void CairoCanvas::draw_disc(Point centre, double radius, Colour colour, double alpha) {
  set_colour(colour, alpha);
  cairo_new_path(context_);
  cairo_arc(context_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
  cairo_fill(context_);
}

void CairoCanvas::draw_image(Rect rect, int rows, int columns, std::span<const Colour> pixels) {
  const int times = vector_ ? enlargement(rows, columns) : 1;
  const CairoSurface image =
      vector_ ? rgb_surface(rows * times, columns * times, enlarged(rows, columns, pixels, times))
              : rgb_surface(rows, columns, pixels);
  cairo_save(context_);
  cairo_translate(context_, rect.x, rect.y);
  cairo_scale(context_, rect.width / (columns * times), rect.height / (rows * times));
  cairo_set_source_surface(context_, image.get(), 0, 0);
  cairo_pattern_set_filter(cairo_get_source(context_), CAIRO_FILTER_NEAREST);
  if (!vector_) cairo_pattern_set_extend(cairo_get_source(context_), CAIRO_EXTEND_PAD);
  cairo_rectangle(context_, 0, 0, columns * times, rows * times);
  cairo_fill(context_);
  cairo_restore(context_);
}

void CairoCanvas::draw_text(Point at, std::string_view text, const Lettering& style, bool upward) {
  double x = 0;
  if (style.align == Align::kCentre) x -= text_width(text, style) / 2;
  if (style.align == Align::kRight) x -= text_width(text, style);
  cairo_save(context_);
  cairo_translate(context_, at.x, at.y);
  if (upward) cairo_rotate(context_, -std::numbers::pi / 2);
  set_colour(style.colour);
  if (letters_ == Letters::kText) {
    typeface_.show(context_, text, x, 0, style.size, style.weight);
  } else {
    cairo_new_path(context_);
    typeface_.append_path(context_, text, x, 0, style.size, style.weight);
    cairo_fill(context_);
  }
  cairo_restore(context_);
}

void CairoCanvas::begin_clip(Rect rect) {
  cairo_save(context_);
  cairo_rectangle(context_, rect.x, rect.y, rect.width, rect.height);
  cairo_clip(context_);
}

void CairoCanvas::end_clip() {
  cairo_restore(context_);
}

}  // namespace dispersion
