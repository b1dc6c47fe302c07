#include "app/export/figure_format.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace dispersion {
namespace {

constexpr std::array<std::pair<std::string_view, FigureFormat>, 9> kFormats = {
    {{"png", FigureFormat::kPng},
     {"svg", FigureFormat::kSvg},
     {"pdf", FigureFormat::kPdf},
     {"csv", FigureFormat::kCsv},
     {"json", FigureFormat::kJson},
     {"tex", FigureFormat::kTex},
     {"md", FigureFormat::kMarkdown},
     {"gif", FigureFormat::kGif},
     {"apng", FigureFormat::kApng}}};

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

std::optional<FigureFormat> format_of_ending(const std::filesystem::path& file) {
  const std::string extension = lower(file.extension().string());
  for (const auto& [name, format] : kFormats) {
    if (extension.size() == name.size() + 1 && extension.ends_with(name)) return format;
  }
  return std::nullopt;
}

FigureFormat figure_format(const std::filesystem::path& file) {
  const std::optional<FigureFormat> format = format_of_ending(file);
  if (format && !is_animation(*format)) return *format;
  throw std::invalid_argument(
      "'" + file.string() +
      "' should end in .png, .svg, .pdf, .csv, .json, .tex or .md, which says what it becomes");
}

std::string_view format_ending(FigureFormat format) {
  return std::ranges::find(kFormats, format, &decltype(kFormats)::value_type::second)->first;
}

bool is_animation(FigureFormat format) {
  return format == FigureFormat::kGif || format == FigureFormat::kApng;
}

bool is_picture(FigureFormat format) {
  return is_animation(format) || format == FigureFormat::kPng || format == FigureFormat::kSvg ||
         format == FigureFormat::kPdf;
}

}  // namespace dispersion
