// The same figure in every format, drawn by the tools that other people use.

#include "app/export/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <locale>
#include <regex>
#include <string>
#include <vector>

#include "app/export/encodings.h"
#include "app/export/svg_canvas.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/sample_figure.h"
#include "tests/export/tools.h"

namespace dispersion {
namespace {

// 1000 x 760 units at 144 dots per inch: 1500 x 1140 pixels.
constexpr SheetSize kSize = {1000 * 25.4 / 96, 760 * 25.4 / 96, 9.75, 144};

// Letters and edges are filled a little otherwise by other programs. Measured: 22 for PDF, 28 for
// SVG; a word that is missing gives 80.
constexpr double kTolerance = 40;

using MakeBytes = std::string (*)(const Figure&, const SheetSize&, const DrawOptions&);

Raster raster_of_png(const Figure& figure, const DrawOptions& options = {}) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.png", png_bytes(figure, kSize, options));
  return read_png(folder / "a.png");
}

Raster raster_of_pdf(const Figure& figure, const DrawOptions& options = {}) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.pdf", pdf_bytes(figure, kSize, options));
  run_tool({"pdftoppm", "-png", "-singlefile", "-scale-to-x", "1500", "-scale-to-y", "1140",
            folder / "a.pdf", folder / "a"});
  return read_png(folder / "a.png");
}

Raster raster_of_svg(const Figure& figure, const DrawOptions& options = {}) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.svg", svg_bytes(figure, kSize, options));
  run_tool({"rsvg-convert", "--width", "1500", "--height", "1140", "-o", folder / "a.png",
            folder / "a.svg"});
  return read_png(folder / "a.png");
}

TEST(Picture, Behaviour20_IsTheSameInEveryFormat) {
  for (const bool surfaces : {false, true}) {
    DrawOptions options;
    options.surfaces = surfaces;
    const Raster png = raster_of_png(sample_figure(), options);
    ASSERT_EQ(png.width, 1500);
    ASSERT_EQ(png.height, 1140);
    EXPECT_LT(largest_difference(png, raster_of_pdf(sample_figure(), options)), kTolerance);
    EXPECT_LT(largest_difference(png, raster_of_svg(sample_figure(), options)), kTolerance);
  }
}

// rsvg-convert takes the same fonts from the machine, so a letter that came from elsewhere is seen.
TEST(Picture, IsTheSameInEveryFormatWithTheLettersOfLatex) {
  DrawOptions options;
  options.family = FontFamily::kSerif;
  const Raster png = raster_of_png(sample_figure(), options);
  EXPECT_LT(largest_difference(png, raster_of_pdf(sample_figure(), options)), kTolerance);
  EXPECT_LT(largest_difference(png, raster_of_svg(sample_figure(), options)), kTolerance);
  EXPECT_GT(largest_difference(png, raster_of_png(sample_figure())), kTolerance);
}

// The comparison is sharp: it sees a line that is moved, a cell of another colour and a word that
// is missing.
TEST(Picture, OfAnotherFigureIsSeenToDiffer) {
  const Raster png = raster_of_png(sample_figure());
  Figure moved = sample_figure();
  for (double& y : moved.plots[0].series[0].y)
    y -= 0.2;
  Figure recoloured = sample_figure();
  recoloured.grids[0].strips[1].frames[2].values[7] = 1;
  Figure without = sample_figure();
  without.tables[0].rows[1][2].text = "";
  for (const Figure& other : {moved, recoloured, without}) {
    EXPECT_GT(largest_difference(png, raster_of_pdf(other)), kTolerance);
    EXPECT_GT(largest_difference(png, raster_of_svg(other)), kTolerance);
  }
}

// So does that of surfaces: it sees one that is a little lower.
TEST(Picture, OfAnotherSurfaceIsSeenToDiffer) {
  DrawOptions options;
  options.surfaces = true;
  const Raster png = raster_of_png(sample_figure(), options);
  Figure lower = sample_figure();
  for (float& value : lower.fields[0].values)
    value *= 0.8F;
  EXPECT_GT(largest_difference(png, raster_of_pdf(lower, options)), kTolerance);
  EXPECT_GT(largest_difference(png, raster_of_svg(lower, options)), kTolerance);
}

// Bytes do not depend on the locale: neither C's nor C++'s, here one with a decimal comma.
struct CommaPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Picture, Behaviour21_HasTheSameBytesTwiceInAnyLocaleAndTimeZone) {
  for (const MakeBytes make : {png_bytes, svg_bytes, pdf_bytes}) {
    const std::string bytes = make(sample_figure(), kSize, DrawOptions());
    const std::locale before =
        std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
    const bool german = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    ::setenv("TZ", "Asia/Tokyo", 1);
    EXPECT_TRUE(make(sample_figure(), kSize, DrawOptions()) == bytes) << german;
    ::unsetenv("TZ");
    std::locale::global(before);
    std::setlocale(LC_ALL, "C");
  }
}

