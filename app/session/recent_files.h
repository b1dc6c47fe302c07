#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dispersion {

// The heads that were opened or saved last, kept from one start of the program to the next.

inline constexpr std::size_t kMostRecentFiles = 20;

struct RecentFile {
  std::filesystem::path path;
  bool there = true;  // when it was looked for last

  bool operator==(const RecentFile&) const = default;
};

struct RecentFiles {
  std::vector<RecentFile> files;  // the newest first
  std::string notice;             // for the user, when the list was refused; else empty
};

// recent.json in the user's state folder; empty when there is none.
std::filesystem::path recent_files_path();

// Never throws. A missing file gives an empty list without a message; one that cannot be understood
// is set aside (core/io/broken_file.h).
RecentFiles load_recent_files(const std::filesystem::path& path);

// Puts the file, whose path is absolute, in front of the list on disk, so that several windows
// share one list. Returns the new list; the notice says why it could not be written.
RecentFiles add_recent_file(const std::filesystem::path& path, const std::filesystem::path& file);

}  // namespace dispersion
