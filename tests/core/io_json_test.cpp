// JSON from outside the program is read within limits, in a time that grows with its length alone.

#include "core/io/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

std::string refusal(const std::string& text, const JsonLimits& limits = {}) {
  return error_text<std::invalid_argument>([&] { parse_json(text, limits); });
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i)
    text += part;
  return text;
}

TEST(Json, HasAMostDepth) {
  EXPECT_EQ(refusal(std::string(32, '[') + std::string(32, ']')), "");
  EXPECT_TRUE(contains(refusal(std::string(33, '[') + std::string(33, ']')), "32 levels"));
  EXPECT_TRUE(contains(refusal(std::string(60'000'000, '[')), "32 levels"));
  EXPECT_TRUE(contains(refusal(repeated("{\"a\":", 1'000'000)), "32 levels"));
}

TEST(Json, HasAMostNumberOfValues) {
  const JsonLimits limits = {.values = 4};
  EXPECT_EQ(refusal("[1,{},[]]", limits), "");
  for (const char* text : {"[1,2,3,4]", "[[],[],[],[]]", "{\"a\":{},\"b\":{},\"c\":[],\"d\":1}"})
    EXPECT_TRUE(contains(refusal(text, limits), "more than 4 values")) << text;
  EXPECT_TRUE(contains(refusal(std::string("[").append(repeated("0,", 8'000'000)).append("0]")),
                       "4194304 values"));
}

TEST(Json, HasAMostLengthOfKeys) {
  const auto object = [](std::size_t bytes) {
    return std::string("{\"").append(bytes, 'k').append("\":1}");
  };
  EXPECT_EQ(refusal(object(512)), "");
  const std::string text = refusal(object(1'000'000));
  EXPECT_TRUE(contains(text, "a key of 1000000 bytes") && contains(text, "at most 512")) << text;
  EXPECT_LT(text.size(), 300u);
}

// The slowest that the limits let through: about as many values as there may be, in objects with as
// many keys as there may be. A reader that compares every key with every other takes minutes.
TEST(Json, ReadsTheMostThatItsLimitsLetThrough) {
  std::string object = "{";
  for (int key = 0; key < 255; ++key)
    object.append("\"").append(std::to_string(key)).append("\":0,");
  object += "\"last\":0},";
  EXPECT_EQ(refusal(std::string("[").append(repeated(object, 4000)).append("0]")), "");
}

}  // namespace
}  // namespace dispersion
