#include "core/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "core/io/file.h"
#include "core/io/safetensors_header.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian");

constexpr std::uintmax_t kLargestFile = std::uintmax_t{4} << 30;
constexpr std::uint64_t kLargestHeader = std::uint64_t{16} << 20;
constexpr std::size_t kLengthBytes = 8;

bool shape_matches(const std::vector<std::int64_t>& found, std::span<const std::int64_t> expected) {
  if (expected.empty()) return true;
  if (found.size() != expected.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (expected[i] >= 0 && found[i] != expected[i]) return false;
  }
  return true;
}

[[noreturn]] void refuse_tensor(const TensorFile& file, std::string_view name,
                                const std::string& what) {
  throw FileError(file.path(), "tensor " + in_quotes(name) + " " + what);
}

void check_shape(const TensorFile& file, std::string_view name, const TensorView& view,
                 std::span<const std::int64_t> expected) {
  if (shape_matches(view.shape, expected)) return;
  refuse_tensor(file, name,
                "has shape " + shape_text(view.shape) + "; expected " +
                    shape_text(std::vector<std::int64_t>(expected.begin(), expected.end())));
}

// The length of the header, which stands in the first 8 bytes of a file of `file_bytes`; `start`
// holds these, or all of a shorter file.
std::uint64_t header_length(const std::filesystem::path& path, std::string_view start,
                            std::uintmax_t file_bytes) {
  if (start.size() < kLengthBytes) {
    throw FileError(path, "has " + std::to_string(start.size()) +
                              " bytes; expected a safetensors file, which has at least 8");
  }
  std::uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, start.data(), kLengthBytes);
  const std::uint64_t most = std::min(kLargestHeader, file_bytes - kLengthBytes);
  if (header_bytes <= most) return header_bytes;
  throw FileError(path,
                  "is no safetensors file, or cut short: expected the length of a header in its "
                  "first 8 bytes, no more than " +
                      std::string(most < kLargestHeader ? "the " : "") + std::to_string(most) +
                      (most < kLargestHeader ? " bytes after it" : " bytes") + "; they are " +
                      in_quotes(start.substr(0, kLengthBytes)));
}

// Copies out, because data in a file need not be aligned.
template <class T>
std::vector<T> copy_values(const TensorView& view) {
  std::vector<T> values(view.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
  return values;
}

// The upper half of a float.
float widened_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// IEEE binary16: 5 bits of exponent, 10 of fraction.
float widened_fp16(std::uint16_t bits) {
  constexpr int kLargestExponent = 31;  // of infinity and NaN
  const int exponent = bits >> 10 & kLargestExponent;
  const int fraction = bits & 0x3ff;
  float size = 0;
  if (exponent == kLargestExponent) {
    size = fraction == 0 ? std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    size = std::ldexp(static_cast<float>(0x400 | fraction), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

}  // namespace

std::int64_t TensorView::size() const {
  return static_cast<std::int64_t>(bytes.size()) / element_bytes(dtype);
}

TensorFile TensorFile::read(const std::filesystem::path& path) {
  InputFile input(path, kLargestFile);
  const std::uint64_t header_bytes = header_length(path, input.read_to(kLengthBytes), input.size());
  const std::uint64_t data_begin = kLengthBytes + header_bytes;
  SafetensorsHeader header = parse_safetensors_header(
      path, input.read_to(data_begin).substr(kLengthBytes), input.size() - data_begin);
  return TensorFile(path, std::move(header), input.read_all(), data_begin);
}

TensorFile TensorFile::from_bytes(const std::filesystem::path& path, std::string contents) {
  const std::string_view all = contents;
  const std::uint64_t header_bytes = header_length(path, all.substr(0, kLengthBytes), all.size());
  const std::uint64_t data_begin = kLengthBytes + header_bytes;
  SafetensorsHeader header = parse_safetensors_header(path, all.substr(kLengthBytes, header_bytes),
                                                      all.size() - data_begin);
  return TensorFile(path, std::move(header), std::move(contents), data_begin);
}

TensorFile::TensorFile(std::filesystem::path path, SafetensorsHeader header, std::string contents,
                       std::uint64_t data_begin)
    : path_(std::move(path)),
      bytes_(std::make_shared<const std::string>(std::move(contents))),
      metadata_(std::move(header.metadata)) {
  const std::string_view data = std::string_view(*bytes_).substr(data_begin);
  for (DeclaredTensor& tensor : header.tensors) {
    const auto bytes =
        std::as_bytes(std::span(data.substr(tensor.begin, tensor.end - tensor.begin)));
    tensors_.emplace(std::move(tensor.name),
                     TensorView{tensor.dtype, std::move(tensor.shape), bytes});
  }
}

bool TensorFile::contains(std::string_view name) const {
  return tensors_.find(name) != tensors_.end();
}

const TensorView& TensorFile::tensor(std::string_view name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) refuse_tensor(*this, name, "is missing");
  return found->second;
}

std::vector<float> TensorFile::floats(std::string_view name,
                                      std::span<const std::int64_t> shape) const {
  const TensorView& view = tensor(name);
  if (view.dtype != DType::kF32 && view.dtype != DType::kF16 && view.dtype != DType::kBf16) {
    refuse_tensor(*this, name,
                  "is " + std::string(dtype_name(view.dtype)) + "; expected F32, F16 or BF16");
  }
  check_shape(*this, name, view, shape);
  if (view.dtype == DType::kF32) return copy_values<float>(view);
  const std::vector<std::uint16_t> halves = copy_values<std::uint16_t>(view);
  std::vector<float> values(halves.size());
  std::ranges::transform(halves, values.begin(),
                         view.dtype == DType::kF16 ? widened_fp16 : widened_bf16);
  return values;
}

std::vector<std::int32_t> TensorFile::integers(std::string_view name,
                                               std::span<const std::int64_t> shape) const {
  const TensorView& view = tensor(name);
  if (view.dtype != DType::kI32 && view.dtype != DType::kU8) {
    refuse_tensor(*this, name,
                  "is " + std::string(dtype_name(view.dtype)) + "; expected I32 or U8");
  }
  check_shape(*this, name, view, shape);
  if (view.dtype == DType::kI32) return copy_values<std::int32_t>(view);
  const std::vector<std::uint8_t> bytes = copy_values<std::uint8_t>(view);
  return {bytes.begin(), bytes.end()};
}

std::string safetensors_bytes(std::span<const FloatTensor> tensors,
                              const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const FloatTensor& tensor : tensors) {
    std::uint64_t count = 1;
    for (const std::int64_t axis : tensor.shape)
      count *= static_cast<std::uint64_t>(axis);
    if (count != tensor.values.size()) {
      throw std::invalid_argument("tensor " + in_quotes(tensor.name) + " has " +
                                  std::to_string(tensor.values.size()) + " values; expected " +
                                  std::to_string(count) + " for shape " + shape_text(tensor.shape));
    }
    if (header.contains(tensor.name)) {
      throw std::invalid_argument("tensor " + in_quotes(tensor.name) + " is given twice");
    }
    const std::uint64_t end = offset + tensor.values.size_bytes();
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string json = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  json.append((kLengthBytes - json.size() % kLengthBytes) % kLengthBytes, ' ');
  const std::uint64_t header_bytes = json.size();
  std::string bytes(reinterpret_cast<const char*>(&header_bytes), kLengthBytes);
  bytes.reserve(kLengthBytes + json.size() + offset);
  bytes += json;
  for (const FloatTensor& tensor : tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size_bytes());
  }
  return bytes;
}

}  // namespace dispersion
