// A figure out of its JSON.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "app/export/figure_data.h"
#include "core/io/file.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/sample_figure.h"

namespace dispersion {
namespace {

std::string refusal(const std::string& bytes) {
  try {
    read_figure_json("figure.json", bytes);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

std::string with(std::string bytes, const std::string& from, const std::string& to) {
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return bytes.replace(at, from.size(), to);
}

TEST(FigureReader, BringsEverythingBack) {
  Figure figure = sample_figure();
  figure.provenance = {{"program", "dispersion_lab"}, {"seed", "1"}};
  figure.tables[0].is_part = true;
  const std::string bytes = figure_json(figure);
  const auto read = read_figure_json("figure.json", bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(figure_json(*read), bytes);
  EXPECT_EQ(figure_csv(*read), figure_csv(figure));
  EXPECT_EQ(read->provenance, figure.provenance);
  EXPECT_TRUE(read->tables.at(0).is_part);
  const TableCell& cell = read->tables.at(0).rows.at(0).at(1);
  EXPECT_EQ(cell.value, 98.5714);
  EXPECT_EQ(cell.low, 98.4603);
  EXPECT_TRUE(std::isnan(read->tables.at(0).rows.at(1).at(1).value));
  EXPECT_EQ(read->tables.at(0).heading_values.at(2), 1024);
}

// Names that are numbers of items are plain in the file, for other programs, and thin in the
// figure.
TEST(FigureReader, BringsThinSpacesBack) {
  Figure figure = sample_figure();
  Table& table = figure.tables[0];
  table.headings = {"1\u2009024 items", "1\u2009024", "16"};
  table.heading_values = {std::nan(""), 1024, 16};
  table.rows[0][0] = {.text = "1\u2009048\u2009576", .value = 1048576};
  table.rows[1][0] = {.text = "2\u2009000", .value = 2000.5};  // rounded: no number of items
  const std::string bytes = figure_json(figure);
  const nlohmann::json json = nlohmann::json::parse(bytes)["tables"][0];
  EXPECT_EQ(json["headings"][0], table.headings[0]);
  EXPECT_EQ(json["headings"][1], "1 024");
  EXPECT_EQ(json["rows"][0][0]["text"], "1 048 576");
  EXPECT_EQ(json["rows"][1][0]["text"], table.rows[1][0].text);
  const auto read = read_figure_json("figure.json", bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tables[0].headings, table.headings);
  for (const int row : {0, 1})
    EXPECT_EQ(read->tables[0].rows[row][0].text, table.rows[row][0].text);
  EXPECT_EQ(figure_json(*read), bytes);
}

// As versions before wrote it, without what figures have got since.
TEST(FigureReader, TakesFilesOfBefore) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(figure_json(sample_figure()));
  for (const char* name : {"main_rows", "main_notes", "heading_values", "is_part"})
    ASSERT_EQ(json["tables"][0].erase(name), 1U) << name;
  for (const char* name : {"value", "low", "high"})
    ASSERT_EQ(json["tables"][0]["rows"][0][1].erase(name), 1U) << name;
  ASSERT_EQ(json["grids"][0].erase("frame_label"), 1U);
  ASSERT_EQ(json["plots"][0]["series"][0].erase("mark"), 1U);
  ASSERT_EQ(json["plots"][0].erase("unseen"), 1U);
  const auto read = read_figure_json("figure.json", json.dump());
  ASSERT_TRUE(read);
  const Table& table = read->tables.at(0);
  EXPECT_EQ(table.rows.at(0).at(1).text, "98.6 ± 0.1");
  EXPECT_TRUE(std::isnan(table.rows.at(0).at(1).value));
  EXPECT_EQ(table.main_rows, 0);
  EXPECT_TRUE(table.heading_values.empty());
  EXPECT_EQ(read->grids.at(0).frame_label, "");
  EXPECT_EQ(read->plots.at(0).series.at(0).mark, Mark::kDisc);
}

// figure.json as version 0.1.0 wrote it: every field, numbers that are not finite, every kind of
// text.
TEST(FigureReader, WritesTheBytesOfTheFirstVersion) {
  const std::string bytes = read_bytes(DISPERSION_EXPORT_DATA "/figure_0.1.0.json");
  const auto read = read_figure_json("figure.json", bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(figure_json(*read), bytes);
  EXPECT_EQ(read->tables.at(0).rows.at(0).at(0).text, "16\u2009384");
}

// As many keys as a file of that size can have, and none twice: refused at once.
TEST(FigureReader, DoesNotTakeAnObjectOfVeryManyKeys) {
  std::string bytes = "{\"name\":\"many\"";
  for (int i = 0; i < 150'000; ++i)
    bytes += ",\"" + std::to_string(i) + "\":0";
  EXPECT_NE(refusal(bytes + "}").find("more than 256 keys"), std::string::npos);
  EXPECT_NE(refusal("{\"name\":\"a\",\"name\":\"b\"}").find("'name' twice"), std::string::npos);
  EXPECT_NE(refusal("{\"name\":" + std::string(100, '[')).find("16 levels"), std::string::npos);
}

TEST(FigureReader, AnEmptyFigureIsOne) {
  const auto read = read_figure_json("figure.json", figure_json(Figure()));
  ASSERT_TRUE(read);
  EXPECT_EQ(figure_json(*read), figure_json(Figure()));
}

TEST(FigureReader, OtherFilesHaveNone) {
  EXPECT_FALSE(read_figure_json("figure.json", ""));
  EXPECT_FALSE(read_figure_json("figure.json", "{\"program\":1}"));
  EXPECT_FALSE(read_figure_json("figure.json", "%PDF-1.5"));
}

// Cut anywhere, it is refused and not read as less.
TEST(FigureReader, CutFilesAreRefused) {
  const std::string bytes = figure_json(sample_figure());
  for (std::size_t size = 8; size + 2 < bytes.size(); size += 97)
    EXPECT_NE(refusal(bytes.substr(0, size)).find("not valid JSON"), std::string::npos) << size;
}

TEST(FigureReader, SaysWhereWhatIsWrong) {
  const std::string bytes = figure_json(sample_figure());
  const std::pair<std::pair<std::string, std::string>, std::string> kWrong[] = {
      {{"\"grids\":[", "\"grits\":["}, "'grids' is missing"},
      {{"\"rows\":", "\"rows\":-"}, "'grids[0].strips[0].frames[0].rows' should be a whole number"},
      {{"\"columns\":", "\"columns\":1"},
       "'grids[0].strips[0].frames[0].values' should be a list of"},
      {{"\"scale\":\"", "\"scale\":\"un"},
       "'grids[0].scale' should be one of linear, square root, logarithmic"},
      {{"\"markers\":", "\"markers\":1,\"other\":"},
       "'plots[0].series[0].markers' should be true or false"},
      {{"\"y\":[", "\"y\":[\"a\","}, "should be a number"},
      {{"\"high\":[", "\"high\":[0.5,"}, "should be a list of"},
      {{"\"edge\":[", "\"edge\":[0,"}, "should be a list of"},
      {{"\"heading_values\":[", "\"heading_values\":[1,"},
       "'tables[0].heading_values' should be a list of 3"},
      {{"\"headings\":[", "\"headings\":[\"more\","}, "should be a list of"},
      {{"\"title\":\"", "\"title\":3,\"other\":\""}, "'title' should be a text"},
  };
  for (const auto& [change, expected] : kWrong) {
    const std::string text = refusal(with(bytes, change.first, change.second));
    EXPECT_NE(text.find(expected), std::string::npos) << change.second << ": " << text;
    EXPECT_EQ(text.find("figure.json"), 0U);
  }
}

}  // namespace
}  // namespace dispersion
