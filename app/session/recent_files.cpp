#include "app/session/recent_files.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "app/session/user_files.h"
#include "core/io/broken_file.h"
#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr JsonLimits kLimits = {.bytes = 512 * 1024, .depth = 4};
constexpr std::string_view kScheme = "file://";

bool is_plain(char character) {
  const bool letter = (character >= 'a' && character <= 'z') ||
                      (character >= 'A' && character <= 'Z') ||
                      (character >= '0' && character <= '9');
  return letter || std::string_view("/-._~").find(character) != std::string_view::npos;
}

// A path is kept as a URI, since JSON is UTF-8 and names of files need not be.
std::string uri_of(const fs::path& path) {
  std::string uri(kScheme);
  for (const char byte : path.native()) {
    if (is_plain(byte)) {
      uri += byte;
    } else {
      uri += "%" + hex_digits(static_cast<unsigned char>(byte), 2);
    }
  }
  return uri;
}

fs::path path_of(const JsonValue& value) {
  const std::string uri = value.text();
  if (!uri.starts_with("file:///")) value.refuse("a URI that begins with file:///");
  std::string path;
  for (std::size_t i = kScheme.size(); i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    unsigned int byte = 0;
    const char* begin = uri.data() + i + 1;
    const char* end = uri.data() + std::min(i + 3, uri.size());
    if (end - begin < 2 || std::from_chars(begin, end, byte, 16).ptr != end || byte == 0)
      value.refuse("a URI with two hexadecimal digits after every %");
    path += static_cast<char>(byte);
    i += 2;
  }
  return path;
}

RecentFiles parse(const fs::path& path) {
  const JsonDocument document(path, read_whole_file(path, kLimits.bytes), kLimits);
  RecentFiles recent;
  for (fs::path& file : document.root().at("files").list(path_of)) {
    std::error_code error;
    const bool there = fs::exists(file, error);
    recent.files.push_back({std::move(file), there});
  }
  if (recent.files.size() > kMostRecentFiles) recent.files.resize(kMostRecentFiles);
  return recent;
}

void save(const fs::path& path, const RecentFiles& recent) {
  nlohmann::json files = nlohmann::json::array();
  for (const RecentFile& file : recent.files)
    files.push_back(uri_of(file.path));
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) throw FileError(path.parent_path(), "cannot be made: " + error.message());
  write_file_atomically(path, nlohmann::json{{"files", files}}.dump(2) + "\n");
}

}  // namespace

fs::path recent_files_path() {
  const fs::path folder = user_state_folder();
  return folder.empty() ? folder : folder / "recent.json";
}

RecentFiles load_recent_files(const fs::path& path) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return {};
  try {
    return parse(path);
  } catch (const std::exception&) {
    const fs::path aside = fs::is_regular_file(path, error) ? set_broken_aside(path) : fs::path();
    const std::string kept = aside.empty() ? "" : "; it is kept as " + path_text(aside);
    return {{}, "the list of recent files could not be understood and begins anew" + kept};
  }
}

RecentFiles add_recent_file(const fs::path& path, const fs::path& file) {
  RecentFiles recent = load_recent_files(path);
  std::erase_if(recent.files, [&](const RecentFile& each) { return each.path == file; });
  recent.files.insert(recent.files.begin(), {file, true});
  if (recent.files.size() > kMostRecentFiles) recent.files.resize(kMostRecentFiles);
  if (path.empty()) return recent;
  try {
    save(path, recent);
  } catch (const FileError& error) {
    recent.notice = std::string("the list of recent files is not kept: ") + error.what();
  }
  return recent;
}

}  // namespace dispersion
