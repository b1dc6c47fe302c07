// Letters that no font of a figure has, and words that are wider than a line.

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "app/export/picture.h"
#include "app/export/svg_canvas.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/tools.h"

namespace dispersion {
namespace {

constexpr SheetSize kSize = {200, 60, 9.75, 144};

// Chinese; an emoji beyond the first 2^16 characters; Hebrew and Arabic, which run from right to
// left although a font has their letters; Devanagari; a joiner that cannot be seen; a line break;
// no UTF-8.
struct Written {
  const char* text;
  const char* shown;
};
constexpr Written kWritten[] = {
    {"ü 模型 🐨.safetensors", "ü \\u6a21\\u578b \\U0001f428.safetensors"},
    {"א and ب", "\\u05d0 and \\u0628"},
    {"क", "\\u0915"},
    {"a\u200db\nc", "a\\u200db\\x0ac"},
    {"a\xff", "a\\xff"},
    {"größer: θ(n) = √β, Жуй → −1", "größer: θ(n) = √β, Жуй → −1"},
};

Figure titled(const std::string& title) {
  Figure figure;
  figure.title = Statement::naming(title);
  return figure;
}

constexpr FontFamily kFamilies[] = {FontFamily::kSans, FontFamily::kSerif};

DrawOptions in(FontFamily family) {
  DrawOptions options;
  options.family = family;
  return options;
}

TEST(Letters, ThatNoFontHasAreWrittenAsEscapes) {
  for (const FontFamily family : kFamilies) {
    const Typeface typeface(family);
    for (const auto& [text, shown] : kWritten) {
      for (const Weight weight : {Weight::kRegular, Weight::kMedium}) {
        EXPECT_EQ(typeface.shown(text, weight), shown);
        EXPECT_DOUBLE_EQ(typeface.width(text, 10, weight), typeface.width(shown, 10, weight));
      }
    }
  }
}

TEST(Letters, ThatNoFontHasLookLikeTheirEscapesInPictures) {
  for (const FontFamily family : kFamilies) {
    for (const auto& [text, shown] : kWritten) {
      const Pixels pixels = picture_pixels(titled(text), kSize, in(family));
      EXPECT_TRUE(pixels.rgba == picture_pixels(titled(shown), kSize, in(family)).rgba) << shown;
      EXPECT_FALSE(pixels.rgba == picture_pixels(titled("other"), kSize, in(family)).rgba) << shown;
    }
  }
}

// What is copied is what is seen.
TEST(Letters, ThatNoFontHasAreTextInPdfAndSvg) {
  const TemporaryFolder folder;
  for (const FontFamily family : kFamilies) {
    for (const auto& [text, shown] : kWritten) {
      write_bytes(folder / "a.pdf", pdf_bytes(titled(text), kSize, in(family)));
      EXPECT_EQ(run_tool({"pdftotext", folder / "a.pdf", "-"}), shown + std::string("\n\n\f"));
      const std::string svg = svg_bytes(titled(text), kSize, in(family));
      EXPECT_TRUE(contains(svg, ">" + std::string(shown) + "</text>")) << shown;
    }
  }
}

// Different characters that look the same stay what they are.
TEST(Letters, ThatShareAGlyphAreCopiedFromPdfAsTheyAre) {
  const TemporaryFolder folder;
  for (const FontFamily family : kFamilies) {
    const std::string text = "\u00b5 \u03bc, \u2126 \u03a9, \u2206 \u0394, - \u2010 \u2212";
    write_bytes(folder / "a.pdf", pdf_bytes(titled(text), kSize, in(family)));
    EXPECT_EQ(run_tool({"pdftotext", folder / "a.pdf", "-"}), text + "\n\n\f");
  }
}

// A name of a file has no spaces to break it at, and escapes make it longer.
TEST(Letters, OfAWordWiderThanALineGoOnInTheNext) {
  const Typeface typeface;
  const SvgCanvas canvas(typeface);
  const Lettering style;
  std::string word;
  for (int i = 0; i < 60; ++i)
    word += i % 2 == 0 ? "模" : "ü";
  const std::string text = "head " + word + " seed 1";
  std::string joined;
  const std::vector<std::string> lines = canvas.lines(text, 200, style);
  for (const std::string& line : lines) {
    EXPECT_LE(canvas.text_width(line, style), 200) << line;
    joined += line;
  }
  EXPECT_GT(lines.size(), 5U);
  const auto without_spaces = [](const std::string& all) {
    return std::regex_replace(all, std::regex(" "), "");
  };
  EXPECT_EQ(without_spaces(joined), without_spaces(text));
  EXPECT_EQ(canvas.lines("a b", 1, style), (std::vector<std::string>{"a", "b"}));
}

// However narrow the lines are, as long as a number has room in one.
TEST(Letters, OfANumberStayWithItsNameAndItsUnit) {
  const Typeface typeface;
  const SvgCanvas canvas(typeface);
  const Lettering style;
  const std::string text = "at n = 16 the entropy is 2.4 nats in 35 % of the sets";
  for (double width = canvas.text_width("entropy is", style); width < 300; ++width) {
    std::string joined;
    for (const std::string& line : canvas.lines(text, width, style)) {
      for (const char* end : {"n", "=", "2.4", "35"})
        EXPECT_FALSE((" " + line).ends_with(std::string(" ") + end)) << line << " at " << width;
      joined += (joined.empty() ? "" : " ") + line;
    }
    EXPECT_EQ(joined, text);  // with the spaces that people search for
  }
}

}  // namespace
}  // namespace dispersion
