// Writes PDF with cairo. cairo 1.16 cannot attach files, so the figure that a PDF carries is
// appended as an incremental update (PDF 1.4, sections 3.4.5 and 3.10.3).

#include <cairo-pdf.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/export/cairo_canvas.h"
#include "app/export/encodings.h"
#include "app/export/figure_data.h"
#include "app/export/picture.h"
#include "app/export/provenance.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;

std::string cairo_text(std::string_view text) {
  std::string result;
  while (!text.empty())
    append_character(result, cairo_character(take_character(text)));
  return result;
}

// Writes the metadata. cairo 1.16 has no custom fields, so the provenance is in the keywords.
void describe(cairo_surface_t* surface, const Figure& figure) {
  const auto set = [surface](cairo_pdf_metadata_t what, const std::string& text) {
    cairo_pdf_surface_set_metadata(surface, what, cairo_text(text).c_str());
  };
  set(CAIRO_PDF_METADATA_TITLE, visible_text(figure.title));  // cairo refuses what is no UTF-8
  set(CAIRO_PDF_METADATA_SUBJECT, visible_text(figure.sentence));
  set(CAIRO_PDF_METADATA_KEYWORDS, provenance_json(figure.provenance));
  set(CAIRO_PDF_METADATA_CREATOR, "dispersion_lab");
  // If no date is set, cairo writes the present time.
  const auto date = std::ranges::find(figure.provenance, "date", &Provenance::value_type::first);
  set(CAIRO_PDF_METADATA_CREATE_DATE, date == figure.provenance.end() ? "" : date->second);
}

constexpr std::string_view kStream = "<< /Type /EmbeddedFile /Subtype /application#2Fjson";
constexpr std::string_view kLength = "/Filter /FlateDecode /Length ";

std::optional<std::size_t> leading_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

[[noreturn]] void refuse() {
  throw std::runtime_error("cairo wrote a PDF of another form than expected");
}

// The number after `name` in the last trailer.
std::size_t trailer_number(std::string_view pdf, std::string_view name) {
  const std::size_t trailer = pdf.rfind("\ntrailer");
  if (trailer == std::string_view::npos) refuse();
  const std::size_t at = pdf.find(name, trailer);
  if (at == std::string_view::npos) refuse();
  const auto number = leading_number(pdf.substr(at + name.size()));
  if (!number) refuse();
  return *number;
}

std::string reference(std::size_t object) {
  return std::to_string(object) + " 0 R";
}

// Blanks out the transparency group that cairo gives to every page. Nothing is drawn otherwise
// without it, since all colours are RGB; but programs that put two such pages on one page of
// their own (pdfTeX) warn that they can keep only one group. The length of the text stays, so that
// the table of objects stays right.
void remove_page_group(std::string& pdf) {
  const std::size_t page = pdf.find("<< /Type /Page ");
  if (page == std::string::npos) refuse();
  const std::size_t end = pdf.find("endobj", page);
  const std::size_t group = pdf.find("/Group <<", page);
  if (group >= end) return;
  const std::size_t close = pdf.find(">>", group) + 2;
  for (std::size_t i = group; i < close; ++i) {
    if (pdf[i] != '\n') pdf[i] = ' ';
  }
}

// The text of the dictionary of an object, without its brackets.
std::string dictionary(std::string_view pdf, std::size_t object) {
  const std::size_t at = pdf.find(std::to_string(object).insert(0, 1, '\n') + " 0 obj\n<<");
  if (at == std::string_view::npos) refuse();
  const std::size_t begin = pdf.find("<<", at) + 2;
  const std::size_t end = pdf.find(">>\nendobj", begin);
  if (end == std::string_view::npos) refuse();
  return std::string(pdf.substr(begin, end - begin));
}

// A row of the table of objects, which has 20 bytes: "0000012345 00000 n \n".
std::string table_row(std::size_t offset) {
  char row[24];
  std::snprintf(row, sizeof row, "%010zu 00000 n \n", offset);
  return row;
}

int hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

// Decodes a text of PDF in UTF-16, such as <FEFF0041>, whose digits these are. Nothing if it has
// other characters than ASCII. Throws LimitError if it has more of them than a provenance.
std::optional<std::string> utf16_text(std::string_view digits) {
  constexpr std::size_t kUnit = 4;  // digits of a UTF-16 code unit
  if (digits.size() % kUnit != 0 || !digits.starts_with("FEFF")) return std::nullopt;
  if (digits.size() / kUnit > kLargestProvenance) refuse_longer_than(kLargestProvenance);
  std::string text;
  for (digits.remove_prefix(kUnit); !digits.empty(); digits.remove_prefix(kUnit)) {
    const int high = hexadecimal(digits[2]), low = hexadecimal(digits[3]);
    if (!digits.starts_with("00") || high < 0 || high > 7 || low < 0) return std::nullopt;
    text += static_cast<char>(16 * high + low);
  }
  return text;
}

