#pragma once

#include <cairo.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "app/export/canvas.h"

namespace dispersion {

struct CairoSurfaceDeleter {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct CairoContextDeleter {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using CairoSurface = std::unique_ptr<cairo_surface_t, CairoSurfaceDeleter>;
using CairoContext = std::unique_ptr<cairo_t, CairoContextDeleter>;

// Throws std::bad_alloc, or std::runtime_error with the reason that cairo gives.
inline void require_success(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) throw std::bad_alloc();
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("drawing failed: ") + cairo_status_to_string(status));
  }
}

// A callback for cairo's functions that write to a stream: appends the data to the std::string that
// `bytes` points to.
inline cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

// How text is written into a file: as outlines, which look the same everywhere, or as text with its
// font, which can be searched and copied.
enum class Letters { kOutlines, kText };

// Draws on a cairo context whose unit is the unit of the figure. The context and the typeface must
// outlive the canvas.
class CairoCanvas : public Canvas {
 public:
  // `scale` is as in Canvas: above 0 for pixels, 0 for a vector file.
  CairoCanvas(cairo_t* context, double scale, const Typeface& typeface,
              Letters letters = Letters::kOutlines);

  double text_width(std::string_view text, const Lettering& style) const override {
    return typeface_.width(text, style.size, style.weight);
  }

 private:
  void draw_rectangle(Rect rect, Colour colour) override;
  void draw_line(std::span<const Point> points, Colour colour, double thickness,
                 bool dashed) override;
  void draw_polygon(std::span<const Point> points, Colour colour, double alpha) override;
  void draw_facet(std::span<const Point> points, Colour colour) override;
  void draw_disc(Point centre, double radius, Colour colour, double alpha) override;
  void draw_image(Rect rect, int rows, int columns, std::span<const Colour> pixels) override;
  void draw_text(Point at, std::string_view text, const Lettering& style, bool upward) override;
  void begin_clip(Rect rect) override;
  void end_clip() override;

  void set_colour(Colour colour, double alpha = 1);
  void trace(std::span<const Point> points);

  cairo_t* context_;
  const Typeface& typeface_;
  bool vector_;
  Letters letters_;
};

// A cairo image of opaque pixels [rows, columns]. Throws std::bad_alloc.
CairoSurface rgb_surface(int rows, int columns, std::span<const Colour> pixels);

}  // namespace dispersion
