#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json.h"
#include "core/io/safetensors.h"

namespace dispersion {

// The name under which all entries of a list are grouped: "softmax_cases[*].n" for
// "softmax_cases[7].n". The many tensors for which cases.json has the same few numbers are grouped
// likewise.
std::string group_name(const std::string& quantity);

// cases.json in memory. It remembers which of its numbers were read.
class CaseFile {
 public:
  // Throws FileError.
  explicit CaseFile(const std::filesystem::path& path);

  JsonValue root() const { return document_.root(); }
  void mark_read(const std::string& place) { read_.insert(place); }
  // How many numbers were not read, by group_name().
  std::map<std::string, int> unread() const;

 private:
  JsonDocument document_;
  std::set<std::string> read_;
};

// A value in cases.json, such as trained.eval.16: a JsonValue that marks numbers and texts as read.
// Reading a value that is missing or of another type throws FileError that names the place.
class CaseValue {
 public:
  explicit CaseValue(CaseFile& file);

  const std::string& place() const { return value_.place(); }
  bool contains(const std::string& key) const { return value_.find(key).has_value(); }
  CaseValue at(const std::string& key) const;
  CaseValue at(std::size_t index) const;
  std::size_t size() const { return value_.size(); }  // of a list
  std::vector<std::string> keys() const;              // of an object, sorted
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

// A safetensors file that remembers which of its tensors were read.
class GoldenFile {
 public:
  explicit GoldenFile(const std::filesystem::path& path) : tensors_(TensorFile::read(path)) {}

  const std::filesystem::path& path() const { return tensors_.path(); }
  bool contains(std::string_view name) const { return tensors_.contains(name); }
  std::vector<std::string> names() const;
  std::vector<std::string> unread() const;

  // As the functions of TensorFile, which throw FileError; floats() and integers() mark the tensor
  // as read.
  std::vector<std::int64_t> shape(const std::string& name);
  std::vector<float> floats(const std::string& name, const std::vector<std::int64_t>& shape = {});
  std::vector<std::int32_t> integers(const std::string& name,
                                     const std::vector<std::int64_t>& shape = {});

 private:
  TensorFile tensors_;
  std::set<std::string> read_;
};

// A folder of golden data. Its files are opened when they are first used.
class GoldenFolder {
 public:
  explicit GoldenFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  // "trained.safetensors". Throws FileError when it cannot be read.
  GoldenFile& file(const std::string& name);
  // The root of cases.json. Throws FileError.
  CaseValue cases();
  // What was not read: tensors and numbers of the opened files, as "FILE: NAME", and the names of
  // the tensor files that were not opened.
  std::vector<std::string> unread() const;

 private:
  std::filesystem::path path_;
  std::map<std::string, std::unique_ptr<GoldenFile>> files_;
  std::unique_ptr<CaseFile> cases_;
};

}  // namespace dispersion