// Decodes a text of PDF such as (a\(b\)c), which begins after its first bracket; nothing if it does
// not end. Throws LimitError if it is longer than a provenance.
std::optional<std::string> literal_text(std::string_view rest) {
  std::string text;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == ')') return text;
    if (text.size() == kLargestProvenance) refuse_longer_than(kLargestProvenance);
    if (rest[i] == '\\' && ++i == rest.size()) break;
    text += rest[i];
  }
  return std::nullopt;
}

// The keywords of a PDF whose information dictionary is not compressed. They must be ASCII text,
// which may be encoded in UTF-16.
std::optional<std::string> keywords(std::string_view pdf) {
  constexpr std::string_view kName = "/Keywords ";
  // Brackets inside a text are escaped, so the name can only be followed by a bracket outside
  // texts.
  for (std::size_t at = 0; (at = pdf.find(kName, at)) != std::string_view::npos;) {
    at += kName.size();
    const std::string_view rest = pdf.substr(at);
    if (rest.starts_with('(')) return literal_text(rest.substr(1));
    if (!rest.starts_with('<')) continue;
    const std::size_t end = rest.find('>');
    return end == std::string_view::npos ? std::nullopt : utf16_text(rest.substr(1, end - 1));
  }
  return std::nullopt;
}

}  // namespace

std::string pdf_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options) {
  require_size(size);
  std::string bytes;
  {
    const CairoSurface surface(cairo_pdf_surface_create_for_stream(
        append_bytes, &bytes, size.width_mm * kPointsPerMillimetre,
        size.height_mm * kPointsPerMillimetre));
    require_success(cairo_surface_status(surface.get()));
    // In later versions of PDF the metadata may be compressed, and keywords() could not find them.
    cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
    describe(surface.get(), figure);
    const Typeface typeface(options.family);
    {
      const CairoContext context(cairo_create(surface.get()));
      const double scale = size.unit_mm() * kPointsPerMillimetre;
      cairo_scale(context.get(), scale, scale);
      CairoCanvas canvas(context.get(), 0, typeface, Letters::kText);
      paint_figure(canvas, figure, {0, 0, size.width(), size.height()}, options);
      require_success(cairo_status(context.get()));
    }
    cairo_surface_finish(surface.get());
    require_success(cairo_surface_status(surface.get()));
  }
  remove_page_group(bytes);
  const std::string carried = carried_figure(figure);
  return carried.empty() ? bytes : with_attachment(std::move(bytes), carried);
}

std::string with_attachment(std::string pdf, std::string_view contents) {
  const std::size_t root = trailer_number(pdf, "/Root ");
  const std::size_t info = trailer_number(pdf, "/Info ");
  const std::size_t file = trailer_number(pdf, "/Size ");  // the first unused object number
  const std::size_t name = file + 1;
  const std::size_t before = trailer_number(pdf, "startxref\n");
  const std::string catalog = dictionary(pdf, root);
  const std::string stream = compressed(contents);

  const auto begin_object = [&pdf](std::size_t object) {
    const std::size_t offset = pdf.size();
    pdf += std::to_string(object) + " 0 obj\n";
    return offset;
  };
  const std::size_t file_at = begin_object(file);
  pdf.append(kStream).append(" /Params << /Size ").append(std::to_string(contents.size()));
  pdf.append(" >> ").append(kLength).append(std::to_string(stream.size()));
  pdf.append(" >>\nstream\n").append(stream).append("\nendstream\nendobj\n");
  const std::size_t name_at = begin_object(name);
  pdf += "<< /Type /Filespec /F (figure.json) /UF (figure.json) /EF << /F " + reference(file) +
         " >> >>\nendobj\n";
  const std::size_t root_at = begin_object(root);
  pdf += "<<" + catalog + "   /Names << /EmbeddedFiles << /Names [ (figure.json) " +
         reference(name) + " ] >> >>\n>>\nendobj\n";
  const std::size_t table_at = pdf.size();
  pdf += "xref\n" + std::to_string(root) + " 1\n" + table_row(root_at) + std::to_string(file) +
         " 2\n" + table_row(file_at) + table_row(name_at);
  pdf += "trailer\n<< /Size " + std::to_string(name + 1) + "\n   /Root " + reference(root) +
         "\n   /Info " + reference(info) + "\n   /Prev " + std::to_string(before) +
         "\n>>\nstartxref\n" + std::to_string(table_at) + "\n%%EOF\n";
  return pdf;
}

std::optional<std::string> pdf_figure(std::string_view pdf) {
  const std::size_t at = pdf.rfind(kStream);
  if (at == std::string_view::npos) return std::nullopt;
  pdf.remove_prefix(at);
  const std::size_t length_at = pdf.find(kLength);
  const std::size_t begin = pdf.find(">>\nstream\n");
  if (length_at == std::string_view::npos || begin == std::string_view::npos) return std::nullopt;
  const auto length = leading_number(pdf.substr(length_at + kLength.size()));
  pdf.remove_prefix(begin + std::string_view(">>\nstream\n").size());
  if (!length || *length > pdf.size()) return std::nullopt;
  return uncompressed(pdf.substr(0, *length), kLargestFigureJson);
}

std::optional<Provenance> pdf_provenance(std::string_view bytes) {
  return provenance_from_json(keywords(bytes));
}

}  // namespace dispersion
