#include "core/verify/golden_folder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/io/file.h"

namespace dispersion {
namespace {

constexpr JsonLimits kLimits = {.bytes = std::size_t{256} << 20, .keys = 4096};
constexpr double kLargestInteger = 0x1p53;

void collect_unread(const JsonValue& value, const std::set<std::string>& read,
                    std::map<std::string, int>& unread) {
  if (value.json().is_object()) {
    for (const std::string& key : value.keys())
      collect_unread(value.at(key), read, unread);
  } else if (value.json().is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      collect_unread(value.at(i), read, unread);
  } else if (!value.json().is_string() && !read.contains(value.place())) {
    ++unread[group_name(value.place())];
  }
}

}  // namespace

std::string group_name(const std::string& quantity) {
  std::string name;
  bool in_index = false;
  for (const char c : quantity) {
    if (!in_index || c == ']') name += c;
    if (c == '[') name += '*';
    in_index = c == '[' || (in_index && c != ']');
  }
  for (const std::string prefix :
       {"measured_f32_vs_f64.forward_backward.", "measured_f32_vs_f64.adam.",
        "measured_f32_vs_f64.trained.", "measured_f32_vs_f64.adaptive_backward.",
        "measured_f32_vs_f64.softmax_cases.", "measured_f32_vs_f64.streaming.",
        "adam.after5_difference_quantiles."}) {
    if (name.starts_with(prefix)) return prefix + "*" + name.substr(name.rfind('.'));
  }
  return name;
}

CaseFile::CaseFile(const std::filesystem::path& path)
    : document_(path, read_whole_file(path, kLimits.bytes), kLimits) {}

std::map<std::string, int> CaseFile::unread() const {
  std::map<std::string, int> unread;
  collect_unread(root(), read_, unread);
  return unread;
}

CaseValue::CaseValue(CaseFile& file) : CaseValue(file, file.root()) {}

CaseValue::CaseValue(CaseFile& file, JsonValue value) : file_(&file), value_(std::move(value)) {}

CaseValue CaseValue::at(const std::string& key) const {
  return CaseValue(*file_, value_.at(key));
}

CaseValue CaseValue::at(std::size_t index) const {
  return CaseValue(*file_, value_.at(index));
}

std::vector<std::string> CaseValue::keys() const {
  std::vector<std::string> keys = value_.keys();
  std::ranges::sort(keys);
  return keys;
}

double CaseValue::number() const {
  file_->mark_read(place());
  return value_.number();
}

std::int64_t CaseValue::integer() const {
  const double value = number();
  if (value != std::floor(value) || std::abs(value) > kLargestInteger)
    value_.refuse("a whole number");
  return static_cast<std::int64_t>(value);
}

std::string CaseValue::text() const {
  file_->mark_read(place());
  return value_.text();
}

std::vector<double> CaseValue::numbers() const {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < size(); ++i)
    numbers.push_back(at(i).number());
  return numbers;
}

std::vector<std::int32_t> CaseValue::integers() const {
  std::vector<std::int32_t> integers;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t value = at(i).integer();
    if (std::abs(value) > std::numeric_limits<std::int32_t>::max())
      value_.refuse("a list of 32-bit numbers");
    integers.push_back(static_cast<std::int32_t>(value));
  }
  return integers;
}

std::vector<std::string> GoldenFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, view] : tensors_.tensors())
    names.push_back(name);
  return names;
}

std::vector<std::string> GoldenFile::unread() const {
  std::vector<std::string> unread = names();
  std::erase_if(unread, [&](const std::string& name) { return read_.contains(name); });
  return unread;
}

std::vector<std::int64_t> GoldenFile::shape(const std::string& name) {
  return tensors_.tensor(name).shape;
}

std::vector<float> GoldenFile::floats(const std::string& name,
                                      const std::vector<std::int64_t>& shape) {
  std::vector<float> values = tensors_.floats(name, shape);
  read_.insert(name);
  return values;
}

std::vector<std::int32_t> GoldenFile::integers(const std::string& name,
                                               const std::vector<std::int64_t>& shape) {
  std::vector<std::int32_t> values = tensors_.integers(name, shape);
  read_.insert(name);
  return values;
}

GoldenFile& GoldenFolder::file(const std::string& name) {
  std::unique_ptr<GoldenFile>& file = files_[name];
  if (!file) file = std::make_unique<GoldenFile>(path_ / name);
  return *file;
}

CaseValue GoldenFolder::cases() {
  if (!cases_) cases_ = std::make_unique<CaseFile>(path_ / "cases.json");
  return CaseValue(*cases_);
}

std::vector<std::string> GoldenFolder::unread() const {
  std::vector<std::string> unread;
  for (const auto& [name, file] : files_) {
    if (!file) continue;
    for (const std::string& tensor : file->unread())
      unread.push_back(name + ": " + tensor);
  }
  if (cases_) {
    for (const auto& [place, count] : cases_->unread()) {
      unread.push_back("cases.json: " + place +
                       (count > 1 ? " (" + std::to_string(count) + " values)" : ""));
    }
  }
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".safetensors" && !files_.contains(name))
      unread.push_back(name);
  }
  std::sort(unread.begin(), unread.end());
  return unread;
}

}  // namespace dispersion
