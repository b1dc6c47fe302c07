#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "core/io/file.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

mode_t mode_of(const std::filesystem::path& path) {
  struct stat found = {};
  ::stat(path.c_str(), &found);
  return found.st_mode & 07777;
}

std::string write_error(const std::filesystem::path& path) {
  return error_text<FileError>([&] { write_file_atomically(path, "new"); });
}

TEST(AtomicFile, WritesReadsBackAndReplaces) {
  const TemporaryFolder folder;
  const std::string first("a\0b\n", 4);
  write_file_atomically(folder / "file", first);
  EXPECT_EQ(read_whole_file(folder / "file", 4), first);
  const std::string second(3'000'000, 'x');
  write_file_atomically(folder / "file", second);
  EXPECT_EQ(read_whole_file(folder / "file", 3'000'000), second);
  write_file_atomically(folder / "file", "");
  EXPECT_EQ(read_whole_file(folder / "file", 0), "");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, GivesANewFileTheUsualPermissionsAndKeepsOldOnes) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(027);
  write_file_atomically(folder / "new", "x");
  ::umask(mask);
  EXPECT_EQ(mode_of(folder / "new"), 0640u);
  ::chmod((folder / "new").c_str(), 0604);
  write_file_atomically(folder / "new", "y");
  EXPECT_EQ(mode_of(folder / "new"), 0604u);
}

TEST(AtomicFile, WritesThroughALinkAndLeavesTheLink) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "inner");
  write_bytes(folder / "inner/file", "old");
  std::filesystem::create_symlink("inner/file", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(folder / "inner/file"), "new");
  // A link to a file that is not there yet makes it.
  std::filesystem::create_symlink("inner/later", folder / "promise");
  write_file_atomically(folder / "promise", "new");
  EXPECT_EQ(read_bytes(folder / "inner/later"), "new");
}

TEST(AtomicFile, RefusesALoopOfLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  EXPECT_TRUE(contains(write_error(folder / "a"), "symbolic link"));
}

TEST(AtomicFile, NamesThePathAndTheReason) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "x");
  const std::string under_file = write_error(folder / "file/below");
  EXPECT_TRUE(contains(under_file, "file/below")) << under_file;
  EXPECT_TRUE(contains(under_file, "Not a directory")) << under_file;
  EXPECT_TRUE(contains(write_error(folder / "nowhere/file"), "No such file or directory"));
  EXPECT_TRUE(contains(write_error(folder.path()), "directory"));
  EXPECT_TRUE(contains(write_error(folder.path() / ""), "name of a file"));
  EXPECT_TRUE(contains(write_error("/dev/full"), "not a regular file"));
  EXPECT_EQ(read_bytes(folder / "file"), "x");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, RefusesAReadOnlyFolderOrFile) {
  if (::geteuid() == 0) {
    // Permissions mean nothing to root; a file system that takes no new files does.
    EXPECT_TRUE(contains(write_error("/proc/dispersion-test"), "cannot create a file"));
    return;
  }
  const TemporaryFolder folder;
  write_bytes(folder / "file", "old");
  ::chmod((folder / "file").c_str(), 0444);
  EXPECT_TRUE(contains(write_error(folder / "file"), "Permission denied"));
  ::chmod(folder.path().c_str(), 0555);
  EXPECT_TRUE(contains(write_error(folder / "other"), "Permission denied"));
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(read_bytes(folder / "file"), "old");
}

