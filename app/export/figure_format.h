#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace dispersion {

enum class FigureFormat {
  kPng,
  kSvg,
  kPdf,
  kCsv,
  kJson,
  kTex,
  kMarkdown,
  kGif,   // of several figures, one after the other
  kApng,  // likewise
};

// By the end of the file's name, in either case; nothing for another one.
std::optional<FigureFormat> format_of_ending(const std::filesystem::path& file);

// The same of one figure: "png", "svg", "pdf", "csv", "json", "tex", "md". Throws
// std::invalid_argument that says what is expected: an animation is of more than one figure.
FigureFormat figure_format(const std::filesystem::path& file);

// "png" and so on: the end of the name of a file of this format.
std::string_view format_ending(FigureFormat format);

bool is_animation(FigureFormat format);

// Whether the format is a picture, also one that moves; the others are numbers and do not depend on
// a style.
bool is_picture(FigureFormat format);

}  // namespace dispersion
