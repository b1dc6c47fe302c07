// The list of recent files on disk, and the worker that keeps it and reads folders.

#include "app/session/recent_files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/app_state.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> paths(const RecentFiles& recent) {
  std::vector<fs::path> all;
  for (const RecentFile& file : recent.files)
    all.push_back(file.path);
  return all;
}

TEST(RecentFiles, ComeBackNewestFirstEachOnce) {
  const TemporaryFolder folder;
  const fs::path list = folder / "state/recent.json";
  const fs::path odd = folder / "a \xff% ü.safetensors";
  write_bytes(odd, "x");
  for (const fs::path& file : {odd, fs::path("/gone/b"), fs::path("/gone/c"), odd})
    EXPECT_EQ(add_recent_file(list, file).notice, "");
  const RecentFiles recent = load_recent_files(list);
  EXPECT_EQ(paths(recent), (std::vector<fs::path>{odd, "/gone/c", "/gone/b"}));
  EXPECT_TRUE(recent.files[0].there);
  EXPECT_FALSE(recent.files[1].there);
}

TEST(RecentFiles, AreAtMostTwenty) {
  const TemporaryFolder folder;
  const fs::path list = folder / "recent.json";
  for (std::size_t i = 0; i < kMostRecentFiles + 5; ++i)
    add_recent_file(list, "/head" + std::to_string(i));
  const RecentFiles recent = load_recent_files(list);
  EXPECT_EQ(recent.files.size(), kMostRecentFiles);
  EXPECT_EQ(recent.files.front().path, "/head24");
}

TEST(RecentFiles, ABrokenListIsSetAsideAndTold) {
  const TemporaryFolder folder;
  const fs::path list = folder / "recent.json";
  for (const std::string text :
       {"", "{", R"({"files":["relative"]})", R"({"files":["file:///a%0"]})",
        R"({"files":["file:///a%zz"]})", R"({"files":["file:///a%00b"]})", R"({"files":1})"}) {
    write_bytes(list, text);
    const RecentFiles recent = load_recent_files(list);
    EXPECT_TRUE(recent.files.empty()) << text;
    EXPECT_NE(recent.notice.find("recent.json.bad"), std::string::npos) << recent.notice;
    EXPECT_FALSE(fs::exists(list));
  }
  EXPECT_EQ(read_bytes(folder / "recent.json.bad2"), "{");
}

TEST(RecentFiles, OfALaterVersionAreRead) {
  const TemporaryFolder folder;
  const fs::path list = folder / "recent.json";
  write_bytes(list, R"({"version":7,"files":["file:///a"],"pinned":["file:///b"]})");
  EXPECT_EQ(paths(load_recent_files(list)), std::vector<fs::path>{"/a"});
}

TEST(RecentFiles, ThatCannotBeKeptAreToldAndStillShown) {
  const RecentFiles recent = add_recent_file("/proc/none/recent.json", "/a");
  EXPECT_EQ(paths(recent), std::vector<fs::path>{"/a"});
  EXPECT_NE(recent.notice.find("not kept"), std::string::npos) << recent.notice;
}

bool until(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000 && !condition(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

TEST(FileWorker, ListsTheWantedFolderAndNotesWhatWasUsed) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.safetensors", "x");
  std::atomic<int> wakes = 0;
  AppState app;
  {
    FileWorker worker(folder / "recent.json", [&] { ++wakes; });
    app.files.folder = folder.path();
    app.files.used = {folder / "a.safetensors"};
    EXPECT_TRUE(app.files.reading());
    update_files(app, worker);
    EXPECT_TRUE(until([&] {
      receive_files(app, worker);
      return !app.files.reading() && app.files.recent.size() == 1;
    }));
    EXPECT_EQ(app.files.listing.folder, folder.path());
    EXPECT_GT(wakes, 0);
    const auto seen = app.files.listings;
    update_files(app, worker);  // nothing has changed
    write_bytes(folder / "b.safetensors", "x");
    app.files.renew = true;
    update_files(app, worker);
    EXPECT_TRUE(until([&] {
      receive_files(app, worker);
      return app.files.listings > seen;
    }));
    EXPECT_EQ(app.files.listings, seen + 1);
    worker.used("/last");  // noted although the worker ends at once
  }
  EXPECT_EQ(load_recent_files(folder / "recent.json").files.front().path, "/last");
}

}  // namespace
}  // namespace dispersion
