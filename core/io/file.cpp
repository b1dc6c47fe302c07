#include "core/io/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/io/temporary_files.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr int kMostLinks = 40;     // symbolic links in a row, as in the kernel: more are a loop
constexpr int kMostNames = 10000;  // names that are tried for a temporary file
constexpr std::size_t kLongestReason = 1000;
constexpr mode_t kNewFileMode = 0666;  // without the bits of the umask, as for any new file

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
  throw FileError(path, what + ": " + std::generic_category().message(error));
}

// A file descriptor that is closed when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  // Returns 0 or the error of close(), which some file systems use to report a full disk.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_;
};

// Removes the temporary file when it goes out of scope, unless keep() was called after renaming it.
class TemporaryName {
 public:
  explicit TemporaryName(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryName() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  std::filesystem::path path_;
};

// The file that will be replaced: where `path` is a symbolic link, its target, so that the link
// stays.
std::filesystem::path follow_links(const std::filesystem::path& path) {
  std::filesystem::path target = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    if (!std::filesystem::is_symlink(target, error)) return target;
    const std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) fail(path, "cannot read the symbolic link", error.value());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  fail(path, "cannot follow the symbolic link", ELOOP);
}

// The permission bits of the file that will be replaced, or 0 when there is none. Throws FileError
// for what must not be replaced.
mode_t check_old_file(const std::filesystem::path& path, const std::filesystem::path& target) {
  struct stat old = {};
  if (::stat(target.c_str(), &old) != 0) {
    if (errno == ENOENT) return 0;
    fail(path, "cannot be written", errno);
  }
  if (S_ISDIR(old.st_mode)) throw FileError(path, "is a directory; expected the name of a file");
  if (!S_ISREG(old.st_mode)) throw FileError(path, "is not a regular file; will not replace it");
  if (::access(target.c_str(), W_OK) != 0) fail(path, "cannot be written", errno);
  return old.st_mode & 07777;
}

std::filesystem::path directory_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

// Creates a new file in the directory and returns its descriptor; `name` receives its path. It is
// locked, so that no other process takes it for one that was left behind.
int open_temporary(const std::filesystem::path& path, const std::filesystem::path& directory,
                   std::filesystem::path& name) {
  sweep_temporary_files(directory);
  for (int i = 0; i < kMostNames; ++i) {
    name = directory / temporary_name(i);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
    if (fd >= 0) {
      ::flock(fd, LOCK_EX | LOCK_NB);  // some file systems have no locks
      return fd;
    }
    if (errno != EEXIST && errno != EINTR) {
      fail(path, "cannot create a file in " + directory.string(), errno);
    }
  }
  fail(path, "cannot create a file in " + directory.string(), EEXIST);
}

void write_all(const std::filesystem::path& path, int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "cannot be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Writes all bytes to a new file and checks that the disk has them.
void fill(const std::filesystem::path& path, int fd, std::string_view bytes) {
  write_all(path, fd, bytes);
  if (::fsync(fd) != 0) fail(path, "cannot be synced", errno);
  struct stat made = {};
  if (::fstat(fd, &made) != 0) fail(path, "cannot be checked", errno);
  if (static_cast<std::uintmax_t>(made.st_size) != bytes.size()) {
    throw FileError(path, "came out as " + std::to_string(made.st_size) + " bytes; expected " +
                              std::to_string(bytes.size()));
  }
}

// Writes the rename itself to the disk. Folders that cannot be opened or synced (on some network
// file systems) are skipped, since the file is complete either way.
void sync_directory(const std::filesystem::path& path, const std::filesystem::path& directory) {
  const Descriptor folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open() && ::fsync(folder.get()) != 0 && errno == EIO) {
    fail(path, "cannot sync its folder", errno);
  }
}

// What becomes of a file that has the name already.
enum class IfThere { kReplace, kRefuse };

// Renames a complete temporary file. Returns 0 or the error of the system; EEXIST when a file is
// there that must not be replaced, even if it has appeared only now.
int give_name(const std::filesystem::path& temporary, const std::filesystem::path& target,
              IfThere if_there) {
  if (if_there == IfThere::kReplace)
    return ::rename(temporary.c_str(), target.c_str()) == 0 ? 0 : errno;
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // Some network file systems have no such renaming, but links, which replace nothing either.
  if (::link(temporary.c_str(), target.c_str()) != 0) return errno;
  ::unlink(temporary.c_str());
  return 0;
}

