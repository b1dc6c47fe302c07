// Text from outside on its way into an error message.

#include "core/io/text.h"

#include <gtest/gtest.h>

#include <string>

namespace dispersion {
namespace {

TEST(ExactText, IsTheShortestThatReadsBackAsTheSame) {
  EXPECT_EQ(exact_text(0.1), "0.1");
  EXPECT_EQ(exact_text(0.1F), "0.1");
  EXPECT_EQ(exact_text(static_cast<double>(0.1F)), "0.10000000149011612");
  EXPECT_EQ(exact_text(300.0), "300");
  EXPECT_EQ(exact_text(5e-324), "5e-324");
}

TEST(InQuotes, KeepsWhatCanBePrinted) {
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("seed, step"), "'seed, step'");
  EXPECT_EQ(in_quotes("Größe θ 大 🙂"), "'Größe θ 大 🙂'");
}

TEST(InQuotes, WritesOtherBytesAsNumbers) {
  EXPECT_EQ(in_quotes("a\nb\x7f"), "'a\\x0ab\\x7f'");
  EXPECT_EQ(in_quotes("\xff\xfe"), "'\\xff\\xfe'");
  EXPECT_EQ(in_quotes("\xc3"), "'\\xc3'");                         // cut short
  EXPECT_EQ(in_quotes("\xc3z"), "'\\xc3z'");                       // goes on wrongly
  EXPECT_EQ(in_quotes(std::string("\0\x80", 2)), "'\\x00\\x80'");  // begins in the middle
}

TEST(InQuotes, CutsBetweenCharacters) {
  const std::string text = in_quotes(std::string(79, 'a') + "äää");
  EXPECT_EQ(text, "'" + std::string(79, 'a') + "ä...'");
  EXPECT_EQ(in_quotes(std::string(80, 'a')), "'" + std::string(80, 'a') + "'");
}

}  // namespace
}  // namespace dispersion
