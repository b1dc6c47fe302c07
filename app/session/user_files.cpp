#include "app/session/user_files.h"

#include <cstdlib>
#include <system_error>

namespace dispersion {
namespace {

namespace fs = std::filesystem;

fs::path folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

// Ours in the folder that the variable names, or in `usual` of the home folder.
fs::path program_folder(const char* variable, const char* usual) {
  fs::path folder = folder_from(variable);
  if (!folder.is_absolute()) {
    folder = home_folder();
    if (!folder.is_absolute()) return {};
    folder /= usual;
  }
  return folder / "dispersion-lab";
}

}  // namespace

fs::path home_folder() {
  return folder_from("HOME");
}

fs::path user_config_folder() {
  return program_folder("XDG_CONFIG_HOME", ".config");
}

fs::path user_state_folder() {
  return program_folder("XDG_STATE_HOME", ".local/state");
}

fs::path user_data_folder() {
  return program_folder("XDG_DATA_HOME", ".local/share");
}

fs::path full_path(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  return error ? path : full.lexically_normal();
}

}  // namespace dispersion
