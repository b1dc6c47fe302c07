// What an exported file says of itself is read back, and nothing that is cut, changed or foreign is
// believed.

#include "app/export/provenance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/export/figure_data.h"
#include "app/export/figure_file.h"
#include "app/export/picture.h"
#include "app/export/png.h"
#include "core/io/file.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/sample_figure.h"

namespace dispersion {
namespace {

constexpr SheetSize kSize = {300 * 25.4 / 96, 900 * 25.4 / 96, 9.75, 40};

Figure told_figure() {
  Figure figure = sample_figure();
  figure.title = "# title: (% <!-- <metadata>& /Keywords (no) -->";
  figure.provenance = {{"program", "dispersion_lab"},
                       {"head", "größer (1) \\ 'ein' \"Kopf\" & 注意.safetensors"},
                       {"recipe", R"({"l2":"half-kernels","l2_lambda":0.001})"},
                       {"command", "figure sample --seed 1"}};
  return figure;
}

// Name of the format and the bytes of the figure in it.
std::vector<std::pair<std::string, std::string>> every_format(const Figure& figure,
                                                              const DrawOptions& options = {}) {
  return {{"png", png_bytes(figure, kSize, options)},
          {"svg", svg_bytes(figure, kSize, options)},
          {"pdf", pdf_bytes(figure, kSize, options)},
          {"csv", figure_csv(figure)},
          {"json", figure_json(figure)},
          {"tex", figure_tex(figure)},
          {"md", figure_markdown(figure)}};
}

TEST(StoredProvenance, IsThatOfTheFigureInEveryFormat) {
  for (const auto& [format, bytes] : every_format(told_figure()))
    EXPECT_EQ(stored_provenance("a." + format, bytes), told_figure().provenance) << format;
}

// As an editor or a spreadsheet may save it.
TEST(StoredProvenance, IsReadBehindAByteOrderMark) {
  for (const auto& [format, bytes] : every_format(told_figure())) {
    if (format == "png" || format == "pdf") continue;
    EXPECT_EQ(stored_provenance("a." + format, "\xef\xbb\xbf" + bytes), told_figure().provenance)
        << format;
  }
  EXPECT_TRUE(stored_figure("a.json", "\xef\xbb\xbf" + figure_json(told_figure())));
}

// What a spreadsheet makes of a CSV: fields without the quotes around them.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = fields.back().empty() && (i == 0 || line[i - 1] == ',');
    if (line[i] == '"' && (quoted || begins)) {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

// The file as a spreadsheet saves it: every line with as many columns as the widest.
std::string from_spreadsheet(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::size_t columns = 0;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(fields_of(line));
    columns = std::max(columns, rows.back().size());
  }
  std::string saved;
  for (std::vector<std::string>& row : rows) {
    row.resize(columns);
    for (std::size_t i = 0; i < row.size(); ++i) {
      saved += i == 0 ? "" : ",";
      if (row[i].find_first_of("\",") == std::string::npos) {
        saved += row[i];
        continue;
      }
      saved += '"';
      for (const char c : row[i])
        saved += c == '"' ? "\"\"" : std::string(1, c);
      saved += '"';
    }
    saved += "\r\n";
  }
  return saved;
}

TEST(StoredProvenance, IsReadFromACsvThatASpreadsheetSaved) {
  Figure figure = told_figure();
  figure.title = "One, \"two\", three";
  figure.provenance = {{"program", "dispersion_lab"},
                       {"recipe", R"({"l2":"half-kernels","l2_lambda":0.001})"},
                       {"command", "figure bounds --transforms softmax,hard"},
                       {"note", "says \"so\" at the end"}};
  const std::string saved = from_spreadsheet(figure_csv(figure));
  EXPECT_TRUE(saved.find(",,,\r\n") != std::string::npos) << saved;
  EXPECT_TRUE(saved.find("\"# ") != std::string::npos) << saved;
  Provenance expected = figure.provenance;
  expected[1].second = R"({"l2":"half-kernels",l2_lambda:0.001})";  // lost to the spreadsheet
  EXPECT_EQ(stored_provenance("a.csv", saved), expected);
  EXPECT_EQ(stored_provenance("a.csv", "\xef\xbb\xbf" + saved), expected);
  for (std::size_t length = 0; length < saved.size(); length += 7) {
    try {
      EXPECT_EQ(stored_provenance("a.csv", saved.substr(0, length)), expected) << length;
    } catch (const FileError&) {
      continue;  // cut off within its provenance
    }
  }
}

TEST(StoredProvenance, OfANameThatIsNoUtf8IsUtf8) {
  Figure figure = told_figure();
  figure.provenance[1].second = "a\xff\x1b[2J.safetensors";
  for (const auto& [format, bytes] : every_format(figure)) {
    if (format == "png" || format == "pdf" || format == "svg" || format == "json") continue;
    EXPECT_EQ(provenance_value(stored_provenance("a." + format, bytes), "head"),
              "a\\xff\\x1b[2J.safetensors")
        << format;
  }
}

TEST(StoredProvenance, OfACutFileIsWholeOrAnError) {
  for (const auto& [format, bytes] : every_format(told_figure())) {
    int read = 0;
    const std::size_t step = bytes.size() / 3000 + 1;
    for (std::size_t length = 0; length < bytes.size(); length += length < 3000 ? 1 : step) {
      try {
        const std::string_view start = std::string_view(bytes).substr(0, length);
        EXPECT_EQ(stored_provenance("a", start), told_figure().provenance) << format << length;
        ++read;
      } catch (const FileError&) {
        EXPECT_EQ(read, 0) << format << length;  // what was whole stays whole
      }
    }
  }
}

TEST(StoredProvenance, OfAChangedFileIsReadOrRefused) {
  std::mt19937 random(1);
  for (const auto& [format, bytes] : every_format(told_figure())) {
    const std::size_t interesting = format == "pdf" ? bytes.size() : 2000;
    for (int round = 0; round < 300; ++round) {
      std::string changed = bytes;
      for (int change = 0; change < 3; ++change)
        changed[random() % std::min(interesting, changed.size())] = static_cast<char>(random());
      try {
        EXPECT_EQ(provenance_value(stored_provenance("a", changed), "program"), "dispersion_lab");
      } catch (const FileError&) {
        continue;
      }
    }
  }
}

// Unpacked, no provenance is larger than a megabyte: what is larger is refused before it is parsed.
TEST(StoredProvenance, HasAMostSizeInEveryFormat) {
  Figure figure = told_figure();
  DrawOptions unseen;  // drawing so long a text takes seconds
  unseen.with_provenance = false;
  figure.provenance.emplace_back("more", std::string(500'000, 'x'));
  for (const auto& [format, bytes] : every_format(figure, unseen))
    EXPECT_EQ(stored_provenance("a." + format, bytes), figure.provenance) << format;
  figure.provenance.back().second.append(600'000, 'x');
  for (const auto& file : every_format(figure, unseen)) {
    if (file.first == "json") continue;  // it has limits of its own
    const std::string name = "a." + file.first;
    const std::string error = error_text<FileError>([&] { stored_provenance(name, file.second); });
    EXPECT_EQ(error, name + ": its provenance is refused: it has more than 1048576 bytes");
  }
}

// test_figure_from.py measures the memory that this and the next take.
TEST(StoredProvenance, IsNotUnpackedPastItsMostSize) {
  const std::string png = png_bytes(told_figure(), kSize, DrawOptions());
  const std::string deep = std::string(60'000'000, '[');
  for (const bool compressed : {false, true}) {
    const std::string bytes = with_png_notes(png, 96, {{"Provenance", deep, compressed}});
    EXPECT_EQ(error_text<FileError>([&] { stored_provenance("deep.png", bytes); }),
              std::string("deep.png: its provenance is refused: it has more than 1048576 bytes") +
                  (compressed ? " when it is unpacked" : ""));
  }
  const std::string nested =
      with_png_notes(png, 96, {{"Provenance", std::string(1000, '['), true}});
  EXPECT_EQ(error_text<FileError>([&] { stored_provenance("a.png", nested); }),
            "a.png: its provenance is refused: JSON is nested more than 32 levels deep");
}

TEST(StoredProvenance, TheFirstBytesDecideBeforeTheRestIsRead) {
  const TemporaryFolder folder;
  write_bytes(folder / "large", "#!/bin/sh");
  std::filesystem::resize_file(folder / "large", std::uintmax_t{1} << 30);
  const auto refusal = [&] {
    return error_text<FileError>([&] { read_exported_file(folder / "large"); });
  };
  EXPECT_TRUE(contains(refusal(), "large: does not say where it came from")) << refusal();
  std::filesystem::resize_file(folder / "large", (std::uintmax_t{1} << 30) + 1);
  EXPECT_TRUE(contains(refusal(), "at most 1073741824")) << refusal();
}

TEST(StoredProvenance, OfAForeignFileIsRefusedByName) {
  const std::string png = png_bytes(told_figure(), kSize, DrawOptions());
  std::string long_chunk = png;
  long_chunk.replace(8, 4, "\xFF\xFF\xFF\xFF");
  std::string wrong_checksum = png;
  const std::size_t text = png.find("half-kernels");
  ASSERT_NE(text, std::string::npos);
  wrong_checksum[text] = 'H';
  Figure of_another_program = told_figure();
  of_another_program.provenance[0].second = "another";
  for (const std::string& bytes :
       {std::string(), std::string("\0", 1), std::string("hello\n"), std::string("{}"),
        std::string("{\"provenance\":[1]}"), std::string("{\"provenance\":{\"program\":1}}"),
        std::string(100'000, '['), std::string("<?xml version=\"1.0\"?><svg/>"),
        std::string("%PDF-1.4\n/Keywords <FEFF00"), std::string("# a,b\n1,2\n"), long_chunk,
        wrong_checksum, figure_json(of_another_program)}) {
    try {
      stored_provenance("old.png", bytes);
      ADD_FAILURE() << "accepted " << bytes.substr(0, 40);
    } catch (const FileError& error) {
      EXPECT_TRUE(contains(error.what(), "old.png: does not say where it came from; expected"))
          << error.what();
    }
  }
}

}  // namespace
}  // namespace dispersion
