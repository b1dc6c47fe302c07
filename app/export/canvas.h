#pragma once

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

struct Lettering {
  double size = 13;
  Colour colour;
  Weight weight = Weight::kRegular;
  Align align = Align::kLeft;
};

// What the painters draw on, in units of a figure: x to the right, y down. The window is one kind
// of it, and so is every file format. What has a coordinate that is not finite is left out.
class Canvas {
 public:
  // `scale` device pixels make one unit: edges of rectangles, images and hairlines are put on whole
  // pixels. 0: there are no pixels, and nothing is moved.
  explicit Canvas(double scale) : scale_(scale) {}
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void fill(Rect rect, Colour colour);
  void hairline(Point from, Point to, Colour colour);  // horizontal or vertical, one unit thick
  void polyline(std::span<const Point> points, Colour colour, double thickness);
  void dashed_line(std::span<const Point> points, Colour colour, double thickness);
  void polygon(std::span<const Point> points, Colour colour, double alpha);
  // What lies between two lines that both go from left to right.
  void band(std::span<const Point> lower, std::span<const Point> upper, Colour colour,
            double alpha);
  // A polygon whose neighbours meet it without a seam.
  void facet(std::span<const Point> points, Colour colour);
  void disc(Point centre, double radius, Colour colour, double alpha = 1);
  // Every value of `pixels` [rows, columns] becomes a rectangle of one colour, with no smoothing.
  void image(Rect rect, int rows, int columns, std::span<const Colour> pixels);

  // The baseline passes through `at`.
  void text(Point at, std::string_view text, const Lettering& style);
  // Read from below to above, centred on `at`.
  void upward_text(Point at, std::string_view text, const Lettering& style);
  virtual double text_width(std::string_view text, const Lettering& style) const = 0;
  // The text in lines of at most so much width, broken at spaces.
  std::vector<std::string> lines(std::string_view text, double width, const Lettering& style) const;

  // Nothing outside the rectangle is painted while it lives.
  class Clip {
   public:
    Clip(Canvas& canvas, Rect rect) : canvas_(canvas) { canvas_.begin_clip(rect); }
    ~Clip() { canvas_.end_clip(); }
    Clip(const Clip&) = delete;
    Clip& operator=(const Clip&) = delete;

   private:
    Canvas& canvas_;
  };

 protected:
  double scale() const { return scale_; }

 private:
  // With coordinates that are finite and on pixels already.
  virtual void draw_rectangle(Rect rect, Colour colour) = 0;
  virtual void draw_line(std::span<const Point> points, Colour colour, double thickness,
                         bool dashed) = 0;
  virtual void draw_polygon(std::span<const Point> points, Colour colour, double alpha) = 0;
  virtual void draw_band(std::span<const Point> lower, std::span<const Point> upper, Colour colour,
                         double alpha);
  virtual void draw_facet(std::span<const Point> points, Colour colour) = 0;
  virtual void draw_disc(Point centre, double radius, Colour colour, double alpha) = 0;
  virtual void draw_image(Rect rect, int rows, int columns, std::span<const Colour> pixels) = 0;
  // `upward`: turned by a quarter to the left around `at`.
  virtual void draw_text(Point at, std::string_view text, const Lettering& style, bool upward) = 0;
  virtual void begin_clip(Rect rect) = 0;
  virtual void end_clip() = 0;

  double snap(double coordinate) const;
  Rect snap(Rect rect) const;

  double scale_;
};

// Dashes of dashed_line(): drawn, left out.
inline constexpr double kDash[] = {6, 5};

// Every pixel repeated `times` times in both directions.
std::vector<Colour> enlarged(int rows, int columns, std::span<const Colour> pixels, int times);

// How often pixels are repeated in files whose viewers may smooth an image: cells of 8 and more
// stay crisp, and large images are not blown up.
int enlargement(int rows, int columns);

}  // namespace dispersion
