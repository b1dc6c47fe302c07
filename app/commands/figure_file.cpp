#include "app/commands/figure_file.h"

#include <string>
#include <system_error>

#include "core/io/error.h"

namespace dispersion {

void require_free(std::span<const std::filesystem::path> files, bool may_replace) {
  if (may_replace) return;
  const std::filesystem::path* first = nullptr;
  int others = 0;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) continue;
    if (first == nullptr) {
      first = &file;
    } else {
      ++others;
    }
  }
  if (first == nullptr) return;
  if (others == 0) throw FileError(*first, "is there already; --force replaces it");
  throw FileError(*first, "is there already, and so " +
                              std::string(others == 1 ? "is one other" : "are ") +
                              (others == 1 ? "" : std::to_string(others) + " others") + " of the " +
                              std::to_string(files.size()) + "; --force replaces them");
}

void require_free(const std::filesystem::path& file, bool may_replace) {
  require_free(std::span(&file, 1), may_replace);
}

}  // namespace dispersion
