#include "app/commands/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

// Returns 0, or the error number of the system.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::string field(const Json& value) {
  if (value.is_null()) return "";
  return csv_field(value.is_string() ? value.get<std::string>() : value.dump());
}

}  // namespace

void prepare_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // open() returns the lowest free descriptor, which is this one. The direction is the wrong one
    // on purpose, so that using the stream still fails.
    if (::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void print(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ReaderHasGone();
  if (error != 0) throw FileError("standard output", std::generic_category().message(error));
}

void print_error(std::string_view message) {
  constexpr std::size_t kLongestMessage = 4000;
  std::string line(message);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  line = "dispersion_lab: " + foreign_text(line, kLongestMessage) + "\n";
  // A failure to write here cannot be reported anywhere.
  static_cast<void>(write_all(STDERR_FILENO, line));
}

std::string json_line(const Json& object, int indent) {
  constexpr auto kReplace = Json::error_handler_t::replace;  // dump() would throw otherwise
  const std::string plain = object.dump(-1, ' ', false, kReplace);
  const bool ascii = visible_text(plain) != plain;
  return object.dump(indent, ' ', ascii, kReplace) + "\n";
}

std::string csv_text(std::span<const Json> rows) {
  std::string names;
  std::string lines;
  for (const Json& row : rows) {
    std::string_view separator;
    for (const auto& [key, value] : row.items()) {
      if (&row == rows.data()) {
        names += separator;
        names += csv_field(key);
      }
      lines += separator;
      lines += field(value);
      separator = ",";
    }
    lines += '\n';
  }
  names += '\n';
  return names + lines;
}

void require_free(std::span<const fs::path> files, bool may_replace) {
  if (may_replace) return;
  const fs::path* first = nullptr;
  int others = 0;
  for (const fs::path& file : files) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) continue;
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

void require_free(const fs::path& file, bool may_replace) {
  require_free(std::span(&file, 1), may_replace);
}

}  // namespace dispersion
