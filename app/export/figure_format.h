#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/export/animation.h"
#include "app/export/picture.h"

namespace dispersion {

enum class FormatKind {
  kPixels,     // a picture
  kVectors,    // a picture at any scale
  kData,       // the numbers of any figure
  kTables,     // the tables of a figure that has some
  kAnimation,  // a picture that shows several figures one after the other
};

using PictureWriter = std::string (*)(const Figure&, const SheetSize&, const DrawOptions&);
using DataWriter = std::string (*)(const Figure&);
using AnimationWriter = std::string (*)(const Animation&);

// A file format for exported figures. Commands, the export dialog and messages know a format only
// by its row in the table of figure_format.cpp.
struct FigureFormat {
  std::string_view ending;  // of file names, in small letters and without the dot
  std::string_view name;    // for buttons and messages
  std::string_view help;    // for the dialog and --help: a sentence or two
  FormatKind kind;
  std::variant<PictureWriter, DataWriter, AnimationWriter> write;  // for the kind

  // Whether a file with these bytes is of this format.
  bool (*recognises)(std::string_view bytes);
  std::optional<Provenance> (*read_provenance)(std::string_view bytes);
  // Reads the JSON of the figure that a file carries; null for a format that cannot carry one.
  std::optional<std::string> (*read_figure)(std::string_view bytes) = nullptr;

  std::string_view other_ending = {};  // which files of an animation may have too
};

// All formats, in the order in which the dialog lists them.
std::span<const FigureFormat> figure_formats();

// The format with this ending. Throws std::invalid_argument if there is none.
const FigureFormat& figure_format(std::string_view ending);

// The format that the ending of the file name says, in capital or small letters; null if none does.
const FigureFormat* format_of_ending(const std::filesystem::path& file);

// The format of a file with these bytes; null if it is none of these formats.
const FigureFormat* format_of_bytes(std::string_view bytes);

// The format in which one figure, or an animation, is written to this file. Throws
// std::invalid_argument, which lists the possible endings, if the file name has none of them.
const FigureFormat& format_to_write(const std::filesystem::path& file, bool animation = false);

// Whether the file name has an ending of this format.
bool ending_fits(const std::filesystem::path& file, const FigureFormat& format);

inline bool is_animation(const FigureFormat& format) {
  return format.kind == FormatKind::kAnimation;
}

// Whether the format is a picture or an animation. The other formats hold numbers, which do not
// depend on a style.
inline bool is_picture(const FigureFormat& format) {
  return format.kind != FormatKind::kData && format.kind != FormatKind::kTables;
}

// The endings of the formats of one figure, or of an animation.
std::vector<std::string> format_endings(bool animation = false);

// "PNG, SVG or PDF": the formats of one figure, or of an animation.
std::string format_names(bool animation = false);

// The endings of these formats with a description of each, for --help.
std::string format_help(bool animation = false);

}  // namespace dispersion
