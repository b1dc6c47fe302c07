#pragma once

#include <filesystem>
#include <string_view>

namespace dispersion {

enum class FigureFormat { kPng, kSvg, kPdf, kCsv, kJson, kTex, kMarkdown };

// By the end of the file's name, in either case: "png", "svg", "pdf", "csv", "json", "tex", "md".
// Throws std::invalid_argument that says what is expected.
FigureFormat figure_format(const std::filesystem::path& file);

// "png" and so on: the end of the name of a file of this format.
std::string_view format_ending(FigureFormat format);

// Whether the format is a picture; the others are numbers and do not depend on a dress.
bool is_picture(FigureFormat format);

}  // namespace dispersion
