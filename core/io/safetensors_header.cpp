#include "core/io/safetensors_header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::size_t kMostAxes = 8;

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

// Reads the header event by event and knows at every moment what may come next, so that nothing is
// stored that was not asked for: a header of 100 MB of brackets costs nothing.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  SafetensorsHeader header;

  bool null() override { refuse_value("null"); }
  bool boolean(bool) override { refuse_value("true or false"); }
  bool number_integer(number_integer_t) override { refuse_value("a negative number"); }
  bool number_float(number_float_t, const string_t&) override {
    refuse_value("a fraction or a number beyond 64 bits");
  }
  bool binary(binary_t&) override { refuse_value("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ != Place::kShape && place_ != Place::kOffsets) refuse_value("a number");
    if (place_ == Place::kShape) {
      if (shape_->size() == kMostAxes) refuse(here() + ": more than 8 axes");
      if (value > static_cast<number_unsigned_t>(INT64_MAX)) refuse(here() + ": an axis too long");
      shape_->push_back(static_cast<std::int64_t>(value));
    } else {
      if (offsets_->size() == 2) refuse(here() + ": more than two data_offsets");
      offsets_->push_back(value);
    }
    return true;
  }

  bool string(string_t& value) override {
    if (place_ == Place::kMetadata) {
      header.metadata[field_] = value;
    } else if (place_ == Place::kTensor && field_ == "dtype") {
      dtype_ = dtype_from_name(value, name_);
    } else {
      refuse_value("a text");
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::kStart) {
      place_ = Place::kTop;
    } else if (place_ == Place::kTop) {
      place_ = name_ == "__metadata__" ? Place::kMetadata : Place::kTensor;
      fields_.clear();
      dtype_.reset();
      shape_.reset();
      offsets_.reset();
    } else {
      refuse_value("an object");
    }
    return true;
  }

  bool key(string_t& value) override {
    if (place_ == Place::kTop) {
      if (!names_.insert(value).second) refuse("tensor " + in_quotes(value) + " is declared twice");
      name_ = value;
      return true;
    }
    if (!fields_.insert(value).second) refuse(here() + ": " + in_quotes(value) + " is given twice");
    if (place_ == Place::kTensor && value != "dtype" && value != "shape" &&
        value != "data_offsets") {
      refuse(here() + ": unknown field " + in_quotes(value));
    }
    field_ = value;
    return true;
  }

  bool end_object() override {
    if (place_ == Place::kTop) {
      place_ = Place::kStart;
      return true;
    }
    if (place_ == Place::kTensor) add_tensor();
    place_ = Place::kTop;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::kTensor && field_ == "shape") {
      place_ = Place::kShape;
      shape_.emplace();
    } else if (place_ == Place::kTensor && field_ == "data_offsets") {
      place_ = Place::kOffsets;
      offsets_.emplace();
    } else {
      refuse_value("a list");
    }
    return true;
  }

  bool end_array() override {
    place_ = Place::kTensor;
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    refuse(std::string("the header is not valid JSON: ") + error.what());
  }

 private:
  enum class Place { kStart, kTop, kMetadata, kTensor, kShape, kOffsets };

  std::string here() const {
    return place_ == Place::kMetadata ? "metadata" : "tensor " + in_quotes(name_);
  }

  [[noreturn]] void refuse_value(const std::string& found) const {
    switch (place_) {
      case Place::kStart:
        refuse("the header is " + found + "; expected a JSON object");
      case Place::kTop:
        refuse(here() + " is " + found + "; expected an object");
      case Place::kMetadata:
        refuse(here() + " " + in_quotes(field_) + " is " + found + "; expected a text");
      case Place::kTensor:
      case Place::kShape:
      case Place::kOffsets:
        break;
    }
    const bool text = place_ == Place::kTensor && field_ == "dtype";
    refuse(here() + ": " + field_ + " has " + found + "; expected " +
           (text ? "a text" : "a list of whole numbers, 0 or more"));
  }

  void add_tensor() {
    if (!dtype_) refuse(here() + ": dtype is missing");
    if (!shape_) refuse(here() + ": shape is missing");
    if (!offsets_ || offsets_->size() != 2) refuse(here() + ": expected two data_offsets");
    header.tensors.push_back({name_, *dtype_, *shape_, (*offsets_)[0], (*offsets_)[1]});
  }

  Place place_ = Place::kStart;
  std::set<std::string> names_;
  std::set<std::string> fields_;
  std::string name_;
  std::string field_;
  std::optional<DType> dtype_;
  std::optional<std::vector<std::int64_t>> shape_;
  std::optional<std::vector<std::uint64_t>> offsets_;
};

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

SafetensorsHeader parse_safetensors_header(std::string_view json, std::uint64_t data_bytes) {
  if (json.empty() || json.front() != '{') refuse("the header does not begin with '{'");
  // The parser takes a NUL for the end of its input.
  if (json.find('\0') != std::string_view::npos) refuse("the header contains a NUL byte");
  HeaderReader reader;
  nlohmann::json::sax_parse(json.begin(), json.end(), &reader);
  check_layout(reader.header.tensors, data_bytes);
  return std::move(reader.header);
}

}  // namespace dispersion
