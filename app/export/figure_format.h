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
  kAnimation,  // of several figures, one after the other
};

using PictureWriter = std::string (*)(const Figure&, const SheetSize&, const DrawOptions&);
using DataWriter = std::string (*)(const Figure&);
using AnimationWriter = std::string (*)(const Animation&);

// A format of files that figures are exported to. Its row in the table of figure_format.cpp is all
// that commands, dialog and messages know of it.
struct FigureFormat {
  std::string_view ending;  // of a file's name, in small letters, without the dot
  std::string_view name;    // for buttons and messages
  std::string_view help;    // for the dialog and --help: a sentence or two
  FormatKind kind;
  std::variant<PictureWriter, DataWriter, AnimationWriter> write;  // as the kind has it

  // Whether the bytes are those of a file of this format.
  bool (*recognises)(std::string_view bytes);
  std::optional<Provenance> (*read_provenance)(std::string_view bytes);
  // The JSON of the figure that such a file carries; null for a format that carries none.
  std::optional<std::string> (*read_figure)(std::string_view bytes) = nullptr;

  std::string_view other_ending = {};  // that an animation's file may have too
};

// All of them, in the order of the dialog.
std::span<const FigureFormat> figure_formats();

// The format with this ending. Throws std::invalid_argument.
const FigureFormat& figure_format(std::string_view ending);

// By the end of the file's name, in either case; null for another one.
const FigureFormat* format_of_ending(const std::filesystem::path& file);

// By what the file holds; null for another program's.
const FigureFormat* format_of_bytes(std::string_view bytes);

// The format of a file that one figure, or an animation, is to be written to. Throws
// std::invalid_argument that says which endings there are.
const FigureFormat& format_to_write(const std::filesystem::path& file, bool animation = false);

// Whether the path ends as files of the format do.
bool ending_fits(const std::filesystem::path& file, const FigureFormat& format);

inline bool is_animation(const FigureFormat& format) {
  return format.kind == FormatKind::kAnimation;
}

// Whether the format is a picture, also one that moves; the others are numbers and do not depend on
// a style.
inline bool is_picture(const FigureFormat& format) {
  return format.kind != FormatKind::kData && format.kind != FormatKind::kTables;
}

// The endings of the formats of one figure, or of an animation.
std::vector<std::string> format_endings(bool animation = false);

// "PNG, SVG or PDF": the formats of one figure, or of an animation.
std::string format_names(bool animation = false);

// Their endings, with what each file is, for --help.
std::string format_help(bool animation = false);

}  // namespace dispersion
