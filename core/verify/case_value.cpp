#include "core/verify/case_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/io/file.h"
#include "core/verify/report.h"

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

}  // namespace dispersion
