#include "app/export/canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/export/encodings.h"
#include "core/figure/line_spaces.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kCell = 32;             // most pixels along a side for one pixel of the original
constexpr int kMostEnlarged = 2'000;  // most pixels along a side of an enlarged image
// In narrower lines, measured in sizes of the letters, words stay whole.
constexpr double kLeastToBreak = 10;

bool finite(Point point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

bool finite(const Rect& rect) {
  return std::isfinite(rect.x + rect.y + rect.width + rect.height);
}

bool finite(std::span<const Point> points) {
  return !points.empty() && std::ranges::all_of(points, [](Point p) { return finite(p); });
}

}  // namespace

double Canvas::snap(double coordinate) const {
  return scale_ > 0 ? std::round(coordinate * scale_) / scale_ : coordinate;
}

Rect Canvas::snap(Rect rect) const {
  const double x = snap(rect.x), y = snap(rect.y);
  return {x, y, snap(rect.right()) - x, snap(rect.bottom()) - y};
}

void Canvas::fill(Rect rect, Colour colour) {
  if (finite(rect)) draw_rectangle(snap(rect), colour);
}

void Canvas::hairline(Point from, Point to, Colour colour) {
  const double left = std::min(from.x, to.x), top = std::min(from.y, to.y);
  const double thickness = scale_ > 0 ? std::max(1.0, std::round(scale_)) / scale_ : 1;
  const bool horizontal = from.y == to.y;
  const Rect rect = {snap(left), snap(top), horizontal ? std::abs(to.x - from.x) : thickness,
                     horizontal ? thickness : std::abs(to.y - from.y)};
  fill(rect, colour);
}

void Canvas::polyline(std::span<const Point> points, Colour colour, double thickness) {
  if (finite(points)) draw_line(points, colour, thickness, false);
}

void Canvas::dashed_line(std::span<const Point> points, Colour colour, double thickness) {
  if (finite(points)) draw_line(points, colour, thickness, true);
}

void Canvas::polygon(std::span<const Point> points, Colour colour, double alpha) {
  if (finite(points)) draw_polygon(points, colour, alpha);
}

void Canvas::band(std::span<const Point> lower, std::span<const Point> upper, Colour colour,
                  double alpha) {
  if (finite(lower) && finite(upper) && lower.size() + upper.size() > 2)
    draw_band(lower, upper, colour, alpha);
}

void Canvas::draw_band(std::span<const Point> lower, std::span<const Point> upper, Colour colour,
                       double alpha) {
  std::vector<Point> outline(lower.begin(), lower.end());
  outline.insert(outline.end(), upper.rbegin(), upper.rend());
  draw_polygon(outline, colour, alpha);
}

void Canvas::facet(std::span<const Point> points, Colour colour) {
  if (finite(points)) draw_facet(points, colour);
}

void Canvas::disc(Point centre, double radius, Colour colour, double alpha) {
  if (finite(centre)) draw_disc(centre, radius, colour, alpha);
}

void Canvas::image(Rect rect, int rows, int columns, std::span<const Colour> pixels) {
  if (rows < 1 || columns < 1 || !finite(rect)) return;
  const Rect where = snap(rect);
  if (where.width > 0 && where.height > 0) draw_image(where, rows, columns, pixels);
}

void Canvas::text(Point at, std::string_view text, const Lettering& style) {
  if (!text.empty() && finite(at)) draw_text(at, text, style, false);
}

void Canvas::upward_text(Point at, std::string_view text, const Lettering& style) {
  Lettering centred = style;
  centred.align = Align::kCentre;
  if (!text.empty() && finite(at)) draw_text(at, text, centred, true);
}

// How many bytes of a word are no wider than this; at least those of its first letter.
std::size_t Canvas::fitting(std::string_view word, double width, const Lettering& style) const {
  double used = 0;
  for (std::string_view rest = word; !rest.empty();) {
    const std::size_t begin = word.size() - rest.size();
    take_character(rest);
    used += text_width(word.substr(begin, word.size() - rest.size() - begin), style);
    if (begin > 0 && used > width) return begin;
  }
  return word.size();
}

std::vector<std::string> Canvas::lines(std::string_view text, double width,
                                       const Lettering& style) const {
  const std::string together = kept_together(text);
  text = together;
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
    while (width > kLeastToBreak * style.size && text_width(line, style) > width) {
      const std::size_t part = fitting(line, width, style);
      if (part == line.size()) break;
      lines.push_back(line.substr(0, part));
      line.erase(0, part);
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  for (std::string& each : lines)
    each = with_breaking_spaces(each);
  return lines;
}

std::vector<Colour> enlarged(int rows, int columns, std::span<const Colour> pixels, int times) {
  std::vector<Colour> large;
  large.reserve(pixels.size() * static_cast<std::size_t>(times) * static_cast<std::size_t>(times));
  for (int row = 0; row < rows * times; ++row) {
    const auto line = pixels.subspan(static_cast<std::size_t>(row / times * columns));
    for (int column = 0; column < columns * times; ++column)
      large.push_back(line[static_cast<std::size_t>(column / times)]);
  }
  return large;
}

int enlargement(int rows, int columns) {
  return std::clamp(kMostEnlarged / std::max(rows, columns), 1, kCell);
}

}  // namespace dispersion