TEST(Pdf, HasItsFontsInItAndItsWordsAsText) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.pdf", pdf_bytes(sample_figure(), kSize, DrawOptions()));
  const std::string fonts = run_tool({"pdffonts", folder / "a.pdf"});
  // Columns after the type: embedded, subset, with a table of characters.
  const std::regex row("^[A-Z]{6}\\+(\\S+) .* yes yes yes ", std::regex::multiline);
  std::vector<std::string> names;
  for (std::sregex_iterator i(fonts.begin(), fonts.end(), row), end; i != end; ++i)
    names.push_back((*i)[1]);
  EXPECT_EQ(std::ranges::count(fonts, '\n'), 2 + static_cast<long>(names.size())) << fonts;
  EXPECT_GE(names.size(), 3U) << fonts;  // Roboto in two weights, DejaVu Sans
  const std::string text = run_tool({"pdftotext", "-raw", folder / "a.pdf", "-"});
  for (const char* words : {"Everything a figure has", "adaptive θ", "a & b_c, \"d\"", "β(H)",
                            "number of items n", "with θ ≤ 1", "entropy H (nats)"})
    EXPECT_TRUE(contains(text, words)) << words << "\n" << text;
}

TEST(Pdf, HasTheLettersOfLatexInItWhereTheyAreAskedFor) {
  const TemporaryFolder folder;
  DrawOptions options;
  options.family = FontFamily::kSerif;
  write_bytes(folder / "a.pdf", pdf_bytes(sample_figure(), kSize, options));
  const std::string fonts = run_tool({"pdffonts", folder / "a.pdf"});
  for (const char* name : {"+LMRoman10-Regular ", "+LMRoman10-Bold ", "+LatinModernMath-Regular "})
    EXPECT_TRUE(contains(fonts, name)) << fonts;
  EXPECT_FALSE(contains(fonts, "Roboto")) << fonts;
  EXPECT_FALSE(contains(fonts, " no ")) << fonts;  // each embedded, subset, with its characters
  const std::string text = run_tool({"pdftotext", "-raw", folder / "a.pdf", "-"});
  for (const char* words : {"adaptive θ", "β(H)", "with θ ≤ 1", "entropy H (nats)"})
    EXPECT_TRUE(contains(text, words)) << words << "\n" << text;
}

// A group on the page is of no use, and pdfTeX warns where two pages with groups meet on one.
TEST(Pdf, GivesItsPageNoTransparencyGroup) {
  const std::string pdf = pdf_bytes(sample_figure(), kSize, DrawOptions());
  EXPECT_TRUE(contains(pdf, "/Type /Page "));
  EXPECT_FALSE(contains(pdf, "/Group")) << "left in";
  EXPECT_FALSE(contains(pdf, "/Transparency")) << "left in";
  const TemporaryFolder folder;
  write_bytes(folder / "a.pdf", pdf);
  EXPECT_TRUE(contains(run_tool({"pdfinfo", folder / "a.pdf"}), "Pages:           1"));
}

TEST(Pdf, SaysWhereItCameFromAndNoTime) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.pdf", pdf_bytes(sample_figure(), kSize, DrawOptions()));
  const std::string info = run_tool({"pdfinfo", folder / "a.pdf"});
  EXPECT_TRUE(contains(info, "Everything a figure has")) << info;
  EXPECT_TRUE(contains(info, R"({"program":"dispersion_lab","seed":"1","step":"100000"})")) << info;
  EXPECT_TRUE(contains(info, "Page size:       750 x 570 pts")) << info;
  EXPECT_FALSE(contains(info, "Date")) << info;
}

TEST(Svg, HasRealTextOneImagePerFieldAndNoNumberThatIsNone) {
  const std::string svg = svg_bytes(sample_figure(), kSize, DrawOptions());
  for (const char* part :
       {">adaptive θ</text>", ">a &amp; b_c, &quot;d&quot;</text>", ">a &lt; b, &quot;both&quot;<",
        "<title>Everything a figure has</title>", "image-rendering:pixelated",
        "width=\"264.583333mm\"", "viewBox=\"0 0 1000 760\"",
        "<metadata>{&quot;program&quot;:&quot;dispersion_lab&quot;"})
    EXPECT_TRUE(contains(svg, part)) << part;
  // Six frames, the field and two colour bars, and not a rectangle per cell.
  const std::regex image("<image");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), image), {}), 9);
  EXPECT_FALSE(std::regex_search(svg, std::regex("[\" ,](-?nan|-?inf)[\" ,]")));
}

