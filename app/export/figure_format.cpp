#include "app/export/figure_format.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "app/export/figure_data.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// A new format needs a file with its writer and reader, their declarations in picture.h,
// figure_data.h or animation.h, and a row here.
constexpr std::array kFormats = {
    FigureFormat{"png", "PNG",
                 "Pixels, for slides and pages. The command figure --from FILE draws it again.",
                 FormatKind::kPixels, png_bytes,
                 [](std::string_view bytes) { return is_png(bytes) && !is_apng(bytes); },
                 png_provenance, png_figure},
    FigureFormat{"svg", "SVG",
                 "Vectors with real text, to edit. The command figure --from FILE draws it again.",
                 FormatKind::kVectors, svg_bytes,
                 [](std::string_view bytes) { return bytes.starts_with("<?xml"); }, svg_provenance,
                 svg_figure},
    FigureFormat{
        "pdf", "PDF",
        "Vectors and fonts, for LaTeX and print. The command figure --from FILE draws it again.",
        FormatKind::kVectors, pdf_bytes,
        [](std::string_view bytes) { return bytes.starts_with("%PDF-"); }, pdf_provenance,
        pdf_figure},
    FigureFormat{"csv", "CSV", "One tidy table of every number in the figure.", FormatKind::kData,
                 figure_csv, is_figure_csv, csv_provenance},
    FigureFormat{"json", "JSON", "The whole figure. The command figure --from FILE draws it again.",
                 FormatKind::kData, figure_json,
                 [](std::string_view bytes) { return bytes.starts_with("{"); }, json_provenance,
                 [](std::string_view bytes) { return std::optional<std::string>(bytes); }},
    FigureFormat{"tex", "TeX", "The tables for a LaTeX document with booktabs.",
                 FormatKind::kTables, figure_tex,
                 [](std::string_view bytes) { return bytes.starts_with("% "); }, tex_provenance},
    FigureFormat{"md", "MD", "The tables as Markdown.", FormatKind::kTables, figure_markdown,
                 [](std::string_view bytes) { return bytes.starts_with("<!-- "); },
                 markdown_provenance},
    FigureFormat{"gif", "GIF", "The doubling of n as an animation, in 256 colours.",
                 FormatKind::kAnimation, gif_bytes, is_gif, gif_provenance},
    FigureFormat{.ending = "apng",
                 .name = "APNG",
                 .help = "The doubling of n as an animation, in all colours.",
                 .kind = FormatKind::kAnimation,
                 .write = apng_bytes,
                 .recognises = is_apng,
                 .read_provenance = png_provenance,
                 .other_ending = "png"}};

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// The ending of a file name: "png" for "figures/A.PNG".
std::string ending_of(const std::filesystem::path& file) {
  const std::string extension = lower(file.extension().string());
  return extension.empty() ? extension : extension.substr(1);
}

// "a, b or c".
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " or ";
    text += words[i];
  }
  return text;
}

// This text of each format for one figure, or for an animation.
std::vector<std::string> texts_of(bool animation, std::string_view FigureFormat::*text) {
  std::vector<std::string> texts;
  for (const FigureFormat& format : kFormats) {
    if (is_animation(format) == animation) texts.emplace_back(format.*text);
  }
  return texts;
}

}  // namespace

std::span<const FigureFormat> figure_formats() {
  return kFormats;
}

const FigureFormat& figure_format(std::string_view ending) {
  const auto found = std::ranges::find(kFormats, ending, &FigureFormat::ending);
  if (found == kFormats.end())
    throw std::invalid_argument("no format '" + std::string(ending) + "'");
  return *found;
}

const FigureFormat* format_of_ending(const std::filesystem::path& file) {
  const auto found = std::ranges::find(kFormats, ending_of(file), &FigureFormat::ending);
  return found == kFormats.end() ? nullptr : &*found;
}

const FigureFormat* format_of_bytes(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const auto found = std::ranges::find_if(
      kFormats, [bytes](const FigureFormat& format) { return format.recognises(bytes); });
  return found == kFormats.end() ? nullptr : &*found;
}

const FigureFormat& format_to_write(const std::filesystem::path& file, bool animation) {
  for (const FigureFormat& format : kFormats) {
    if (is_animation(format) == animation && ending_fits(file, format)) return format;
  }
  std::vector<std::string> endings;
  for (const FigureFormat& format : kFormats) {
    if (is_animation(format) != animation) continue;
    endings.push_back(std::string(".").append(format.ending));
    if (!format.other_ending.empty())
      endings.push_back(std::string(".").append(format.other_ending));
  }
  throw std::invalid_argument(in_quotes(file.string()) + " should end in " + listed(endings) +
                              ", which says what it becomes");
}

bool ending_fits(const std::filesystem::path& file, const FigureFormat& format) {
  const std::string ending = ending_of(file);
  return !ending.empty() && (ending == format.ending || ending == format.other_ending);
}

std::vector<std::string> format_endings(bool animation) {
  return texts_of(animation, &FigureFormat::ending);
}

std::string format_names(bool animation) {
  return listed(texts_of(animation, &FigureFormat::name));
}

std::string format_help(bool animation) {
  std::string help;
  for (const FigureFormat& format : kFormats) {
    if (is_animation(format) != animation) continue;
    help.append("  .").append(format.ending);
    if (!format.other_ending.empty()) help.append(" or .").append(format.other_ending);
    help.append("  ").append(format.help).append("\n");
  }
  return help;
}

}  // namespace dispersion
