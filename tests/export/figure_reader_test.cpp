// A figure out of its JSON.

#include "app/export/figure_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "app/export/figure_data.h"
#include "core/io/error.h"
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
  const std::string bytes = figure_json(figure);
  const auto read = read_figure_json("figure.json", bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(figure_json(*read), bytes);
  EXPECT_EQ(figure_csv(*read), figure_csv(figure));
  EXPECT_EQ(read->provenance, figure.provenance);
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
    EXPECT_NE(refusal(bytes.substr(0, size)).find("is cut off or no JSON"), std::string::npos)
        << size;
}

TEST(FigureReader, SaysWhereWhatIsWrong) {
  const std::string bytes = figure_json(sample_figure());
  const std::pair<std::pair<std::string, std::string>, std::string> kWrong[] = {
      {{"\"grids\":[", "\"grits\":["}, "grids is missing"},
      {{"\"rows\":", "\"rows\":-"}, "grids[0].strips[0].frames[0].rows should be a whole number"},
      {{"\"columns\":", "\"columns\":1"},
       "grids[0].strips[0].frames[0].values should be a list of"},
      {{"\"scale\":\"", "\"scale\":\"un"},
       "grids[0].scale should be one of linear, square root, logarithmic"},
      {{"\"markers\":", "\"markers\":1,\"other\":"},
       "plots[0].series[0].markers should be true or false"},
      {{"\"y\":[", "\"y\":[\"a\","}, "should be a number or null"},
      {{"\"high\":[", "\"high\":[0.5,"}, "should be a list of"},
      {{"\"edge\":[", "\"edge\":[0,"}, "should be a list of"},
      {{"\"headings\":[", "\"headings\":[\"more\","}, "tables[0].rows should be a list of"},
      {{"\"title\":\"", "\"title\":3,\"other\":\""}, "title should be a text"},
  };
  for (const auto& [change, expected] : kWrong) {
    const std::string text = refusal(with(bytes, change.first, change.second));
    EXPECT_NE(text.find(expected), std::string::npos) << change.second << ": " << text;
    EXPECT_EQ(text.find("figure.json"), 0U);
  }
}

}  // namespace
}  // namespace dispersion
