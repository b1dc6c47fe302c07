#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"

namespace dispersion {

// States of the window that the user keeps under a name, each with a copy of its head. A bookmark
// is two files of one folder: ID.json and ID.safetensors.

struct Bookmark {
  std::string id;
  std::string name;
  std::string note;   // may be empty
  std::string state;  // as decode_state() reads it
  std::string head;   // in words

  bool operator==(const Bookmark&) const = default;
};

// $XDG_DATA_HOME/dispersion-lab/bookmarks, or under ~/.local/share; empty when there is neither.
std::filesystem::path bookmarks_folder();

// The copy of the head.
std::filesystem::path bookmark_head(const std::filesystem::path& folder, const std::string& id);

struct BookmarkList {
  std::vector<Bookmark> all;          // newest first
  std::vector<std::string> troubles;  // which files were set aside since they could not be read
};
// Never fails. Empty for an empty path and for a folder that cannot be read.
BookmarkList read_bookmarks(const std::filesystem::path& folder);

// These throw FileError. A new bookmark gets an id, which is returned.
std::string add_bookmark(const std::filesystem::path& folder, const Bookmark& bookmark,
                         const Checkpoint& head);
void change_bookmark(const std::filesystem::path& folder, const Bookmark& bookmark);
void remove_bookmark(const std::filesystem::path& folder, const std::string& id);

}  // namespace dispersion
