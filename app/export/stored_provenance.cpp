#include "app/export/stored_provenance.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/export/stored_text.h"
#include "core/io/error.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

// One JSON object of texts, as provenance_json writes it. Nothing for anything else.
std::optional<Provenance> from_object(const Json& object) {
  if (!object.is_object()) return std::nullopt;
  Provenance provenance;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) return std::nullopt;
    provenance.emplace_back(name, value.get<std::string>());
  }
  return provenance;
}

std::optional<Provenance> from_json_text(std::string_view text) {
  return from_object(Json::parse(text, nullptr, false));
}

std::optional<Provenance> in_json_file(std::string_view bytes) {
  const Json figure = Json::parse(bytes, nullptr, false);
  if (!figure.is_object() || !figure.contains("provenance")) return std::nullopt;
  return from_object(figure["provenance"]);
}

// Lines `begin`name: value`end`, up to the first other line that is whole. A file that ends before
// it is cut, and its last value may be so too.
std::optional<Provenance> in_comments(std::string_view bytes, std::string_view begin,
                                      std::string_view end) {
  Provenance provenance;
  for (;;) {
    const std::size_t length = bytes.find('\n');
    if (length == std::string_view::npos) return std::nullopt;
    std::string_view line = bytes.substr(0, length);
    bytes.remove_prefix(length + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() < begin.size() + end.size() || !line.starts_with(begin) || !line.ends_with(end))
      return provenance;
    line = line.substr(begin.size(), line.size() - begin.size() - end.size());
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos)
      provenance.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
}

// What a CSV file's comments say of the figure itself.
std::optional<Provenance> in_csv(std::string_view bytes) {
  std::optional<Provenance> provenance = in_comments(bytes, "# ", "");
  if (provenance) {
    std::erase_if(*provenance, [](const auto& entry) {
      return entry.first == "title" || entry.first == "sentence";
    });
  }
  return provenance;
}

std::optional<Provenance> in_file(std::string_view bytes) {
  const auto from_text = [](const std::optional<std::string>& text) {
    return text ? from_json_text(*text) : std::nullopt;
  };
  constexpr std::string_view kEndOfPng = "IEND\xae\x42\x60\x82";
  if (is_png(bytes) && !bytes.ends_with(kEndOfPng)) return std::nullopt;
  if (is_png(bytes)) return from_text(png_text(bytes, "Provenance"));
  if (bytes.starts_with("GIF8")) return from_text(gif_comment(bytes));
  if (bytes.starts_with("%PDF-")) return from_text(pdf_keywords(bytes));
  if (bytes.starts_with("<?xml")) return from_text(svg_metadata(bytes));
  if (bytes.starts_with("{")) return in_json_file(bytes);
  if (bytes.starts_with("# ")) return in_csv(bytes);
  if (bytes.starts_with("% ")) return in_comments(bytes, "% ", "");
  if (bytes.starts_with("<!-- ")) return in_comments(bytes, "<!-- ", " -->");
  return std::nullopt;
}

}  // namespace

Provenance stored_provenance(const std::filesystem::path& file, std::string_view bytes) {
  const std::optional<Provenance> provenance = in_file(bytes);
  if (provenance && provenance_value(*provenance, "program") == "dispersion_lab")
    return *provenance;
  throw FileError(file,
                  "does not say where it came from; expected a whole PNG, SVG, PDF, CSV, JSON, "
                  "LaTeX or Markdown file that dispersion_lab wrote");
}

std::string_view provenance_value(const Provenance& provenance, std::string_view name) {
  const auto found = std::ranges::find(provenance, name, &Provenance::value_type::first);
  return found == provenance.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace dispersion
