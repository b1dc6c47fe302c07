#include "app/window/desktop_programs.h"

#include "app/window/programs.h"

namespace dispersion {

std::string open_folder(const std::filesystem::path& folder) {
  if (in_path("xdg-open") && start_apart({"xdg-open", folder.string()})) return "";
  return "No program here opens folders (xdg-open does it on most desktops). The folder is " +
         folder.string();
}

}  // namespace dispersion
