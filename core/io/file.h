#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dispersion {

// Something read or written outside the program was not as it should be. The text is one line that
// names the file, the place in it and what was expected. Whatever was there before is untouched.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& file, const std::string& what)
      : std::runtime_error(file.string() + ": " + what) {}
};

// Writes a temporary file beside `path`, checks every byte count, syncs and renames, so that `path`
// holds either all of the old or all of the new bytes. Throws FileError with the system's reason;
// the temporary file is removed then.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// Throws FileError when it cannot be opened, is no regular file or is larger than `limit` bytes.
std::string read_whole_file(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace dispersion
