#include "app/export/pdf_attachment.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include "app/export/compressed.h"

namespace dispersion {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 28;  // bytes of an attachment
constexpr std::string_view kStream = "<< /Type /EmbeddedFile /Subtype /application#2Fjson";
constexpr std::string_view kLength = "/Filter /FlateDecode /Length ";

std::optional<std::size_t> leading_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

[[noreturn]] void refuse() {
  throw std::runtime_error("cairo wrote a PDF of another form than expected: nothing is attached");
}

// The number behind the last `name` of the trailer.
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

// The dictionary of the object, without its brackets.
std::string dictionary(std::string_view pdf, std::size_t object) {
  const std::size_t at = pdf.find(std::to_string(object).insert(0, 1, '\n') + " 0 obj\n<<");
  if (at == std::string_view::npos) refuse();
  const std::size_t begin = pdf.find("<<", at) + 2;
  const std::size_t end = pdf.find(">>\nendobj", begin);
  if (end == std::string_view::npos) refuse();
  return std::string(pdf.substr(begin, end - begin));
}

// "0000012345 00000 n \n", of 20 bytes.
std::string table_row(std::size_t offset) {
  char row[24];
  std::snprintf(row, sizeof row, "%010zu 00000 n \n", offset);
  return row;
}

}  // namespace

std::string with_attachment(std::string pdf, std::string_view contents) {
  const std::size_t root = trailer_number(pdf, "/Root ");
  const std::size_t info = trailer_number(pdf, "/Info ");
  const std::size_t file = trailer_number(pdf, "/Size ");  // the first number that is free
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

std::optional<std::string> pdf_attachment(std::string_view pdf) {
  const std::size_t at = pdf.rfind(kStream);
  if (at == std::string_view::npos) return std::nullopt;
  pdf.remove_prefix(at);
  const std::size_t length_at = pdf.find(kLength);
  const std::size_t begin = pdf.find(">>\nstream\n");
  if (length_at == std::string_view::npos || begin == std::string_view::npos) return std::nullopt;
  const auto length = leading_number(pdf.substr(length_at + kLength.size()));
  pdf.remove_prefix(begin + std::string_view(">>\nstream\n").size());
  if (!length || *length > pdf.size()) return std::nullopt;
  return uncompressed(pdf.substr(0, *length), kLargest);
}

}  // namespace dispersion
