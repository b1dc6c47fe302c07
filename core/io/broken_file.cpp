#include "core/io/broken_file.h"

#include <string>
#include <system_error>

namespace dispersion {

std::filesystem::path set_broken_aside(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  if (error) return {};
  std::filesystem::path aside = file.string() + ".bad";
  for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(aside, error)); ++i)
    aside = file.string() + ".bad" + std::to_string(i);
  std::filesystem::rename(file, aside, error);
  return error ? std::filesystem::path() : aside;
}

}  // namespace dispersion
