#pragma once

#include <initializer_list>
#include <string>

#include "app/export/canvas.h"

namespace dispersion {

// Writes elements of SVG 1.1. Text stays text, and images are enlarged and marked so that viewers
// do not smooth them.
class SvgCanvas : public Canvas {
 public:
  // The typeface must outlive the canvas.
  explicit SvgCanvas(const Typeface& typeface) : Canvas(0), typeface_(typeface) {}

  // The elements drawn so far, one on each line.
  const std::string& elements() const { return elements_; }

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

  // Adds an element without contents.
  void add(std::string_view name, std::initializer_list<std::string> attributes_of_it);

  const Typeface& typeface_;
  std::string elements_;
  int clips_ = 0;
};

// A number with at most three decimals and with '.' under every locale: 12.5 -> "12.5", -0.0001 ->
// "0".
std::string svg_number(double value);

// Text for XML, with the five special characters as entities. Characters that XML does not allow
// become U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace dispersion
