// What exporting does to files that are there, and where it cannot write.

#include <sys/resource.h>

#include <csignal>
#include <string>

#include "tests/session/export_fixture.h"

namespace dispersion {
namespace {

TEST_F(ExportStateTest, AsksBeforeItReplacesAFile) {
  write_bytes(folder_ / "a.csv", "old");
  open(folder_ / "a.csv");
  exporting_.save = true;
  ASSERT_TRUE(answered());
  EXPECT_TRUE(exporting_.open && exporting_.replace);
  EXPECT_NE(exporting_.notice.find("a.csv is there already"), std::string::npos);
  EXPECT_EQ(read_bytes(folder_ / "a.csv"), "old");
  // The question is of this file only.
  exporting_.settings.path = folder_ / "b.csv";
  path_typed(exporting_);
  EXPECT_FALSE(exporting_.replace);
  exporting_.settings.path = folder_ / "a.csv";
  path_typed(exporting_);
  exporting_.save = true;
  ASSERT_TRUE(answered());
  ASSERT_TRUE(exporting_.replace);
  exporting_.save = true;
  ASSERT_TRUE(answered());
  EXPECT_FALSE(exporting_.open);
  EXPECT_EQ(read_bytes(folder_ / "a.csv"), expected(figure_format("csv")));
}

// The answer comes after the user has gone on to another file.
TEST_F(ExportStateTest, AnAnswerIsOfTheFileThatItIsAbout) {
  write_bytes(folder_ / "a.csv", "old");
  for (const char* name : {"a.csv", "new.csv"}) {
    open(folder_ / name);
    exporting_.save = true;
    update_export(app_, worker_, now_);
    exporting_.settings.path = folder_ / "b.csv";
    path_typed(exporting_);
    ASSERT_TRUE(answered());
    EXPECT_TRUE(exporting_.open) << name;
    EXPECT_FALSE(exporting_.replace) << name;
    EXPECT_EQ(exporting_.settings.path, folder_ / "b.csv");
    EXPECT_NE(exporting_.notice.find(name), std::string::npos) << exporting_.notice;
    close_export(exporting_);
  }
  EXPECT_EQ(read_bytes(folder_ / "a.csv"), "old");
}

// A limit on the size of files stands in for a full disk: write() fails half way.
TEST_F(ExportStateTest, LeavesTheOldFileWhenTheDiskIsFull) {
  write_bytes(folder_ / "a.png", "old");
  open(folder_ / "a.png");
  exporting_.replace = true;
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  exporting_.save = true;
  const testing::AssertionResult came = answered();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_TRUE(came);
  EXPECT_TRUE(exporting_.open);
  EXPECT_NE(exporting_.notice.find("File too large"), std::string::npos) << exporting_.notice;
  EXPECT_FALSE(exporting_.notice_good);
  EXPECT_EQ(read_bytes(folder_ / "a.png"), "old");
  EXPECT_EQ(folder_.entries(), 1);
}

TEST_F(ExportStateTest, NamesAFolderThatTakesNoFiles) {
  for (const std::string& path :
       {(folder_ / "not/there.pdf").string(), std::string("/proc/a.pdf"), std::string()}) {
    open(path);
    exporting_.save = true;
    ASSERT_TRUE(answered());
    EXPECT_TRUE(exporting_.open);
    EXPECT_FALSE(exporting_.notice.empty()) << path;
    EXPECT_FALSE(exporting_.notice_good);
    close_export(exporting_);
  }
  EXPECT_EQ(folder_.entries(), 0);
}

TEST_F(ExportStateTest, SuggestsTheFolderOfTheLastFileThatCouldBeWritten) {
  const auto suggestion = [this] {
    open_export(app_);
    std::string path = exporting_.settings.path;
    close_export(exporting_);
    return path;
  };
  const auto save = [this](const std::string& path) {
    open(path);
    exporting_.save = true;
    ASSERT_TRUE(answered());
    close_export(exporting_);
  };
  const std::string name = suggestion().substr(2);
  save(folder_ / "not/there.pdf");
  EXPECT_EQ(suggestion(), "~/" + name);
  save(folder_ / "a.pdf");
  EXPECT_EQ(suggestion(), (folder_ / name).string());
  save("no folder/a.pdf");
  EXPECT_EQ(suggestion(), (folder_ / name).string());
}

TEST_F(ExportStateTest, SaysThatASheetIsTooNarrowAndWritesNothing) {
  open(folder_ / "a.pdf");
  exporting_.settings.width = 12;
  exporting_.box = {400, 300};
  exporting_.save = true;
  ASSERT_TRUE(answered());
  EXPECT_NE(exporting_.notice.find("too narrow"), std::string::npos) << exporting_.notice;
  EXPECT_EQ(folder_.entries(), 0);
  ASSERT_TRUE(until([&] { return exporting_.preview.id > 0 && !exporting_.preview_stale; }));
  EXPECT_NE(exporting_.preview.error.find("too narrow"), std::string::npos);
}

}  // namespace
}  // namespace dispersion
