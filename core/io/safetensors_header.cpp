#include "core/io/safetensors_header.h"

#include <algorithm>
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

DType dtype_from_name(const std::string& name, const std::string& tensor) {
  for (const DType dtype : {DType::kF32, DType::kI32, DType::kU8}) {
    if (name == dtype_name(dtype)) return dtype;
  }
  refuse("tensor " + in_quotes(tensor) + ": dtype " + in_quotes(name) +
         "; expected F32, I32 or U8");
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

std::int64_t element_bytes(DType dtype) {
  return dtype == DType::kU8 ? 1 : 4;
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