// Returns false where a file has the name already that must not be replaced.
bool write_file(const std::filesystem::path& path, std::string_view bytes, IfThere if_there) {
  if (path.filename().empty()) throw FileError(path, "expected the name of a file");
  const std::filesystem::path target = follow_links(path);
  if (if_there == IfThere::kRefuse && file_mark(target)) return false;
  const mode_t old_mode = check_old_file(path, target);
  const std::filesystem::path directory = directory_of(target);

  std::filesystem::path name;
  Descriptor file(open_temporary(path, directory, name));
  TemporaryName temporary(std::move(name));
  if (old_mode != 0 && ::fchmod(file.get(), old_mode) != 0) {
    fail(path, "cannot keep its permissions", errno);
  }
  fill(path, file.get(), bytes);
  if (const int error = file.close()) fail(path, "cannot be written", error);
  if (const int error = give_name(temporary.path(), target, if_there)) {
    if (error == EEXIST && if_there == IfThere::kRefuse) return false;
    fail(path, if_there == IfThere::kReplace ? "cannot be replaced" : "cannot be given its name",
         error);
  }
  temporary.keep();
  sync_directory(path, directory);
  return true;
}

}  // namespace

FileError::FileError(const std::filesystem::path& file, std::string_view what)
    : FileError(Texts{path_text(file) + ": ", foreign_text(what, kLongestReason)}) {}

FileError::FileError(const Texts& texts)
    : std::runtime_error(texts.file + texts.reason), reason_begin_(texts.file.size()) {}

std::string_view FileError::reason() const {
  return std::string_view(what()).substr(reason_begin_);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  write_file(path, bytes, IfThere::kReplace);
}

bool create_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  return write_file(path, bytes, IfThere::kRefuse);
}

std::filesystem::path numbered_name(const std::filesystem::path& path, int number) {
  std::filesystem::path name = path.parent_path() / path.stem();
  name += "-" + std::to_string(number);
  name += path.extension();
  return name;
}

std::optional<FileMark> file_mark(const std::filesystem::path& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileMark{found.st_dev, found.st_ino, static_cast<std::uintmax_t>(found.st_size),
                  found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

void require_room(const std::filesystem::path& folder, std::size_t bytes) {
  std::filesystem::path name;
  Descriptor file(open_temporary(folder, folder, name));
  const TemporaryName temporary(std::move(name));
  fill(folder, file.get(), std::string(bytes, '\0'));
  if (const int error = file.close()) fail(folder, "cannot be written", error);
}

InputFile::InputFile(std::filesystem::path path, std::uintmax_t limit)
    : path_(std::move(path)),
      // O_NONBLOCK, because opening a pipe that nobody writes to would block.
      descriptor_(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(path_, "cannot be opened", errno);
  Descriptor until_checked(descriptor_);  // closes it when this throws
  struct stat found = {};
  if (::fstat(descriptor_, &found) != 0) fail(path_, "cannot be opened", errno);
  if (S_ISDIR(found.st_mode)) throw FileError(path_, "is a directory; expected a file");
  if (!S_ISREG(found.st_mode)) throw FileError(path_, "is not a regular file");
  size_ = static_cast<std::uintmax_t>(found.st_size);
  if (size_ > limit) {
    throw FileError(path_, "has " + std::to_string(size_) + " bytes; expected at most " +
                               std::to_string(limit));
  }
  until_checked.release();
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

std::string_view InputFile::read_to(std::uintmax_t count) {
  std::size_t done = bytes_.size();
  if (const std::uintmax_t end = std::min(count, size_); end > done)
    bytes_.resize(static_cast<std::size_t>(end));
  while (done < bytes_.size()) {
    const ssize_t got = ::read(descriptor_, bytes_.data() + done, bytes_.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path_, "cannot be read", errno);
    if (got == 0) throw FileError(path_, "became shorter while it was read");
    done += static_cast<std::size_t>(got);
  }
  return std::string_view(bytes_).substr(0, static_cast<std::size_t>(std::min(count, size_)));
}

std::string InputFile::read_all() {
  read_to(size_);
  return std::move(bytes_);
}

std::string read_whole_file(const std::filesystem::path& path, std::uintmax_t limit) {
  return InputFile(path, limit).read_all();
}

}  // namespace dispersion
