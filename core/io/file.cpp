#include "core/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

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

// Creates a new file in the directory and returns its descriptor; `name` receives its path.
int open_temporary(const std::filesystem::path& path, const std::filesystem::path& directory,
                   std::filesystem::path& name) {
  const std::string stem = ".dispersion-" + std::to_string(::getpid()) + "-";
  for (int i = 0; i < kMostNames; ++i) {
    name = directory / (stem + std::to_string(i) + ".tmp");
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
    if (fd >= 0) return fd;
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

// Writes the rename itself to the disk. Folders that cannot be opened or synced (on some network
// file systems) are skipped, since the file is complete either way.
void sync_directory(const std::filesystem::path& path, const std::filesystem::path& directory) {
  const Descriptor folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open() && ::fsync(folder.get()) != 0 && errno == EIO) {
    fail(path, "cannot sync its folder", errno);
  }
}

}  // namespace

FileError::FileError(const std::filesystem::path& file, std::string_view what)
    : std::runtime_error(path_text(file) + ": " + foreign_text(what, kLongestReason)),
      reason_begin_(path_text(file).size() + 2) {}

std::string_view FileError::reason() const {
  return std::string_view(what()).substr(reason_begin_);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  if (path.filename().empty()) throw FileError(path, "expected the name of a file");
  const std::filesystem::path target = follow_links(path);
  const mode_t old_mode = check_old_file(path, target);
  const std::filesystem::path directory = directory_of(target);

  std::filesystem::path name;
  Descriptor file(open_temporary(path, directory, name));
  TemporaryName temporary(std::move(name));
  if (old_mode != 0 && ::fchmod(file.get(), old_mode) != 0) {
    fail(path, "cannot keep its permissions", errno);
  }
  write_all(path, file.get(), bytes);
  if (::fsync(file.get()) != 0) fail(path, "cannot be synced", errno);
  struct stat made = {};
  if (::fstat(file.get(), &made) != 0) fail(path, "cannot be checked", errno);
  if (static_cast<std::uintmax_t>(made.st_size) != bytes.size()) {
    throw FileError(path, "came out as " + std::to_string(made.st_size) + " bytes; expected " +
                              std::to_string(bytes.size()));
  }
  if (const int error = file.close()) fail(path, "cannot be written", error);
  if (::rename(temporary.path().c_str(), target.c_str()) != 0) {
    fail(path, "cannot be replaced", errno);
  }
  temporary.keep();
  sync_directory(path, directory);
}

std::string read_whole_file(const std::filesystem::path& path, std::uintmax_t limit) {
  // O_NONBLOCK, because opening a pipe that nobody writes to would block.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) fail(path, "cannot be opened", errno);
  struct stat found = {};
  if (::fstat(file.get(), &found) != 0) fail(path, "cannot be opened", errno);
  if (S_ISDIR(found.st_mode)) throw FileError(path, "is a directory; expected a file");
  if (!S_ISREG(found.st_mode)) throw FileError(path, "is not a regular file");
  const auto size = static_cast<std::uintmax_t>(found.st_size);
  if (size > limit) {
    throw FileError(
        path, "has " + std::to_string(size) + " bytes; expected at most " + std::to_string(limit));
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot be read", errno);
    if (got == 0) throw FileError(path, "became shorter while it was read");
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace dispersion
