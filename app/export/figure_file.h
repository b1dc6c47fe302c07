#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/export/style.h"

namespace dispersion {

enum class FigureFormat { kPng, kSvg, kPdf, kCsv, kJson, kTex, kMarkdown };

// By the end of the file's name, in either case: "png", "svg", "pdf", "csv", "json", "tex", "md".
// Throws std::invalid_argument that says what is expected.
FigureFormat figure_format(const std::filesystem::path& file);

// "png" and so on: the end of the name of a file of this format.
std::string_view format_ending(FigureFormat format);

// How a figure is to look in its file.
struct FigureDress {
  const Style* style;
  SizeWish size;
  Look look;
};

// The bytes of the file. Throws std::invalid_argument for a size that cannot be, or for a format
// that this figure has nothing for.
std::string figure_bytes(const Figure& figure, FigureFormat format, const FigureDress& dress);

}  // namespace dispersion
