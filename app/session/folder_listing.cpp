#include "app/session/folder_listing.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <compare>
#include <ctime>
#include <system_error>

#include "core/io/file.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

int lower(char character) {
  return std::tolower(static_cast<unsigned char>(character));
}

// The digits from `at` on, without zeros in front; moves `at` behind them.
std::string_view number_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0')
    ++at;
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at]))
    ++at;
  return text.substr(begin, at - begin);
}

std::strong_ordering by_length_and_text(std::string_view a, std::string_view b) {
  return a.size() == b.size() ? a <=> b : a.size() <=> b.size();
}

std::strong_ordering compare_names(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto order = by_length_and_text(number_at(a, i), number_at(b, j));
      if (order != 0) return order;
    } else if (lower(a[i]) != lower(b[j])) {
      return lower(a[i]) <=> lower(b[j]);
    } else {
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i <=> b.size() - j;
  return a <=> b;  // names that differ in case or in zeros alone
}

bool is_shown(const FolderEntry& entry, bool all_files, std::string_view typed) {
  const bool hidden = entry.name.starts_with('.');
  if (hidden && !all_files && !typed.starts_with('.')) return false;
  return entry.folder || all_files || entry.name.ends_with(".safetensors");
}

// Cuts the text to the beginning that both have, in whole characters of UTF-8.
void cut_to_common(std::string& text, std::string_view other) {
  const auto same = std::ranges::mismatch(text, other).in1 - text.begin();
  auto length = static_cast<std::size_t>(same);
  const auto inside_character = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
  };
  while (length > 0 && length < text.size() && inside_character(text[length]))
    --length;
  text.resize(length);
}

}  // namespace

FolderListing list_folder(const fs::path& folder, const std::stop_token& stop) {
  FolderListing listing;
  listing.folder = folder;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator() && !stop.stop_requested();
       entry.increment(error)) {
    if (listing.entries.size() == FolderListing::kMostEntries) {
      listing.cut = true;
      break;
    }
    std::error_code ignored;
    const auto mark = file_mark(entry->path());
    listing.entries.push_back({entry->path().filename().string(), entry->is_directory(ignored),
                               mark ? mark->seconds : 0});
  }
  if (error) listing.error = FileError(folder, "cannot be read: " + error.message()).what();
  return listing;
}

std::vector<FolderEntry> shown_entries(const FolderListing& listing, FolderOrder order,
                                       bool descending, bool all_files, std::string_view typed) {
  std::vector<FolderEntry> entries;
  for (const FolderEntry& entry : listing.entries) {
    if (is_shown(entry, all_files, typed)) entries.push_back(entry);
  }
  std::ranges::sort(entries, [&](const FolderEntry& a, const FolderEntry& b) {
    if (a.folder != b.folder) return a.folder;
    if (order == FolderOrder::kTime && a.changed != b.changed)
      return descending ? a.changed > b.changed : a.changed < b.changed;
    const auto names = compare_names(a.name, b.name);
    return order == FolderOrder::kName && descending ? names > 0 : names < 0;
  });
  return entries;
}

std::string completed_name(const std::vector<FolderEntry>& entries, std::string_view typed) {
  std::string common;
  const FolderEntry* only = nullptr;
  int count = 0;
  for (const FolderEntry& entry : entries) {
    if (!entry.name.starts_with(typed)) continue;
    if (++count == 1) {
      common = entry.name;
      only = &entry;
      continue;
    }
    cut_to_common(common, entry.name);
  }
  if (count == 0 || common.size() < typed.size()) return std::string(typed);
  if (count == 1 && only->folder) common += '/';
  return common;
}

std::string local_time_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts = {};
  if (seconds == 0 || localtime_r(&time, &parts) == nullptr) return "";
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return std::string(text.data(), length);
}

}  // namespace dispersion
