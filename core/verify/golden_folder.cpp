#include "core/verify/golden_folder.h"

#include <algorithm>
#include <system_error>

namespace dispersion {

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
