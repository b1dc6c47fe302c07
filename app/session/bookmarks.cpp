#include "app/session/bookmarks.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/session/state_string.h"
#include "app/session/user_files.h"
#include "core/io/broken_file.h"
#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "dispersion-lab-bookmark";
constexpr JsonLimits kLimits = {.bytes = 2 * kLongestState, .depth = 4};
constexpr int kMostBookmarks = 10'000;

fs::path text_file(const fs::path& folder, const std::string& id) {
  return folder / (id + ".json");
}

Bookmark read_bookmark(const fs::path& file) {
  const JsonDocument document(file, read_whole_file(file, kLimits.bytes), kLimits);
  const JsonValue root = document.root();
  if (root.at("format").text() != kFormat) root.at("format").refuse(kFormat);
  Bookmark bookmark;
  bookmark.id = file.stem().string();
  bookmark.name = root.at("name").text();
  bookmark.note = root.at("note").text();
  bookmark.state = root.at("state").text();
  bookmark.head = root.at("head").text();
  return bookmark;
}

void write_bookmark(const fs::path& folder, const Bookmark& bookmark) {
  const nlohmann::ordered_json json = {{"format", kFormat},       {"format_version", 1},
                                       {"name", bookmark.name},   {"note", bookmark.note},
                                       {"state", bookmark.state}, {"head", bookmark.head}};
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  write_file_atomically(text_file(folder, bookmark.id), json.dump(2, ' ', false, kReplace) + "\n");
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw FileError(file, "cannot be removed: " + error.message());
}

}  // namespace

fs::path bookmarks_folder() {
  const fs::path folder = user_data_folder();
  return folder.empty() ? fs::path() : folder / "bookmarks";
}

fs::path bookmark_head(const fs::path& folder, const std::string& id) {
  return folder / (id + ".safetensors");
}

BookmarkList read_bookmarks(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, Bookmark>> found;
  BookmarkList list;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& file = entry->path();
    std::error_code ignored;
    if (file.extension() != ".json" || !entry->is_regular_file(ignored)) continue;
    try {
      Bookmark bookmark = read_bookmark(file);
      // The head's time is that of the bookmark; its text may be newer.
      const auto time = fs::last_write_time(bookmark_head(folder, bookmark.id), ignored);
      found.emplace_back(time, std::move(bookmark));
    } catch (const std::exception& reason) {
      const fs::path aside = set_broken_aside(file);
      const std::string kept = aside.empty() ? "" : "; it is kept as " + path_text(aside);
      list.troubles.push_back(std::string("a bookmark could not be read: ") + reason.what() + kept);
    }
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second.id < b.second.id;
  });
  for (auto& [time, bookmark] : found)
    list.all.push_back(std::move(bookmark));
  return list;
}

std::string add_bookmark(const fs::path& folder, const Bookmark& bookmark, const Checkpoint& head) {
  if (folder.empty()) throw FileError("bookmarks", "have no folder: HOME is not set");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder, "cannot be made: " + error.message());
  Bookmark made = bookmark;
  for (int number = 1; number <= kMostBookmarks; ++number) {
    made.id = "bookmark" + std::to_string(number);
    if (fs::exists(text_file(folder, made.id), error)) continue;
    if (!create_checkpoint(bookmark_head(folder, made.id), head)) continue;
    try {
      write_bookmark(folder, made);
    } catch (const FileError&) {
      fs::remove(bookmark_head(folder, made.id), error);  // nothing would name it
      throw;
    }
    return made.id;
  }
  throw FileError(folder, "is full of bookmarks");
}

void change_bookmark(const fs::path& folder, const Bookmark& bookmark) {
  std::error_code error;
  const fs::path file = text_file(folder, bookmark.id);
  if (!fs::exists(file, error)) throw FileError(file, "is not there any more");  // another window
  write_bookmark(folder, bookmark);
}

void remove_bookmark(const fs::path& folder, const std::string& id) {
  remove_file(text_file(folder, id));
  remove_file(bookmark_head(folder, id));
}

}  // namespace dispersion
