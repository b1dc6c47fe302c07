#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/io/json.h"

namespace dispersion {

// cases.json in memory, and which of its numbers were asked for.
class CaseFile {
 public:
  // Throws FileError.
  explicit CaseFile(const std::filesystem::path& path);

  JsonValue root() const { return document_.root(); }
  void mark_read(const std::string& place) { read_.insert(place); }
  // The numbers that nobody asked for, by group_name(), with how many there are of each.
  std::map<std::string, int> unread() const;

 private:
  JsonDocument document_;
  std::set<std::string> read_;
};

// One place in cases.json, e.g. trained.eval.16. Everything throws FileError that names the place
// when it is missing or of another kind; reading a number or text marks it as read.
class CaseValue {
 public:
  explicit CaseValue(CaseFile& file);

  const std::string& place() const { return value_.place(); }
  bool contains(const std::string& key) const { return value_.find(key).has_value(); }
  CaseValue at(const std::string& key) const;
  CaseValue at(std::size_t index) const;
  std::size_t size() const { return value_.size(); }  // of a list
  std::vector<std::string> keys() const;              // of an object, in the order of the alphabet
  double number() const;
  std::int64_t integer() const;  // of magnitude at most 2^53
  std::string text() const;
  std::vector<double> numbers() const;
  std::vector<std::int32_t> integers() const;

 private:
  CaseValue(CaseFile& file, JsonValue value);

  CaseFile* file_;
  JsonValue value_;
};

}  // namespace dispersion
