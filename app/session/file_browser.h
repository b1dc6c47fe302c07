#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/folder_listing.h"
#include "app/session/mailbox.h"
#include "app/session/recent_files.h"

namespace dispersion {

// What the dialogs for heads show of the disk, and what they want to know of it.
struct FileBrowser {
  std::filesystem::path folder;             // whose list is wanted; empty: none
  bool renew = false;                       // the list is to be read again
  FolderListing listing;                    // the newest; of `folder` unless it is being read
  std::uint64_t listings = 0;               // how many have come
  std::vector<RecentFile> recent;           // the newest first
  std::vector<std::filesystem::path> used;  // opened or saved and not yet told to the worker
  std::filesystem::path asked;              // the folder that the worker was asked for last

  bool reading() const { return listing.folder != folder; }
};

// Reads folders and keeps the list of recent files, on a thread of its own. Of folders only the
// newest counts; files are all noted, even those that are still waiting at destruction.
class FileWorker {
 public:
  // `recent`: the file with the list of recent files; empty: it is not kept. `wake` is called from
  // the worker's thread whenever there is news; it must neither block nor throw.
  FileWorker(std::filesystem::path recent, std::function<void()> wake);
  ~FileWorker();
  FileWorker(const FileWorker&) = delete;
  FileWorker& operator=(const FileWorker&) = delete;

  // Neither waits.
  void list(std::filesystem::path folder);  // and looks anew for the recent files
  void used(std::filesystem::path file);

  std::optional<FolderListing> take_listing();
  std::optional<RecentFiles> take_recent();

 private:
  void run(const std::stop_token& stop);
  void note_used();

  std::filesystem::path recent_path_;
  std::function<void()> wake_;
  WakeSignal wake_signal_;
  Latest<std::filesystem::path> folders_;
  Drain<std::filesystem::path> used_;
  Latest<FolderListing> listing_;
  Latest<RecentFiles> recent_;
  std::jthread thread_;  // the last member, so that it is joined before the others are destroyed
};

struct AppState;

// Takes the worker's news into the app state. Returns whether there was any.
bool receive_files(AppState& app, FileWorker& worker);

// Tells the worker what the app state wants to know, and which files were used.
void update_files(AppState& app, FileWorker& worker);

}  // namespace dispersion
