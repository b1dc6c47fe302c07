#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/export/figure_data.h"
#include "app/export/picture.h"
#include "app/export/provenance.h"
#include "app/export/svg_canvas.h"

namespace dispersion {
namespace {

// The attribute of the element <metadata> that carries the figure.
constexpr const char* kFigureId = " id=\"figure\"";

std::string element(const std::string& name, const std::string& text,
                    const std::string& attributes = "") {
  if (text.empty()) return "";
  return "<" + name + attributes + ">" + xml_text(text) + "</" + name + ">\n";
}

// The JSON with escapes for the two characters that it may have and XML may not. Characters outside
// ASCII stand in texts alone.
std::string json_for_xml(std::string json) {
  for (const auto& [character, escape] :
       {std::pair("\uFFFE", "\\ufffe"), std::pair("\uFFFF", "\\uffff")}) {
    for (std::size_t at = 0; (at = json.find(character, at)) != std::string::npos;)
      json.replace(at, std::string_view(character).size(), escape);
  }
  return json;
}

// The fonts that viewers try in turn: first those that the figure was measured with, under the
// names of fontconfig and of LaTeX, then similar ones of other systems.
const char* family_names(FontFamily family) {
  return family == FontFamily::kSerif
             ? "'LM Roman 10', 'Latin Modern Roman', 'Latin Modern Math', 'CMU Serif', "
               "'DejaVu Serif', 'Times New Roman', serif"
             : "Roboto, 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif";
}

// A length in millimetres, rounded down: a viewer adds a pixel if a picture is only slightly wider
// than a whole number of pixels.
std::string length_text(double length) {
  constexpr double kSteps = 1e6;
  std::array<char, 400> buffer;
  const double rounded = std::floor(length * kSteps + 1e-3) / kSteps;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), rounded,
                                          std::chars_format::fixed);
  return {buffer.data(), end};
}

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};

// Throws LimitError if the plain text has more than `most` bytes.
std::string without_entities(std::string_view text, std::size_t most) {
  std::string plain;
  while (!text.empty()) {
    if (plain.size() == most) refuse_longer_than(most);
    const auto found = std::ranges::find_if(
        kEntities, [text](const auto& entity) { return text.starts_with(entity.first); });
    const bool entity = found != kEntities.end();
    plain += entity ? found->second : text.front();
    text.remove_prefix(entity ? found->first.size() : 1);
  }
  return plain;
}

// The text of the first element <metadata> with these attributes; nothing if there is none. Throws
// LimitError if it has more than `most` bytes.
std::optional<std::string> metadata(std::string_view svg, const std::string& attributes,
                                    std::size_t most) {
  const std::string begin = "<metadata" + attributes + ">";
  const std::size_t at = svg.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  svg.remove_prefix(at + begin.size());
  const std::size_t end = svg.find("</metadata>");
  if (end == std::string_view::npos) return std::nullopt;
  return without_entities(svg.substr(0, end), most);
}

}  // namespace

std::string svg_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options) {
  require_size(size);
  const Typeface typeface(options.family);
  SvgCanvas canvas(typeface);
  paint_figure(canvas, figure, {0, 0, size.width(), size.height()}, options);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<svg xmlns=\"http://www.w3.org/2000/svg\" "
         "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" width=\"" +
         length_text(size.width_mm) + "mm\" height=\"" + length_text(size.height_mm) +
         "mm\" viewBox=\"0 0 " + svg_number(size.width()) + " " + svg_number(size.height()) +
         "\" font-family=\"" + family_names(options.family) +
         "\" "
         "xml:space=\"preserve\">\n" +
         element("title", figure.title) + element("desc", figure.sentence) +
         element("metadata", provenance_json(figure.provenance)) +
         element("metadata", json_for_xml(carried_figure(figure)), kFigureId) + canvas.elements() +
         "</svg>\n";
}

std::optional<Provenance> svg_provenance(std::string_view bytes) {
  return provenance_from_json(metadata(bytes, "", kLargestProvenance));
}

std::optional<std::string> svg_figure(std::string_view bytes) {
  return metadata(bytes, kFigureId, kLargestFigureJson);
}

}  // namespace dispersion
