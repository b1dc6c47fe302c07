#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
TEST(AtomicFile, LeavesTheOldFileWhenTheDiskIsFull) {
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

TEST(AtomicFile, DoesNotTouchATemporaryFileThatIsThereAlready) {
  const TemporaryFolder folder;
  const std::string name = ".dispersion-" + std::to_string(::getpid()) + "-0.tmp";
  write_bytes(folder / name, "somebody's");
  write_file_atomically(folder / "file", "new");
  EXPECT_EQ(read_bytes(folder / name), "somebody's");
  EXPECT_EQ(read_bytes(folder / "file"), "new");
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

}  // namespace
}  // namespace dispersion
