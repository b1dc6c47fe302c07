#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
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
  struct Texts {  // escaped and cut
    std::string file;
    std::string reason;
  };
  explicit FileError(const Texts& texts);

  std::size_t reason_begin_;
};

// Writes a temporary file beside `path`, checks its size, syncs it and renames it to `path`, so
// that `path` holds either all of the old or all of the new bytes. Throws FileError with the
// system's reason; the temporary file is removed then. Temporary files that killed processes of
// this machine have left in the folder are removed when this process first writes there; those of
// other machines are not touched.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The same for a new file. Returns false, with nothing changed, where a file has the name already,
// even if it has appeared while the temporary file was written.
bool create_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// NAME-2.EXTENSION and so on, for a file whose own name is taken.
std::filesystem::path numbered_name(const std::filesystem::path& path, int number);

// Tells whether a file is still the one that it was. Two files that were written at different times
// have different marks.
struct FileMark {
  std::uintmax_t device = 0;
  std::uintmax_t number = 0;  // of the file on its device
  std::uintmax_t size = 0;    // in bytes
  std::int64_t seconds = 0;   // the time of its last change
  std::int64_t nanoseconds = 0;

  bool operator==(const FileMark&) const = default;
};

// The mark of the file; nothing if there is none, or none that can be looked at.
std::optional<FileMark> file_mark(const std::filesystem::path& path);

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
