// Heads from other programs: in other formats, under other names, beside other tensors.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "core/io/checkpoint.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

// The file of some tensors in any format, given as bytes.
struct RawTensor {
  std::string name;
  std::string format;
  std::vector<std::int64_t> shape;
  std::string bytes;
};

std::string raw_file(const std::vector<RawTensor>& tensors,
                     const std::string& metadata = "{\"format\":\"pt\"}") {
  std::string header = "{\"__metadata__\":" + metadata;
  std::string data;
  for (const RawTensor& tensor : tensors) {
    std::string shape;
    for (const std::int64_t axis : tensor.shape)
      shape.append(shape.empty() ? "" : ",").append(std::to_string(axis));
    header += ",\"" + tensor.name + "\":{\"dtype\":\"" + tensor.format + "\",\"shape\":[" + shape +
              "],\"data_offsets\":[" + std::to_string(data.size()) + "," +
              std::to_string(data.size() + tensor.bytes.size()) + "]}";
    data += tensor.bytes;
  }
  header += "}";
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

Parameters<float> small_head() {
  return start_training({4, 10}, 7).parameters;
}

// That head without moments, in a format of its numbers: "F32", "BF16" (cut), or "F16", in which
// the numbers of every tensor are 1, 2, 3, ... times 2^-24.
std::vector<RawTensor> raw_head(const std::string& prefix = "", const std::string& format = "F32") {
  const Parameters<float> head = small_head();
  std::vector<RawTensor> tensors;
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    const std::span<const float> values = std::span(head.values).subspan(slot.offset, slot.size());
    std::vector<std::uint16_t> halves;
    for (const float value : values) {
      halves.push_back(format == "F16"
                           ? static_cast<std::uint16_t>(halves.size() + 1)
                           : static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
    }
    std::vector<std::int64_t> shape = {slot.cols};
    if (slot.is_kernel) shape.insert(shape.begin(), slot.rows);
    const std::string bytes = format == "F32"
                                  ? bytes_of(std::vector<float>(values.begin(), values.end()))
                                  : bytes_of(halves);
    tensors.push_back({prefix + std::string(slot.name), format, shape, bytes});
  }
  return tensors;
}

RawTensor& named(std::vector<RawTensor>& tensors, const std::string& name) {
  return *std::ranges::find(tensors, name, &RawTensor::name);
}

Checkpoint read_raw(const std::vector<RawTensor>& tensors) {
  const TemporaryFolder folder;
  write_bytes(folder / "c", raw_file(tensors));
  return load_checkpoint(folder / "c");
}

TEST(BareHead, IgnoresWhatABareHeadHasBesideItAndSaysSo) {
  const Parameters<float> head = small_head();
  EXPECT_EQ(read_raw(raw_head()).remark, "");
  std::vector<RawTensor> tensors = raw_head();
  tensors.push_back({"step", "I64", {}, std::string(8, '\1')});
  const Checkpoint one = read_raw(tensors);
  EXPECT_EQ(one.state.parameters, head);
  EXPECT_FALSE(one.has_run);
  EXPECT_EQ(one.remark, "ignored, as no part of a head: 'step' (I64)");
  tensors.insert(tensors.begin(), {"a.frequencies", "BF16", {3}, std::string(6, '\1')});
  tensors.push_back({"mask", "BOOL", {2}, std::string(2, '\1')});
  tensors.push_back({"scale", "F8_E4M3", {1}, "x"});
  tensors.push_back({"table", "F64", {1, 2}, std::string(16, '\1')});
  const Checkpoint more = read_raw(tensors);
  EXPECT_EQ(more.state.parameters, head);
  EXPECT_EQ(more.remark,
            "ignored, as no part of a head: 'a.frequencies' (BF16), 'mask' (BOOL), 'scale' "
            "(F8_E4M3) and 2 more");
  // What the other tensors say of themselves is checked all the same.
  tensors.back().bytes.pop_back();
  EXPECT_THROW(read_raw(tensors), FileError);
  // Moments whose step is lost belong to a head.
  std::vector<RawTensor> with_moments = raw_head();
  for (const char* moment : {"adam.m.", "adam.v."}) {
    for (const RawTensor& tensor : raw_head(moment))
      with_moments.push_back(tensor);
  }
  EXPECT_EQ(read_raw(with_moments).remark, "");
}

TEST(BareHead, WidensBf16Exactly) {
  const Checkpoint loaded = read_raw(raw_head("", "BF16"));
  const std::vector<float> whole = small_head().values;
  ASSERT_EQ(loaded.state.parameters.values.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(loaded.state.parameters.values[i]),
              std::bit_cast<std::uint32_t>(whole[i]) & 0xffff0000u)
        << i;
  }
  EXPECT_EQ(loaded.remark, "widened to F32 from BF16");
  std::vector<RawTensor> mixed = raw_head("", "BF16");
  mixed.front() = raw_head("", "F16").front();
  EXPECT_EQ(read_raw(mixed).remark, "widened to F32 from BF16 and F16");
}

