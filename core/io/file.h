#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dispersion {

// A file could not be read or written, or its contents are not valid. The text is one line that
// names the file, the place in it and what was expected there; it is escaped and cut, as
// foreign_text() does. A file that was to be replaced is unchanged.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& file, std::string_view what);

  // The text without the name of the file.
  std::string_view reason() const;

 private:
  std::size_t reason_begin_;
};

// Writes a temporary file beside `path`, checks its size, syncs it and renames it to `path`, so
// that `path` holds either all of the old or all of the new bytes. Throws FileError with the
// system's reason; the temporary file is removed then.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The bytes of a file. Throws FileError when it cannot be read, is no regular file or is larger
// than `limit` bytes.
std::string read_whole_file(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace dispersion
