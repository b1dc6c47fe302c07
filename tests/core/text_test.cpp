// Text from outside on its way into an error message.

#include "core/io/text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/io/file.h"
#include "core/io/json.h"

namespace dispersion {
namespace {

// Not inlined, since GCC 12 warns without reason about texts that it sees put together.
[[gnu::noinline]] std::string repeated(std::string_view before, std::size_t times, char c,
                                       std::string_view after = "") {
  return std::string(before).append(times, c).append(after);
}

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

TEST(InQuotes, ShowsWhatCannotBeSeen) {
  EXPECT_EQ(in_quotes("\x1b[2J\a"), "'\\x1b[2J\\x07'");
  EXPECT_EQ(in_quotes("\xef\xbb\xbfseed"), "'\\ufeffseed'");       // a byte-order mark
  EXPECT_EQ(in_quotes("a\u202egpj.exe"), "'a\\u202egpj.exe'");     // turns the text around
  EXPECT_EQ(in_quotes("a\u200bb\u00adc"), "'a\\u200bb\\u00adc'");  // nothing is displayed
  EXPECT_EQ(in_quotes("1\u00a0000"), "'1\\u00a0000'");             // looks like a space
  EXPECT_EQ(in_quotes("\u009b31m"), "'\\u009b31m'");               // a control character of C1
  EXPECT_EQ(in_quotes("\U000e0041"), "'\\U000e0041'");             // a tag
}

TEST(DrawnText, EscapesWhatCannotBeDrawnOrSeen) {
  const auto ascii_or_theta = [](char32_t code) { return code < 0x80 || code == U'θ'; };
  EXPECT_EQ(drawn_text("Größe θ 大 🙂", ascii_or_theta),
            "Gr\\u00f6\\u00dfe θ \\u5927 \\U0001f642");
  EXPECT_EQ(drawn_text("a\tb\xff\u200b", ascii_or_theta), "a\\x09b\\xff\\u200b");
  EXPECT_EQ(drawn_text("", ascii_or_theta), "");
}

TEST(InQuotes, RefusesWhatOnlyLooksLikeUtf8) {
  EXPECT_EQ(in_quotes("\xc0\xaf"), "'\\xc0\\xaf'");                    // '/' in two bytes
  EXPECT_EQ(in_quotes("\xe0\x80\xaf"), "'\\xe0\\x80\\xaf'");           // and in three
  EXPECT_EQ(in_quotes("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");           // half of a surrogate pair
  EXPECT_EQ(in_quotes("\xf4\x90\x80\x80"), "'\\xf4\\x90\\x80\\x80'");  // past the last character
}

TEST(VisibleText, IsWholeAndStaysAsItIsTheSecondTime) {
  const std::string text = repeated("", 500, 'a', "\x1b\xff\u200b\u2009");
  const std::string visible = visible_text(text);
  EXPECT_EQ(visible, repeated("", 500, 'a', "\\x1b\\xff\\u200b\u2009"));
  EXPECT_EQ(visible_text(visible), visible);
}

TEST(ForeignText, IsCut) {
  EXPECT_EQ(foreign_text("abcdef", 4), "abcd...");
  EXPECT_EQ(foreign_text("abcd", 4), "abcd");
  EXPECT_LT(path_text(repeated("", 100'000, '\x01')).size(), 1100u);
}

TEST(FileErrorText, IsOneVisibleLineOfSaneLength) {
  const FileError error("a\nb\xff", repeated("holds \x1b[2J", 100'000, 'x'));
  EXPECT_TRUE(std::string(error.what()).starts_with("a\\x0ab\\xff: holds \\x1b[2Jxxx"));
  EXPECT_TRUE(std::string(error.what()).ends_with("xxx..."));
  EXPECT_LT(std::string(error.what()).size(), 1200u);
  EXPECT_TRUE(error.reason().starts_with("holds "));
}

TEST(ByteOrderMark, IsTakenOffOnce) {
  EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbfseed"), "seed");
  EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbf\xef\xbb\xbf"), "\xef\xbb\xbf");
  EXPECT_EQ(without_byte_order_mark("\xef\xbb"), "\xef\xbb");
  EXPECT_EQ(without_byte_order_mark(""), "");
}

TEST(CsvField, IsAlwaysUtf8AndKeepsLineBreaks) {
  EXPECT_EQ(csv_field("a\xff.safetensors"), "a\\xff.safetensors");
  EXPECT_EQ(csv_field("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(csv_field("a\nb\tc"), "\"a\nb\tc\"");
  EXPECT_EQ(csv_field("Größe"), "Größe");
}

// The parser quotes the text that it refuses.
TEST(ParseJson, SaysWhatIsWrongInAVisibleLineOfSaneLength) {
  for (const std::string& text :
       {repeated("[\"\x1b", 100'000, 'x', "\"]"), repeated("[\"", 100'000, 'x', "\xff\"]"),
        repeated("[1", 100'000, '0', "]"), repeated("[", 100'000, 'x', "]")}) {
    try {
      parse_json(text);
      FAIL() << text.substr(0, 20);
    } catch (const std::invalid_argument& error) {
      const std::string what = error.what();
      EXPECT_LT(what.size(), 300u);
      EXPECT_EQ(visible_text(what), what);
    }
  }
}

TEST(ParseJson, SkipsAByteOrderMark) {
  EXPECT_EQ(parse_json("\xef\xbb\xbf{\"a\": 1}\r\n")["a"], 1);
}

TEST(InQuotes, CutsBetweenCharacters) {
  const std::string text = in_quotes(repeated("", 79, 'a', "äää"));
  EXPECT_EQ(text, repeated("'", 79, 'a', "ä...'"));
  EXPECT_EQ(in_quotes(repeated("", 80, 'a')), repeated("'", 80, 'a', "'"));
}

}  // namespace
}  // namespace dispersion