TEST(BareHead, WidensF16Exactly) {
  std::vector<RawTensor> tensors = raw_head("", "F16");
  const auto bias_of = [&](std::vector<std::uint16_t> halves) {
    named(tensors, "attention.out.bias").bytes = bytes_of(halves);
    const Checkpoint loaded = read_raw(tensors);
    EXPECT_EQ(loaded.remark, "widened to F32 from F16");
    EXPECT_EQ(loaded.state.parameters.values.front(), std::ldexp(1.0f, -24));
    const auto bias = loaded.state.parameters.tensor(TensorId::kOutBias);
    return std::vector<float>(bias.begin(), bias.end());
  };
  EXPECT_EQ(bias_of({0x3c00, 0x7bff, 0x0001, 0x03ff}),
            (std::vector{1.0f, 65504.0f, std::ldexp(1.0f, -24), std::ldexp(1023.0f, -24)}));
  const std::vector<float> more = bias_of({0xc000, 0x8000, 0x0400, 0x3555});
  EXPECT_EQ(more, (std::vector{-2.0f, 0.0f, std::ldexp(1.0f, -14), 1365.0f / 4096}));
  EXPECT_TRUE(std::signbit(more[1]));
  for (const int bits : {0x7c00, 0xfc00, 0x7e00}) {
    const auto not_finite = static_cast<std::uint16_t>(bits);
    EXPECT_TRUE(contains(error_text<FileError>([&] {
                           bias_of({0, 0, 0, not_finite});
                         }),
                         "'attention.out.bias' has "));
  }
}

// Its run had other numbers, so it is not claimed.
TEST(BareHead, OneOfOursThatWasSavedInHalfIsOne) {
  const TemporaryFolder folder;
  Checkpoint ours;
  ours.state = start_training({4, 10}, 7);
  ours.has_moments = false;
  ours.metadata = {{"title", "mine"}};
  save_checkpoint(folder / "ours", ours);
  const nlohmann::json metadata = TensorFile::read(folder / "ours").metadata();
  write_bytes(folder / "whole", raw_file(raw_head(), metadata.dump()));
  EXPECT_TRUE(load_checkpoint(folder / "whole").has_run);
  write_bytes(folder / "half", raw_file(raw_head("", "BF16"), metadata.dump()));
  const Checkpoint half = load_checkpoint(folder / "half");
  EXPECT_FALSE(half.has_run);
  EXPECT_FALSE(half.has_moments);
  EXPECT_EQ(half.remark, "widened to F32 from BF16");
  EXPECT_EQ(half.metadata, (std::map<std::string, std::string>{{"title", "mine"}}));
}

TEST(BareHead, TakesACommonPrefixOfTheNamesAndSaysWhich) {
  const Parameters<float> head = small_head();
  for (const std::string prefix : {"model.", "params/", "a.b.head_"}) {
    std::vector<RawTensor> tensors = raw_head(prefix);
    const Checkpoint loaded = read_raw(tensors);
    EXPECT_EQ(loaded.state.parameters, head);
    EXPECT_EQ(loaded.remark, "the names of its tensors begin with '" + prefix + "'");
    tensors.push_back({"count", "I64", {}, std::string(8, '\1')});
    EXPECT_TRUE(contains(read_raw(tensors).remark, "'" + prefix + "'; ignored"));
    named(tensors, prefix + "attention.key.bias").name = "elsewhere";
    EXPECT_TRUE(contains(error_text<FileError>([&] { read_raw(tensors); }),
                         "tensor '" + prefix + "attention.key.bias' is missing"));
  }
}

TEST(BareHead, RefusesToChooseBetweenHeads) {
  std::vector<RawTensor> tensors = raw_head("model.");
  for (const RawTensor& tensor : raw_head("ema."))
    tensors.push_back(tensor);
  EXPECT_TRUE(contains(error_text<FileError>([&] { read_raw(tensors); }),
                       "has 2 heads, whose names begin with 'ema.' and 'model.'; expected one"));
  // A head with the names of ours is the one that is meant; a part of one is none.
  std::vector<RawTensor> plain = raw_head();
  for (const RawTensor& tensor : raw_head("ema."))
    plain.push_back(tensor);
  EXPECT_TRUE(contains(read_raw(plain).remark, "ignored"));
  tensors.pop_back();
  EXPECT_TRUE(contains(read_raw(tensors).remark, "begin with 'model.'"));
}

}  // namespace
}  // namespace dispersion
