#include "app/session/user_files.h"

#include <cstdlib>

namespace dispersion {
namespace {

namespace fs = std::filesystem;

fs::path folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

fs::path user_state_folder() {
  fs::path folder = folder_from("XDG_STATE_HOME");
  if (!folder.is_absolute()) {
    folder = folder_from("HOME");
    if (!folder.is_absolute()) return {};
    folder = folder / ".local" / "state";
  }
  return folder / "dispersion-lab";
}

}  // namespace dispersion
