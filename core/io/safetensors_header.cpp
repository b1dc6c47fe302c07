#include "core/io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::size_t kMostAxes = 8;
constexpr JsonLimits kHeaderLimits = {.bytes = std::size_t{16} << 20, .depth = 4, .keys = 4096};

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(what);
}

struct Format {
  DType dtype;
  std::string_view name;
  std::int64_t bytes;  // of a number
};

constexpr std::array<Format, 15> kFormats = {{
    {DType::kF32, "F32", 4},
    {DType::kF16, "F16", 2},
    {DType::kBf16, "BF16", 2},
    {DType::kI32, "I32", 4},
    {DType::kU8, "U8", 1},
    {DType::kBool, "BOOL", 1},
    {DType::kI8, "I8", 1},
    {DType::kF8E5M2, "F8_E5M2", 1},
    {DType::kF8E4M3, "F8_E4M3", 1},
    {DType::kI16, "I16", 2},
    {DType::kU16, "U16", 2},
    {DType::kU32, "U32", 4},
    {DType::kF64, "F64", 8},
    {DType::kI64, "I64", 8},
    {DType::kU64, "U64", 8},
}};

const Format& format_of(DType dtype) {
  const auto found = std::ranges::find(kFormats, dtype, &Format::dtype);
  if (found == kFormats.end()) throw std::invalid_argument("unknown dtype");
  return *found;
}

DType dtype_from_name(const std::string& name, const std::string& tensor) {
  const auto found = std::ranges::find(kFormats, name, &Format::name);
  if (found != kFormats.end()) return found->dtype;
  std::string known;
  for (const Format& format : kFormats)
    known.append(known.empty() ? "" : ", ").append(format.name);
  refuse("tensor " + in_quotes(tensor) + ": dtype " + in_quotes(name) + " is none of " + known);
}

DeclaredTensor read_tensor(const std::string& name, const JsonValue& value) {
  for (const std::string& field : value.keys()) {
    if (field != "dtype" && field != "shape" && field != "data_offsets")
      refuse("tensor " + in_quotes(name) + ": unknown field " + in_quotes(field));
  }
  DeclaredTensor tensor;
  tensor.name = name;
  tensor.dtype = dtype_from_name(value.at("dtype").text(), name);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto whole = [](const JsonValue& item) { return item.integer(0, kMost); };
  const JsonValue shape = value.at("shape");
  if (shape.size() > kMostAxes) shape.refuse("a list of no more than 8 axes");
  tensor.shape = shape.list(whole);
  const JsonValue offsets = value.at("data_offsets");
  if (offsets.size() != 2) offsets.refuse("a list of two");
  tensor.begin = static_cast<std::uint64_t>(whole(offsets.at(0)));
  tensor.end = static_cast<std::uint64_t>(whole(offsets.at(1)));
  return tensor;
}

// Bytes of a declared shape; refuses those beyond `limit` without ever overflowing.
std::uint64_t checked_bytes(const DeclaredTensor& tensor, std::uint64_t limit) {
  auto bytes = static_cast<std::uint64_t>(element_bytes(tensor.dtype));
  for (const std::int64_t axis : tensor.shape) {
    const auto length = static_cast<std::uint64_t>(axis);
    if (length != 0 && bytes > limit / length) {
      refuse("tensor " + in_quotes(tensor.name) + ": shape " + shape_text(tensor.shape) +
             " takes more than the " + std::to_string(limit) + " bytes of data in the file");
    }
    bytes *= length;
  }
  return bytes;
}

std::string offsets_text(const DeclaredTensor& tensor) {
  return "data_offsets [" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + "]";
}

void check_extent(const DeclaredTensor& tensor, std::uint64_t data_bytes) {
  const std::string what = "tensor " + in_quotes(tensor.name) + ": " + offsets_text(tensor);
  if (tensor.begin > tensor.end) refuse(what + " end before they begin");
  if (tensor.end > data_bytes) {
    refuse(what + " reach past the " + std::to_string(data_bytes) + " bytes of data in the file");
  }
  const std::uint64_t expected = checked_bytes(tensor, data_bytes);
  if (tensor.end - tensor.begin != expected) {
    refuse(what + " hold " + std::to_string(tensor.end - tensor.begin) + " bytes; expected " +
           std::to_string(expected) + " for " + std::string(dtype_name(tensor.dtype)) + " " +
           shape_text(tensor.shape));
  }
}

void check_layout(std::vector<DeclaredTensor>& tensors, std::uint64_t data_bytes) {
  std::sort(tensors.begin(), tensors.end(), [](const DeclaredTensor& a, const DeclaredTensor& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t filled = 0;
  for (const DeclaredTensor& tensor : tensors) {
    check_extent(tensor, data_bytes);
    if (tensor.begin != filled) {
      refuse("tensor " + in_quotes(tensor.name) + ": " + offsets_text(tensor) +
             (tensor.begin < filled ? " overlap another tensor's" : " leave a hole before them") +
             "; expected a start at " + std::to_string(filled));
    }
    filled = tensor.end;
  }
  if (filled != data_bytes) {
    refuse("has " + std::to_string(data_bytes) + " bytes of data; its tensors take " +
           std::to_string(filled));
  }
}

}  // namespace

std::string_view dtype_name(DType dtype) {
  return format_of(dtype).name;
}

std::int64_t element_bytes(DType dtype) {
  return format_of(dtype).bytes;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t axis : shape) {
    if (text.size() > 1) text += ", ";
    text += axis < 0 ? "any" : std::to_string(axis);
  }
  return text + "]";
}

SafetensorsHeader parse_safetensors_header(const std::filesystem::path& file, std::string_view json,
                                           std::uint64_t data_bytes) {
  if (!json.starts_with('{')) throw FileError(file, "the header does not begin with '{'");
  const JsonDocument document(file, json, kHeaderLimits);
  const JsonValue root = document.root();
  SafetensorsHeader header;
  try {
    for (const std::string& name : root.keys()) {
      if (name != "__metadata__") {
        header.tensors.push_back(read_tensor(name, root.at(name)));
        continue;
      }
      const JsonValue metadata = root.at(name);
      for (const std::string& key : metadata.keys())
        header.metadata[key] = metadata.at(key).text();
    }
    check_layout(header.tensors, data_bytes);
  } catch (const std::invalid_argument& error) {
    throw FileError(file, error.what());
  }
  return header;
}

}  // namespace dispersion
