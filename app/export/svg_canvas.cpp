#include "app/export/svg_canvas.h"

#include <array>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "app/export/encodings.h"
#include "app/export/png.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// The width of the outline of a facet, which reaches under its neighbours, so that no seam shows.
constexpr const char* kSeam = "0.4";

std::string hex(Colour colour) {
  std::string text = "#";
  for (const std::uint8_t channel : {colour.red, colour.green, colour.blue})
    text += hex_digits(channel, 2);
  return text;
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts)
    text += part;
  return text;
}

// An attribute of an element: ` name="value"`.
std::string attribute(std::string_view name, std::string_view value) {
  return joined({" ", name, "=\"", value, "\""});
}

std::string attributes(
    std::initializer_list<std::pair<std::string_view, double>> names_and_values) {
  std::string text;
  for (const auto& [name, value] : names_and_values)
    text += attribute(name, svg_number(value));
  return text;
}

std::string box(Rect rect) {
  return attributes({{"x", rect.x}, {"y", rect.y}, {"width", rect.width}, {"height", rect.height}});
}

std::string points_attribute(std::span<const Point> points) {
  std::string text;
  for (const Point& point : points) {
    if (!text.empty()) text += ' ';
    text += joined({svg_number(point.x), ",", svg_number(point.y)});
  }
  return attribute("points", text);
}

std::string fill_attribute(Colour colour, double alpha = 1) {
  std::string text = attribute("fill", hex(colour));
  if (alpha < 1) text += attribute("fill-opacity", svg_number(alpha));
  return text;
}

bool allowed_in_xml(char32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  return character != 0xFFFE && character != 0xFFFF;
}

}  // namespace

std::string svg_number(double value) {
  std::array<char, 400> buffer;  // the largest double has 309 digits before its point
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, 3);
  std::string text(buffer.data(), end);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  if (text == "-0") text.erase(0, 1);
  return text;
}

std::string xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&apos;";
        break;
      default:
        append_character(result, allowed_in_xml(character) ? character : 0xFFFD);
    }
  }
  return result;
}

void SvgCanvas::add(std::string_view name, std::initializer_list<std::string> attributes_of_it) {
  elements_ += joined({"<", name});
  for (const std::string& one : attributes_of_it)
    elements_ += one;
  elements_ += "/>\n";
}

void SvgCanvas::draw_rectangle(Rect rect, Colour colour) {
  add("rect", {box(rect), fill_attribute(colour)});
}

void SvgCanvas::draw_line(std::span<const Point> points, Colour colour, double thickness,
                          bool dashed) {
  add("polyline",
      {points_attribute(points), attribute("fill", "none"), attribute("stroke", hex(colour)),
       attribute("stroke-width", svg_number(thickness)), attribute("stroke-linejoin", "round"),
       attribute("stroke-linecap", "round"),
       dashed ? attribute("stroke-dasharray",
                          joined({svg_number(kDash[0]), " ", svg_number(kDash[1])}))
              : std::string()});
}

void SvgCanvas::draw_polygon(std::span<const Point> points, Colour colour, double alpha) {
  add("polygon", {points_attribute(points), fill_attribute(colour, alpha)});
}

void SvgCanvas::draw_facet(std::span<const Point> points, Colour colour) {
  add("polygon",
      {points_attribute(points), fill_attribute(colour), attribute("stroke", hex(colour)),
       attribute("stroke-width", kSeam), attribute("stroke-linejoin", "round")});
}

void SvgCanvas::draw_disc(Point centre, double radius, Colour colour, double alpha) {
  add("circle", {attributes({{"cx", centre.x}, {"cy", centre.y}, {"r", radius}}),
                 fill_attribute(colour, alpha)});
}

void SvgCanvas::draw_image(Rect rect, int rows, int columns, std::span<const Colour> pixels) {
  const int times = enlargement(rows, columns);
  const std::string png =
      png_of_pixels(rows * times, columns * times, enlarged(rows, columns, pixels, times));
  // Viewers differ in which of these ways to turn smoothing off they understand.
  add("image", {box(rect), attribute("preserveAspectRatio", "none"),
                attribute("image-rendering", "optimizeSpeed"),
                attribute("style", "image-rendering:crisp-edges;image-rendering:pixelated"),
                attribute("xlink:href", joined({"data:image/png;base64,", base64(png)}))});
}

void SvgCanvas::draw_text(Point at, std::string_view text, const Lettering& style, bool upward) {
  const std::string turned =
      joined({"translate(", svg_number(at.x), " ", svg_number(at.y), ") rotate(-90)"});
  elements_ += joined(
      {"<text", upward ? attribute("transform", turned) : attributes({{"x", at.x}, {"y", at.y}}),
       attribute("font-size", svg_number(style.size)), fill_attribute(style.colour),
       style.weight == Weight::kMedium
           ? attribute("font-weight", typeface_.family() == FontFamily::kSerif ? "700" : "500")
           : std::string(),
       style.align == Align::kLeft
           ? std::string()
           : attribute("text-anchor", style.align == Align::kCentre ? "middle" : "end"),
       ">", xml_text(typeface_.shown(text, style.weight)), "</text>\n"});
}

void SvgCanvas::begin_clip(Rect rect) {
  const std::string id = joined({"clip", std::to_string(++clips_)});
  elements_ += joined({"<clipPath", attribute("id", id), "><rect", box(rect), "/></clipPath>\n<g",
                       attribute("clip-path", joined({"url(#", id, ")"})), ">\n"});
}

void SvgCanvas::end_clip() {
  elements_ += "</g>\n";
}

}  // namespace dispersion
