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

// The surface that painters draw on, in units of a figure with x to the right and y down. The
// window and each kind of file has its own implementation. Shapes with a coordinate that is not
// finite are not drawn.
class Canvas {
 public:
  // `scale` is the number of device pixels in one unit: the edges of rectangles, images and
  // hairlines are moved to whole pixels. With 0 there are no pixels, and nothing is moved.
  explicit Canvas(double scale) : scale_(scale) {}
  virtual ~Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void fill(Rect rect, Colour colour);
  void hairline(Point from, Point to, Colour colour);  // horizontal or vertical, one unit thick
  void polyline(std::span<const Point> points, Colour colour, double thickness);
  void dashed_line(std::span<const Point> points, Colour colour, double thickness);
  void polygon(std::span<const Point> points, Colour colour, double alpha);
  // The area between two lines that both go from left to right.
  void band(std::span<const Point> lower, std::span<const Point> upper, Colour colour,
            double alpha);
  // A polygon that meets its neighbours without a visible seam.
  void facet(std::span<const Point> points, Colour colour);
  void disc(Point centre, double radius, Colour colour, double alpha = 1);
  // Each of the `pixels` [rows, columns] becomes a rectangle of its colour, without smoothing.
  void image(Rect rect, int rows, int columns, std::span<const Colour> pixels);

  // Writes text with `at` on its baseline, at the left, centre or right as the style aligns it.
  void text(Point at, std::string_view text, const Lettering& style);
  // Writes text that runs upwards, centred on `at`.
  void upward_text(Point at, std::string_view text, const Lettering& style);
  virtual double text_width(std::string_view text, const Lettering& style) const = 0;
  // Breaks the text at spaces into lines of at most this width, and words that are wider than a
  // line where it ends.
  std::vector<std::string> lines(std::string_view text, double width, const Lettering& style) const;

  // While such an object lives, nothing outside its rectangle is painted.
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
  // The implementation draws these; all coordinates are finite and already moved to pixels.
  virtual void draw_rectangle(Rect rect, Colour colour) = 0;
  virtual void draw_line(std::span<const Point> points, Colour colour, double thickness,
                         bool dashed) = 0;
  virtual void draw_polygon(std::span<const Point> points, Colour colour, double alpha) = 0;
  virtual void draw_band(std::span<const Point> lower, std::span<const Point> upper, Colour colour,
                         double alpha);
  virtual void draw_facet(std::span<const Point> points, Colour colour) = 0;
  virtual void draw_disc(Point centre, double radius, Colour colour, double alpha) = 0;
  virtual void draw_image(Rect rect, int rows, int columns, std::span<const Colour> pixels) = 0;
  // `upward`: the text is turned around `at` by 90 degrees to the left.
  virtual void draw_text(Point at, std::string_view text, const Lettering& style, bool upward) = 0;
  virtual void begin_clip(Rect rect) = 0;
  virtual void end_clip() = 0;

  std::size_t fitting(std::string_view word, double width, const Lettering& style) const;
  double snap(double coordinate) const;
  Rect snap(Rect rect) const;

  double scale_;
};

// The lengths of the dashes and the gaps of dashed_line().
inline constexpr double kDash[] = {6, 5};

// The image with each pixel repeated `times` times in both directions.
std::vector<Colour> enlarged(int rows, int columns, std::span<const Colour> pixels, int times);

// How often pixels are repeated in files whose viewers may smooth an image. The pixels of a small
// image become large enough to stay crisp, and a large image does not grow much.
int enlargement(int rows, int columns);

}  // namespace dispersion