// A limit on the size of files stands in for a full disk: write() fails half way.
TEST(AtomicFile, Behaviour22_LeavesTheOldFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "file", "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string error = error_text<FileError>(
        [&] { write_file_atomically(folder / "file", std::string(200'000, 'x')); });
    ::_exit(contains(error, "File too large") && folder.entries() == 1 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(read_bytes(folder / "file"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

// Leaves the temporary file of a process that was killed while it wrote: a file that grows past the
// limit ends it. Returns the name of that file.
std::string killed_while_writing(const TemporaryFolder& folder) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_DFL);
    const rlimit none = {0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    const rlimit limit = {100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    write_file_atomically(folder / "file", std::string(200'000, 'x'));
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (contains(name, std::string("-").append(std::to_string(child)).append("-"))) return name;
  }
  return "";
}

// A name ".dispersion-HOST-BOOT-PROCESS-NUMBER.tmp" with one of its parts replaced.
std::string with_part(const std::string& name, int part, const std::string& text) {
  std::size_t begin = 0;
  for (int i = 0; i < part; ++i)
    begin = name.find('-', begin) + 1;
  return name.substr(0, begin) + text + name.substr(name.find_first_of("-", begin));
}

constexpr int kHost = 1;
constexpr int kBoot = 2;
constexpr int kProcess = 3;

TEST(AtomicFile, RemovesWhatAKilledProcessHasLeft) {
  const TemporaryFolder folder;
  const std::string left = killed_while_writing(folder);
  ASSERT_NE(left, "");
  ASSERT_EQ(folder.entries(), 1);
  write_file_atomically(folder / "file", "new");
  EXPECT_FALSE(std::filesystem::exists(folder / left));
  EXPECT_EQ(folder.entries(), 1);
  // A folder is swept once: what is left behind later waits for the next process.
  const std::string later = killed_while_writing(folder);
  write_file_atomically(folder / "file", "newer");
  EXPECT_TRUE(std::filesystem::exists(folder / later));
}

TEST(AtomicFile, LookingForRoomRemovesItToo) {
  const TemporaryFolder folder;
  ASSERT_NE(killed_while_writing(folder), "");
  require_room(folder.path(), 100);
  EXPECT_EQ(folder.entries(), 0);
}

// The former names tell no machine, so only those are removed that nobody can be writing any more.
TEST(AtomicFile, RemovesOldTemporaryFilesOfTheFormerName) {
  const TemporaryFolder folder;
  const std::string left = killed_while_writing(folder);
  const std::size_t process = left.find('-', left.find('-', left.find('-') + 1) + 1);
  const std::string old = ".dispersion" + left.substr(process);  // ".dispersion-PROCESS-0.tmp"
  const std::string running = ".dispersion-" + std::to_string(::getppid()) + "-0.tmp";
  const std::string young =
      ".dispersion" + left.substr(process, left.size() - process - 5) + "1.tmp";
  for (const std::string& name : {old, running, young})
    write_bytes(folder / name, "somebody's");
  for (const std::string& name : {old, running})
    ::utimensat(AT_FDCWD, (folder / name).c_str(), std::array<timespec, 2>{}.data(), 0);
  write_file_atomically(folder / "file", "new");
  EXPECT_FALSE(std::filesystem::exists(folder / old)) << old;
  EXPECT_TRUE(std::filesystem::exists(folder / running)) << running;
  EXPECT_TRUE(std::filesystem::exists(folder / young)) << young;
}

TEST(AtomicFile, DoesNotReplaceWhatItIsToldNotTo) {
  const TemporaryFolder folder;
  EXPECT_TRUE(create_file_atomically(folder / "file", "first"));
  EXPECT_FALSE(create_file_atomically(folder / "file", "second"));
  EXPECT_EQ(read_bytes(folder / "file"), "first");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, OneOfManyThatCreateAFileAtOnceSucceeds) {
  const TemporaryFolder folder;
  std::atomic<int> created = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      if (create_file_atomically(folder / "file", std::string(10'000, 'x'))) ++created;
    });
  }
  threads.clear();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, AMarkTellsWhetherAFileWasReplaced) {
  const TemporaryFolder folder;
  EXPECT_EQ(file_mark(folder / "file"), std::nullopt);
  write_file_atomically(folder / "file", "first");
  const auto mark = file_mark(folder / "file");
  ASSERT_TRUE(mark);
  EXPECT_EQ(file_mark(folder / "file"), mark);
  write_file_atomically(folder / "file", "other");
  EXPECT_NE(file_mark(folder / "file"), mark);
}

TEST(AtomicFile, LeavesTheTemporaryFilesOfOthersAlone) {
  const TemporaryFolder folder;
  const std::string left = killed_while_writing(folder);
  ASSERT_NE(left, "");
  const std::string old_boot = with_part(left, kBoot, std::string(32, '0'));
  const std::vector<std::string> kept = {
      with_part(left, kHost, "another"),                       // of another machine
      with_part(left, kProcess, std::to_string(::getpid())),   // of this process
      with_part(left, kProcess, std::to_string(::getppid())),  // of one that runs
      old_boot,                                                // younger than this start
      ".dispersion-12-0.tmp",
      ".dispersion-.tmp",
      ".tmp",
      ".dispersion-a-b-c-d.tmp",
      left + ".more",
      "seed1.safetensors"};
  for (const std::string& name : kept)
    write_bytes(folder / name, "somebody's");
  const std::string older = with_part(old_boot, kProcess, "7");
  write_bytes(folder / older, "of the time before the last start");
  ::utimensat(AT_FDCWD, (folder / older).c_str(), std::array<timespec, 2>{}.data(), 0);
  write_file_atomically(folder / "file", "new");
  for (const std::string& name : kept)
    EXPECT_EQ(read_bytes(folder / name), "somebody's") << name;
  EXPECT_FALSE(std::filesystem::exists(folder / left));
  EXPECT_FALSE(std::filesystem::exists(folder / older));
  EXPECT_EQ(read_bytes(folder / "file"), "new");
}

// A process that this one cannot see, as in another container, holds a lock on what it writes.
TEST(AtomicFile, LeavesALockedTemporaryFileAlone) {
  const TemporaryFolder folder;
  const std::string left = killed_while_writing(folder);
  ASSERT_NE(left, "");
  const int file = ::open((folder / left).c_str(), O_RDONLY);
  ASSERT_EQ(::flock(file, LOCK_EX), 0);
  const TemporaryFolder other;
  write_bytes(other / left, "of the same process, without a lock");
  write_file_atomically(folder / "file", "new");
  write_file_atomically(other / "file", "new");
  EXPECT_TRUE(std::filesystem::exists(folder / left));
  EXPECT_FALSE(std::filesystem::exists(other / left));
  ::close(file);
}

TEST(AtomicFile, DoesNotTouchATemporaryFileThatIsThereAlready) {
  const TemporaryFolder folder;
  const std::string name =
      with_part(killed_while_writing(folder), kProcess, std::to_string(::getpid()));
  write_bytes(folder / name, "somebody's");
  write_file_atomically(folder / "file", "new");
  EXPECT_EQ(read_bytes(folder / name), "somebody's");
  EXPECT_EQ(read_bytes(folder / "file"), "new");
}

TEST(RequireRoom, NamesTheFolderAndLeavesNothing) {
  const TemporaryFolder folder;
  require_room(folder.path(), 100'000);
  EXPECT_EQ(folder.entries(), 0);
  const std::string missing = error_text<FileError>([&] { require_room(folder / "none", 1); });
  EXPECT_TRUE(missing.starts_with((folder / "none").string() + ": ")) << missing;
}

TEST(ReadWholeFile, RefusesWhatIsNoFileOrTooLarge) {
  const TemporaryFolder folder;
  const auto error = [](const std::filesystem::path& path, std::uintmax_t limit) {
    return error_text<FileError>([&] { read_whole_file(path, limit); });
  };
  EXPECT_TRUE(contains(error(folder.path(), 100), "is a directory"));
  EXPECT_TRUE(contains(error(folder / "missing", 100), "No such file"));
  EXPECT_TRUE(contains(error("/dev/zero", 100), "not a regular file"));
  ::mkfifo((folder / "pipe").c_str(), 0600);
  EXPECT_TRUE(contains(error(folder / "pipe", 100), "not a regular file"));
  write_bytes(folder / "file", "12345");
  EXPECT_TRUE(contains(error(folder / "file", 4), "at most 4"));
}

TEST(InputFile, ReadsNoMoreThanItIsAskedFor) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "12345678");
  InputFile file(folder / "file", 8);
  EXPECT_EQ(file.size(), 8u);
  EXPECT_EQ(file.read_to(2), "12");
  // What comes behind is read late enough to see this change.
  std::fstream(folder / "file", std::ios::in | std::ios::out).seekp(4) << "abcd";
  EXPECT_EQ(file.read_to(1), "1");
  EXPECT_EQ(file.read_to(6), "1234ab");
  EXPECT_EQ(file.read_to(100), "1234abcd");
  EXPECT_EQ(file.read_all(), "1234abcd");
}

}  // namespace
}  // namespace dispersion
