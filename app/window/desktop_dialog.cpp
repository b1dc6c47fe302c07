#include "app/window/desktop_dialog.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "app/window/programs.h"

namespace dispersion {
namespace {

bool on_kde() {
  const char* desktop = std::getenv("XDG_CURRENT_DESKTOP");
  return desktop != nullptr && std::string_view(desktop).find("KDE") != std::string_view::npos;
}

std::vector<std::string> zenity(DesktopDialog::Purpose purpose, const std::string& at) {
  std::vector<std::string> words = {"zenity", "--file-selection", "--filename=" + at};
  if (purpose == DesktopDialog::Purpose::kSave) {
    words.insert(words.end(), {"--save", "--confirm-overwrite", "--title=Save the head as"});
  } else {
    words.emplace_back("--title=Open a head");
  }
  words.insert(words.end(), {"--file-filter=Heads | *.safetensors", "--file-filter=All files | *"});
  return words;
}

std::vector<std::string> kdialog(DesktopDialog::Purpose purpose, const std::string& at) {
  const bool save = purpose == DesktopDialog::Purpose::kSave;
  return {"kdialog", save ? "--getsavefilename" : "--getopenfilename",
          at,        "*.safetensors|Heads\n*|All files",
          "--title", save ? "Save the head as" : "Open a head"};
}

}  // namespace

std::vector<std::string> desktop_dialog_command(DesktopDialog::Purpose purpose,
                                                const std::filesystem::path& at) {
  const bool kde = in_path("kdialog");
  if (kde && (on_kde() || !in_path("zenity"))) return kdialog(purpose, at.string());
  if (in_path("zenity")) return zenity(purpose, at.string());
  return {};
}

bool DesktopDialog::available() {
  return in_path("zenity") || in_path("kdialog");
}

DesktopDialog::~DesktopDialog() {
  end();
}

bool DesktopDialog::show(Purpose purpose, const std::filesystem::path& at) {
  end();
  std::vector<std::string> words = desktop_dialog_command(purpose, at);
  if (words.empty()) return false;
  const ChildProgram child = start_program(std::move(words), PipeEnd::kOutput);
  pid_ = child.pid;
  output_ = child.pipe;
  told_.clear();
  if (output_ >= 0) fcntl(output_, F_SETFL, O_NONBLOCK);
  if (pid_ < 0) end();
  return shown();
}

std::optional<std::filesystem::path> DesktopDialog::answer() {
  if (!shown()) return std::nullopt;
  std::array<char, 4096> bytes;
  ssize_t count = read(output_, bytes.data(), bytes.size());
  for (; count > 0; count = read(output_, bytes.data(), bytes.size()))
    told_.append(bytes.data(), static_cast<std::size_t>(count));
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  end();  // it has closed its output
  if (told_.ends_with('\n')) told_.pop_back();
  return std::filesystem::path(std::exchange(told_, {}));
}

// The program ends by itself when the user has answered, and otherwise at this signal.
void DesktopDialog::end() {
  if (output_ >= 0) close(std::exchange(output_, -1));
  const pid_t pid = std::exchange(pid_, -1);
  if (pid <= 0) return;
  kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace dispersion
