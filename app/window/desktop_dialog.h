#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dispersion {

// The desktop's own dialog for files, where zenity or kdialog is installed: a program beside this
// one, which never waits for it.
class DesktopDialog {
 public:
  enum class Purpose { kOpen, kSave };

  // Whether there is a program that shows one.
  static bool available();

  DesktopDialog() = default;
  ~DesktopDialog();
  DesktopDialog(const DesktopDialog&) = delete;
  DesktopDialog& operator=(const DesktopDialog&) = delete;

  // Shows the dialog with this file or folder chosen; one that is shown already is closed. Returns
  // whether it could be started.
  bool show(Purpose purpose, const std::filesystem::path& at);
  bool shown() const { return pid_ > 0; }

  // Whether the user has answered since the last call: with a file, or with an empty path where
  // the dialog was closed.
  std::optional<std::filesystem::path> answer();
  void end();  // closes the dialog without an answer

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  std::string told_;  // by the program so far
};

// The words of the command that shows the dialog; empty where neither program is in PATH. KDE's
// comes first on a KDE desktop, zenity's elsewhere.
std::vector<std::string> desktop_dialog_command(DesktopDialog::Purpose purpose,
                                                const std::filesystem::path& at);

}  // namespace dispersion
