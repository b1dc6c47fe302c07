#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dispersion {

// Texts out of the files that the exporter writes. Nothing where there is none, where the file ends
// too early, or where it is not what it says: no length in it is believed.

bool is_png(std::string_view bytes);

// Of the chunk iTXt with this keyword, if its checksum is right.
std::optional<std::string> png_text(std::string_view bytes, std::string_view keyword);

// Whether it is a GIF, or a PNG that says before its pixels that it has frames.
bool is_animated(std::string_view bytes);

// Of the first comment before the frames of a GIF.
std::optional<std::string> gif_comment(std::string_view bytes);

// The text of the first element <metadata>, or of the first with this id; its entities resolved.
std::optional<std::string> svg_metadata(std::string_view bytes, std::string_view id = "");

// /Keywords of a PDF with a plain information dictionary: in ASCII, or in UTF-16 of ASCII letters.
std::optional<std::string> pdf_keywords(std::string_view bytes);

}  // namespace dispersion
