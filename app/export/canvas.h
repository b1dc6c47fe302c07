#pragma once

#include <cairo.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/typeface.h"
#include "app/palette/palette.h"

namespace dispersion {

struct Point {
  double x = 0;
  double y = 0;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

enum class Align { kLeft, kCentre, kRight };

struct TextStyle {
  double size = 13;
  Colour colour;
  Weight weight = Weight::kRegular;
  Align align = Align::kLeft;
};

// Draws in units of a figure on a cairo context, which must outlive it.
class Canvas {
 public:
  // `scale` device pixels make one unit: edges of rectangles, images and hairlines are put on whole
  // pixels.
  Canvas(cairo_t* context, double scale, const Typeface& typeface);

  void fill(Rect rect, Colour colour);
  void hairline(Point from, Point to, Colour colour);  // horizontal or vertical, one unit thick
  void polyline(std::span<const Point> points, Colour colour, double thickness);
  void dashed_line(std::span<const Point> points, Colour colour, double thickness);
  void polygon(std::span<const Point> points, Colour colour, double alpha);
  // Without soft edges, so that neighbours meet without a seam.
  void facet(std::span<const Point> points, Colour colour);
  void disc(Point centre, double radius, Colour colour, double alpha = 1);
  // Every value of `pixels` [rows, columns] becomes a rectangle of one colour, with no smoothing.
  void image(Rect rect, int rows, int columns, std::span<const Colour> pixels);

  // The baseline passes through `at`.
  void text(Point at, std::string_view text, const TextStyle& style);
  // Read from below to above, centred on `at`.
  void upward_text(Point at, std::string_view text, const TextStyle& style);
  double text_width(std::string_view text, const TextStyle& style) const;
  // The text in lines of at most so much width, broken at spaces.
  std::vector<std::string> lines(std::string_view text, double width, const TextStyle& style) const;

  // Nothing outside the rectangle is painted while it lives.
  class Clip {
   public:
    Clip(Canvas& canvas, Rect rect);
    ~Clip();
    Clip(const Clip&) = delete;
    Clip& operator=(const Clip&) = delete;

   private:
    cairo_t* context_;
  };

 private:
  double snap(double coordinate) const;
  Rect snap(Rect rect) const;
  void set_colour(Colour colour, double alpha = 1);
  void trace(std::span<const Point> points);

  cairo_t* context_;
  double scale_;
  const Typeface& typeface_;
};

}  // namespace dispersion