std::string chunk_text(const std::string& png, const std::string& keyword) {
  const std::size_t at = png.find("iTXt" + keyword + std::string(5, '\0'));
  if (at == std::string::npos) return "absent";
  std::size_t length = 0;
  for (std::size_t i = 4; i > 0; --i)
    length = length << 8 | static_cast<unsigned char>(png[at - i]);
  const std::size_t head = keyword.size() + 5;
  return png.substr(at + 4 + head, length - head);
}

TEST(Png, HasItsSizeAndWhereItCameFromInIt) {
  const std::string png = png_bytes(sample_figure(), kSize, DrawOptions());
  EXPECT_EQ(chunk_text(png, "Title"), "Everything a figure has");
  EXPECT_EQ(chunk_text(png, "Description"), sample_figure().sentence.text());
  EXPECT_EQ(chunk_text(png, "Provenance"),
            R"({"program":"dispersion_lab","seed":"1","step":"100000"})");
  // 144 dots per inch are 5669 per metre.
  EXPECT_TRUE(contains(png, std::string("pHYs\0\0\x16\x25\0\0\x16\x25\1", 13)));
}

TEST(Png, HasThePixelsThatAPreviewShows) {
  DrawOptions options;
  options.transparent = true;
  for (const bool transparent : {false, true}) {
    options.transparent = transparent;
    const Pixels pixels = picture_pixels(sample_figure(), kSize, options);
    const Raster png = raster_of_png(sample_figure(), options);
    ASSERT_EQ(pixels.width, png.width);
    ASSERT_EQ(pixels.height, png.height);
    int largest = 0;
    for (std::size_t i = 0; i < pixels.rgba.size(); ++i) {
      const auto alpha = static_cast<int>(pixels.rgba[i] >> 24);
      const auto over_white = [&](int shift) {
        const auto value = static_cast<int>(pixels.rgba[i] >> shift & 255);
        return 255 + (value - 255) * alpha / 255;
      };
      largest = std::max({largest, std::abs(over_white(0) - png.red[i]),
                          std::abs(over_white(8) - png.green[i]),
                          std::abs(over_white(16) - png.blue[i])});
    }
    EXPECT_LE(largest, transparent ? 2 : 0);  // alpha is rounded in both
    EXPECT_EQ(pixels.rgba.front() >> 24, transparent ? 0 : 255);
  }
}

TEST(Png, CanBeTransparentWhereThereIsNoInk) {
  DrawOptions options;
  options.transparent = true;
  options.palette.text = rgb(0xFFFFFF);
  Figure figure;
  figure.title = "White on nothing";
  const Raster raster = raster_of_png(figure, options);
  EXPECT_EQ(*std::ranges::min_element(raster.red), 255);  // read over white paper
  EXPECT_EQ(*std::ranges::max_element(raster.red), 255);
  options.transparent = false;
  options.palette.panel = rgb(0x000000);
  EXPECT_EQ(raster_of_png(figure, options).red.front(), 0);
}

TEST(Picture, RefusesSizesThatAreNone) {
  for (SheetSize size : {SheetSize{0, 100, 9, 96}, SheetSize{100, -1, 9, 96},
                         SheetSize{100, 100, 9, std::nan("")}, SheetSize{100, 100, 0, 96}}) {
    for (const MakeBytes make : {png_bytes, svg_bytes, pdf_bytes})
      EXPECT_THROW(make(Figure(), size, DrawOptions()), std::invalid_argument);
  }
  EXPECT_THROW(png_bytes(Figure(), {1000, 100, 9, 2000}, DrawOptions()), std::invalid_argument);
}

TEST(Svg, WritesNumbersAndTextAsXmlWantsThem) {
  EXPECT_EQ(svg_number(12.5), "12.5");
  EXPECT_EQ(svg_number(100), "100");
  EXPECT_EQ(svg_number(-0.0001), "0");
  EXPECT_EQ(svg_number(1.0 / 3), "0.333");
  EXPECT_EQ(svg_number(-1e300).size(), 302U);
  EXPECT_EQ(xml_text("a<b>&'\"\x01\xFFπ"), "a&lt;b&gt;&amp;&apos;&quot;\uFFFD\uFFFDπ");
}

// RFC 4648, section 10.
TEST(Base64, IsAsInTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Utf8, TakesWhatIsGoodAndReplacesTheRest) {
  const auto round = [](std::string_view text) {
    std::string result;
    while (!text.empty())
      append_character(result, take_character(text));
    return result;
  };
  for (const char* good : {"plain", "é", "θ ≤ 1", "😀"})
    EXPECT_EQ(round(good), good);
  EXPECT_EQ(round("\xC3"), "\uFFFD");                           // cut off
  EXPECT_EQ(round("\xC0\xAF"), "\uFFFD\uFFFD");                 // overlong
  EXPECT_EQ(round("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");       // surrogate
  EXPECT_EQ(round("\xF5\x80\x80\x80").substr(0, 3), "\uFFFD");  // beyond Unicode
}

}  // namespace
}  // namespace dispersion
