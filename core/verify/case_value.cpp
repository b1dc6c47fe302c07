#include "core/verify/case_value.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/io/atomic_file.h"
#include "core/io/json.h"
#include "core/io/text.h"
#include "core/verify/report.h"

namespace dispersion {
namespace {

constexpr std::uintmax_t kLargestFile = 256u << 20;
constexpr double kLargestInteger = 0x1p53;

std::string child(const std::string& place, const std::string& key) {
  return place.empty() ? key : place + "." + key;
}

std::string child(const std::string& place, std::size_t index) {
  return place + "[" + std::to_string(index) + "]";
}

void collect_unread(const nlohmann::json& value, const std::string& place,
                    const std::set<std::string>& read, std::map<std::string, int>& unread) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      collect_unread(inner, child(place, key), read, unread);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      collect_unread(value[i], child(place, i), read, unread);
    }
  } else if (!value.is_string() && !read.contains(place)) {
    ++unread[group_name(place)];
  }
}

}  // namespace

CaseFile::CaseFile(const std::filesystem::path& path) : path_(path) {
  try {
    root_ = std::make_unique<nlohmann::json>(parse_json(read_whole_file(path, kLargestFile)));
  } catch (const std::invalid_argument& error) {
    throw FileError(path, error.what());
  }
}

CaseFile::~CaseFile() = default;

std::map<std::string, int> CaseFile::unread() const {
  std::map<std::string, int> unread;
  collect_unread(*root_, "", read_, unread);
  return unread;
}

CaseValue::CaseValue(CaseFile& file) : CaseValue(file, file.root(), "") {}

CaseValue::CaseValue(CaseFile& file, const nlohmann::json& value, std::string place)
    : file_(&file), value_(&value), place_(std::move(place)) {}

void CaseValue::refuse(const std::string& what) const {
  throw FileError(file_->path(), (place_.empty() ? "the file" : in_quotes(place_)) + " " + what);
}

bool CaseValue::contains(const std::string& key) const {
  return value_->is_object() && value_->contains(key);
}

CaseValue CaseValue::at(const std::string& key) const {
  if (!value_->is_object()) refuse("should be an object");
  const auto found = value_->find(key);
  if (found == value_->end())
    throw FileError(file_->path(), in_quotes(child(place_, key)) + " is missing");
  return CaseValue(*file_, *found, child(place_, key));
}

CaseValue CaseValue::at(std::size_t index) const {
  if (index >= size()) refuse("should have more than " + std::to_string(index) + " entries");
  return CaseValue(*file_, (*value_)[index], child(place_, index));
}

std::size_t CaseValue::size() const {
  if (!value_->is_array()) refuse("should be a list");
  return value_->size();
}

std::vector<std::string> CaseValue::keys() const {
  if (!value_->is_object()) refuse("should be an object");
  std::vector<std::string> keys;
  for (const auto& [key, inner] : value_->items())
    keys.push_back(key);
  return keys;
}

double CaseValue::number() const {
  if (!value_->is_number()) refuse("should be a number");
  file_->mark_read(place_);
  return value_->get<double>();
}

std::int64_t CaseValue::integer() const {
  const double value = number();
  if (value != std::floor(value) || std::abs(value) > kLargestInteger) {
    refuse("should be a whole number");
  }
  return static_cast<std::int64_t>(value);
}

std::string CaseValue::text() const {
  if (!value_->is_string()) refuse("should be a text");
  file_->mark_read(place_);
  return value_->get<std::string>();
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
      refuse("has too large a number");
    integers.push_back(static_cast<std::int32_t>(value));
  }
  return integers;
}

}  // namespace dispersion
