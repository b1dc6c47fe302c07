#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace dispersion {

// cases.json in memory, and which of its numbers were asked for.
class CaseFile {
 public:
  // Throws FileError.
  explicit CaseFile(const std::filesystem::path& path);
  ~CaseFile();
  CaseFile(const CaseFile&) = delete;
  CaseFile& operator=(const CaseFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const nlohmann::json& root() const { return *root_; }
  void mark_read(const std::string& place) { read_.insert(place); }
  // The numbers that nobody asked for, by group_name(), with how many there are of each.
  std::map<std::string, int> unread() const;

 private:
  std::filesystem::path path_;
  std::unique_ptr<nlohmann::json> root_;
  std::set<std::string> read_;
};

// One place in cases.json, e.g. trained.eval.16. Everything throws FileError that names the place
// when it is missing or of another kind; reading a number or text marks it as read.
class CaseValue {
 public:
  explicit CaseValue(CaseFile& file);

  const std::string& place() const { return place_; }
  bool contains(const std::string& key) const;
  CaseValue at(const std::string& key) const;
  CaseValue at(std::size_t index) const;
  std::size_t size() const;               // of a list
  std::vector<std::string> keys() const;  // of an object
  double number() const;
  std::int64_t integer() const;  // of magnitude at most 2^53
  std::string text() const;
  std::vector<double> numbers() const;
  std::vector<std::int32_t> integers() const;

 private:
  CaseValue(CaseFile& file, const nlohmann::json& value, std::string place);
  [[noreturn]] void refuse(const std::string& what) const;

  CaseFile* file_;
  const nlohmann::json* value_;
  std::string place_;
};

}  // namespace dispersion
