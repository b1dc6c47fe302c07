#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

// Declared as FreeType and cairo declare them, so that their headers need not be included here.
struct FT_FaceRec_;
using cairo_t = struct _cairo;                      // NOLINT(bugprone-reserved-identifier)
using cairo_font_face_t = struct _cairo_font_face;  // NOLINT(bugprone-reserved-identifier)

namespace dispersion {

enum class Weight { kRegular, kMedium };
enum class FontFamily { kSans, kSerif };

// Letters from `first` to `last`.
struct LetterRange {
  char32_t first;
  char32_t last;
};

// Scripts that run from right to left, or whose letters change shape beside each other. Text is set
// letter by letter from left to right, which would make other words of them, so they are written
// as escapes even where a font has them.
std::span<const LetterRange> scripts_not_set();

// The fonts of figures. Sans is Roboto, with DejaVu Sans for characters that Roboto lacks (some
// Greek letters, arrows, mathematics). Serif is Latin Modern, the font of LaTeX, with Latin Modern
// Math and DejaVu Serif for other characters; its medium weight is bold. All fonts are inside the
// program, so letters look the same at any scale and on every machine. What none of them has is
// written as an escape (\u4e2d), in text and in width; see shown().
class Typeface {
 public:
  explicit Typeface(FontFamily family = FontFamily::kSans);
  ~Typeface();
  Typeface(const Typeface&) = delete;
  Typeface& operator=(const Typeface&) = delete;

  // The text as it is written: with escapes, as of drawn_text() in core/io/text.h, for characters
  // that the fonts lack or that cannot be set letter by letter.
  std::string shown(std::string_view text, Weight weight) const;

  // The width of UTF-8 text. `size` is the height of the em; the width is in the same unit.
  double width(std::string_view text, double size, Weight weight) const;

  // Adds the outlines of the text to the path of the context. The baseline begins at (x, y).
  void append_path(cairo_t* context, std::string_view text, double x, double y, double size,
                   Weight weight) const;

  // Draws the same as text with its font, for files that can hold text.
  void show(cairo_t* context, std::string_view text, double x, double y, double size,
            Weight weight) const;

  FontFamily family() const { return family_; }

 private:
  struct Faces;
  cairo_font_face_t* cairo_font(FT_FaceRec_* face, bool twin) const;

  FontFamily family_;
  std::shared_ptr<Faces> faces_;
};

}  // namespace dispersion
