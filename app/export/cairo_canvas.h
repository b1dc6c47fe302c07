#pragma once

#include <cairo.h>

#include "app/export/cairo_handles.h"
#include "app/export/canvas.h"

namespace dispersion {

// How letters come into the file: as their outlines, which look the same everywhere, or as text
// with its font, which can be searched and copied.
enum class Letters { kOutlines, kText };

// Draws on a cairo context, whose unit is that of the figure. Context and typeface must outlive it.
class CairoCanvas : public Canvas {
 public:
  // `scale` as in Canvas: above 0 for pixels, 0 for a vector file.
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

// Opaque pixels [rows, columns] as an image of cairo's. Throws std::bad_alloc.
CairoSurface rgb_surface(int rows, int columns, std::span<const Colour> pixels);

}  // namespace dispersion
