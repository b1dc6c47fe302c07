#include "app/commands/figure_file.h"

#include <system_error>

#include "core/io/error.h"

namespace dispersion {

void require_free(const std::filesystem::path& file, bool may_replace) {
  std::error_code error;
  if (may_replace || !std::filesystem::exists(std::filesystem::symlink_status(file, error))) return;
  throw FileError(file, "is there already; --force replaces it");
}

}  // namespace dispersion
