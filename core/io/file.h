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

// What becomes of a file that has the name already.
enum class IfThere { kReplace, kRefuse };

// Writes a temporary file beside `path`, checks its size, syncs it and renames it to `path`, so
// that `path` holds either all of the old or all of the new bytes. Throws FileError with the
// system's reason; the temporary file is removed then. With kRefuse, a file that is there, or that
// appears before the renaming, is an error. Temporary files that killed processes of this machine
// have left in the folder are removed when this process first writes there; those of other machines
// are not touched.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                           IfThere if_there = IfThere::kReplace);

// Throws FileError that names the folder unless a file of so many bytes can be written there.
// Leaves no file.
void require_room(const std::filesystem::path& folder, std::size_t bytes);

// A file that is read from its start, piece by piece, so that its first bytes can be refused before
// the rest is read.
class InputFile {
 public:
  // Throws FileError when the file cannot be opened, is no regular file or is larger than `limit`
  // bytes.
  InputFile(std::filesystem::path path, std::uintmax_t limit);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uintmax_t size() const { return size_; }  // of the whole file, in bytes

  // The first `count` bytes, or all if there are fewer; what was read before is not read again.
  // The view holds until the next call. Throws FileError when the file cannot be read.
  std::string_view read_to(std::uintmax_t count);
  // All bytes. Call it once, as the last.
  std::string read_all();

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::uintmax_t size_ = 0;
  std::string bytes_;  // read so far
};

// The bytes of a file. Throws as InputFile does.
std::string read_whole_file(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace dispersion
