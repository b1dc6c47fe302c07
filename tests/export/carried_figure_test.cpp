// A figure that no command makes again travels inside its pictures and comes out of them whole, or
// not at all.

#include "app/export/figure_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/export/encodings.h"
#include "app/export/figure_data.h"
#include "app/export/picture.h"
#include "core/io/file.h"
#include "core/io/json.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/sample_figure.h"
#include "tests/export/tools.h"

namespace dispersion {
namespace {

constexpr SheetSize kSize = {300 * 25.4 / 96, 900 * 25.4 / 96, 9.75, 40};

Figure window_figure() {
  Figure figure = sample_figure();
  figure.title = "</metadata>endstream ]]> Größe & \"注意\" /EmbeddedFile";
  return figure;
}

Figure command_figure() {
  Figure figure = window_figure();
  figure.provenance.emplace_back("command", "figure sample");
  return figure;
}

std::vector<std::pair<std::string, std::string>> pictures(const Figure& figure) {
  return {{"png", png_bytes(figure, kSize, DrawOptions())},
          {"svg", svg_bytes(figure, kSize, DrawOptions())},
          {"pdf", pdf_bytes(figure, kSize, DrawOptions())}};
}

// Its JSON; "" if there is none, "refused" if what is there is broken.
std::string stored_json(std::string_view bytes) {
  try {
    const auto figure = stored_figure("a", bytes);
    return figure ? figure_json(*figure) : "";
  } catch (const FileError&) {
    return "refused";
  }
}

TEST(CarriedFigure, ComesOutAsItWentIn) {
  const std::string wanted = figure_json(window_figure());
  for (const auto& [format, bytes] : pictures(window_figure()))
    EXPECT_EQ(stored_json(bytes), wanted) << format;
  EXPECT_EQ(stored_json(wanted), wanted);
}

// Characters that Unicode keeps free: XML has none of the last two, and cairo writes none of them.
TEST(CarriedFigure, KeepsCharactersThatCannotBeWritten) {
  for (const char* title : {"\uFFFE\uFFFF", "\uFDD0", "\U0001FFFF"}) {
    Figure figure = window_figure();
    figure.title = Statement::naming(title);
    for (const auto& [format, bytes] : pictures(figure))
      EXPECT_EQ(stored_json(bytes), figure_json(figure)) << format;
  }
}

TEST(CarriedFigure, IsLeftOutWhereACommandMakesItAgain) {
  for (const auto& [format, bytes] : pictures(command_figure()))
    EXPECT_EQ(stored_json(bytes), "") << format;
}

TEST(CarriedFigure, OfACutFileIsWholeOrNone) {
  const std::string wanted = figure_json(window_figure());
  for (const auto& [format, bytes] : pictures(window_figure())) {
    int whole = 0;
    for (std::size_t length = 0; length < bytes.size(); length += 97) {
      const std::string json = stored_json(std::string_view(bytes).substr(0, length));
      whole += json == wanted;
      EXPECT_EQ(json, whole > 0 ? wanted : "") << format << length;
    }
  }
}

// Checksums find every change of what PNG and PDF hold; an SVG is text that people may edit.
TEST(CarriedFigure, OfAChangedFileIsItselfOrNone) {
  std::mt19937 random(1);
  const std::string wanted = figure_json(window_figure());
  for (const auto& [format, bytes] : pictures(window_figure())) {
    const std::size_t interesting = std::max(bytes.size(), std::size_t{6000}) - 6000;
    int changes = 0;
    for (int round = 0; round < 300; ++round) {
      std::string changed = bytes;
      // The PNG has it at its beginning and the PDF at its end.
      const std::size_t at = random() % std::min<std::size_t>(6000, bytes.size());
      changed[format == "pdf" ? interesting + at : at] = static_cast<char>(random());
      const std::string json = stored_json(changed);
      changes += json != wanted;
      EXPECT_TRUE(format == "svg" || json == wanted || json.empty()) << format << at;
    }
    EXPECT_GT(changes, 10) << format;
  }
}

TEST(CarriedFigure, ChangesNothingThatIsSeen) {
  const TemporaryFolder folder;
  const auto raster = [&](const Figure& figure, const std::string& name) {
    write_bytes(folder / (name + ".pdf"), pdf_bytes(figure, kSize, DrawOptions()));
    run_tool(
        {"pdftoppm", "-png", "-singlefile", "-r", "50", folder / (name + ".pdf"), folder / name});
    return read_png(folder / (name + ".png"));
  };
  Figure told = window_figure();
  told.provenance = {{"command", "figure"}};
  Figure untold = window_figure();
  untold.provenance = {{"look", "figure"}};
  EXPECT_EQ(largest_difference(raster(told, "told"), raster(untold, "untold")), 0);
  Figure other = window_figure();
  other.title = "Another title";
  EXPECT_GT(largest_difference(raster(told, "told"), raster(other, "other")), 0);
}

TEST(PdfAttachment, IsOneForEveryReader) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.pdf", pdf_bytes(window_figure(), kSize, DrawOptions()));
  EXPECT_EQ(run_tool({"pdfdetach", "-list", folder / "a.pdf"}),
            "1 embedded files\n1: figure.json\n");
  run_tool({"pdfdetach", "-save", "1", "-o", folder / "b.json", folder / "a.pdf"});
  EXPECT_EQ(read_bytes(folder / "b.json"), figure_json(window_figure()));
  write_bytes(folder / "c.pdf", pdf_bytes(command_figure(), kSize, DrawOptions()));
  EXPECT_EQ(run_tool({"pdfdetach", "-list", folder / "c.pdf"}), "0 embedded files\n");
}

TEST(PdfAttachment, IsTheLastOne) {
  const std::string pdf = pdf_bytes(window_figure(), kSize, DrawOptions());
  EXPECT_EQ(pdf_figure(with_attachment(pdf, "newer")), "newer");
  EXPECT_EQ(pdf_figure("%PDF-1.4\n"), std::nullopt);
  EXPECT_THROW(with_attachment("%PDF-1.5\nstartxref\n9\n%%EOF\n", "a"), std::runtime_error);
}

TEST(Compressed, BringsEverythingBack) {
  std::mt19937 random(2);
  std::string noise;
  for (int i = 0; i < 200'000; ++i)
    noise += static_cast<char>(random());
  for (const std::string& bytes :
       {std::string(), std::string(1, '\0'), std::string(1'000'000, 'a'), noise}) {
    const std::string stream = compressed(bytes);
    EXPECT_EQ(uncompressed(stream, bytes.size()), bytes);
    EXPECT_EQ(uncompressed(stream + "a", bytes.size()), std::nullopt);
    EXPECT_EQ(uncompressed(stream.substr(0, stream.size() - 1), bytes.size()), std::nullopt);
    if (!bytes.empty()) {
      EXPECT_THROW(uncompressed(stream, bytes.size() - 1), LimitError);
    }
  }
  EXPECT_LT(compressed(std::string(1'000'000, 'a')).size(), 2000U);
  EXPECT_EQ(uncompressed("no stream", 100), std::nullopt);
}

}  // namespace
}  // namespace dispersion
