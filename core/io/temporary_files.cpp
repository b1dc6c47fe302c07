#include "core/io/temporary_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace dispersion {
namespace {

constexpr std::string_view kTemporaryBegin = ".dispersion-";
constexpr std::string_view kTemporaryEnd = ".tmp";

// The name of this machine, in characters that any file system takes; empty where it has none.
std::string host_name() {
  std::array<char, 256> buffer = {};
  if (::gethostname(buffer.data(), buffer.size() - 1) != 0) return "";
  std::string name(buffer.data());
  name.resize(std::min<std::size_t>(name.size(), 64));
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!plain && c != '.') c = '_';
  }
  return name;
}

// What the kernel calls the time since the machine was started: 32 hexadecimal digits, others after
// every start. Empty where the kernel does not say it.
std::string boot_id() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  std::erase(id, '-');
  return id;
}

// When the machine was started.
std::chrono::system_clock::time_point boot_time() {
  timespec since = {};
  ::clock_gettime(CLOCK_BOOTTIME, &since);
  return std::chrono::system_clock::now() - std::chrono::seconds(since.tv_sec);
}

// Who writes a temporary file. Its name is ".dispersion-HOST-BOOT-PROCESS-NUMBER.tmp"; it was
// ".dispersion-PROCESS-NUMBER.tmp" once, which tells neither host nor boot.
struct TemporaryOwner {
  std::string host;
  std::string boot;
  pid_t process = 0;
};

TemporaryOwner this_process() {
  static const std::string host = host_name();  // neither changes while the process lives
  static const std::string boot = boot_id();
  return {host, boot, ::getpid()};
}

// The owner that a name tells; nothing for any other name.
std::optional<TemporaryOwner> owner_of(std::string_view name) {
  if (!name.starts_with(kTemporaryBegin) || !name.ends_with(kTemporaryEnd)) return std::nullopt;
  name.remove_prefix(kTemporaryBegin.size());
  name.remove_suffix(std::min(kTemporaryEnd.size(), name.size()));
  const auto take_last = [&name] {  // what stands behind the last '-', or all where there is none
    const std::size_t at = name.rfind('-');
    if (at == std::string_view::npos) return std::exchange(name, {});
    const std::string_view last = name.substr(at + 1);
    name = name.substr(0, at);
    return last;
  };
  const std::string_view number = take_last();
  const std::string_view process = take_last();
  TemporaryOwner owner;
  owner.boot = take_last();
  owner.host = name;
  const auto read = std::from_chars(process.data(), process.data() + process.size(), owner.process);
  const bool whole = read.ec == std::errc() && read.ptr == process.data() + process.size();
  if (!whole || owner.process < 1 || number.empty() || owner.host.empty() != owner.boot.empty())
    return std::nullopt;
  return owner;
}

// No process takes so long over a file.
constexpr auto kLongestWriting = std::chrono::hours(24);

// Whether the process that writes this temporary file is gone. Says so only of processes of this
// machine; of processes before its last start only where the file is as old, because another
// machine may have the same name. Where the name tells no machine, only of a file so old that no
// machine can be writing it any more.
bool is_left_behind(const TemporaryOwner& owner, const TemporaryOwner& self,
                    const struct stat& file) {
  const auto is_gone = [&owner, &self] {
    return owner.process != self.process && ::kill(owner.process, 0) != 0 && errno == ESRCH;
  };
  const auto written = std::chrono::system_clock::from_time_t(file.st_mtime);
  if (owner.host.empty())
    return is_gone() && written + kLongestWriting < std::chrono::system_clock::now();
  if (self.boot.empty() || owner.host != self.host) return false;
  return owner.boot == self.boot ? is_gone() : written < boot_time();
}

// Whether a process holds the lock of this file. In a container a process cannot see those of
// others, but it does see their locks.
bool is_locked(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return locked;
}

// Removes the temporary files that killed processes of this machine have left in the directory.
void sweep(const std::filesystem::path& directory) {
  const TemporaryOwner self = this_process();
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::filesystem::path path = entry->path();
    const std::optional<TemporaryOwner> owner = owner_of(path.filename().native());
    struct stat found = {};
    if (!owner || ::lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) continue;
    if (is_left_behind(*owner, self, found) && !is_locked(path)) ::unlink(path.c_str());
  }
}

}  // namespace

std::string temporary_name(int number) {
  const TemporaryOwner self = this_process();
  return std::string(kTemporaryBegin) + (self.host.empty() ? "_" : self.host) + "-" +
         (self.boot.empty() ? "_" : self.boot) + "-" + std::to_string(self.process) + "-" +
         std::to_string(number) + std::string(kTemporaryEnd);
}

void sweep_temporary_files(const std::filesystem::path& directory) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> swept;
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(directory, error);
  {
    const std::lock_guard lock(mutex);
    if (error || !swept.insert(full.lexically_normal()).second) return;
  }
  sweep(directory);
}

}  // namespace dispersion
