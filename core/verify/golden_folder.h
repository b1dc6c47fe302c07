#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors.h"
#include "core/verify/case_value.h"

namespace dispersion {

// A tensor file that remembers what was read from it.
class GoldenFile {
 public:
  explicit GoldenFile(const std::filesystem::path& path) : tensors_(TensorFile::read(path)) {}

  const std::filesystem::path& path() const { return tensors_.path(); }
  bool contains(std::string_view name) const { return tensors_.contains(name); }
  std::vector<std::string> names() const;
  std::vector<std::string> unread() const;

  // As those of TensorFile: they throw FileError, and mark the tensor as read.
  std::vector<std::int64_t> shape(const std::string& name);
  std::vector<float> floats(const std::string& name, const std::vector<std::int64_t>& shape = {});
  std::vector<std::int32_t> integers(const std::string& name,
                                     const std::vector<std::int64_t>& shape = {});

 private:
  TensorFile tensors_;
  std::set<std::string> read_;
};

// A folder of golden data. Files are opened when they are first asked for.
class GoldenFolder {
 public:
  explicit GoldenFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  // "trained.safetensors". Throws FileError when it cannot be read.
  GoldenFile& file(const std::string& name);
  // The whole of cases.json. Throws FileError.
  CaseValue cases();
  // Of the files opened, as "FILE: NAME"; beside them the tensor files that nobody opened.
  std::vector<std::string> unread() const;

 private:
  std::filesystem::path path_;
  std::map<std::string, std::unique_ptr<GoldenFile>> files_;
  std::unique_ptr<CaseFile> cases_;
};

}  // namespace dispersion
