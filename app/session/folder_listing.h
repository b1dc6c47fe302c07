#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// What a folder holds, for the dialogs that open and save heads.

struct FolderEntry {
  std::string name;  // its bytes, which need not be UTF-8
  bool folder = false;
  std::int64_t changed = 0;  // seconds since 1970; 0: unknown

  bool operator==(const FolderEntry&) const = default;
};

struct FolderListing {
  static constexpr std::size_t kMostEntries = 20'000;

  std::filesystem::path folder;      // empty: nothing was read yet
  std::vector<FolderEntry> entries;  // in no order
  bool cut = false;                  // there are more than kMostEntries
  std::string error;                 // why it cannot be read; empty: it could
};

// Reads the folder until it is told to stop. Links count as what they lead to. Never throws.
FolderListing list_folder(const std::filesystem::path& folder, const std::stop_token& stop = {});

enum class FolderOrder { kName, kTime };

// The entries to be shown, folders first: heads, or all files, by name or by time. Names compare as
// people read them: without case, and seed2 before seed10. Hidden files are shown among all files,
// and where `typed`, the beginning of a name, begins with a dot too.
std::vector<FolderEntry> shown_entries(const FolderListing& listing, FolderOrder order,
                                       bool descending, bool all_files, std::string_view typed);

// What Tab makes of the beginning of a name: the longest beginning that all of the entries have
// that begin with it. A folder, if it is the only one, gets a "/". The same text where there is
// nothing to add.
std::string completed_name(const std::vector<FolderEntry>& entries, std::string_view typed);

// "2026-11-30 09:05" in local time; empty where it is unknown.
std::string local_time_text(std::int64_t seconds);

}  // namespace dispersion
