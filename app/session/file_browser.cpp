#include "app/session/file_browser.h"

#include <utility>

#include "app/session/app_state.h"

namespace dispersion {

FileWorker::FileWorker(std::filesystem::path recent, std::function<void()> wake)
    : recent_path_(std::move(recent)),
      wake_(std::move(wake)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

FileWorker::~FileWorker() {
  thread_.request_stop();
}

void FileWorker::list(std::filesystem::path folder) {
  folders_.put(std::move(folder));
  wake_signal_.notify();
}

void FileWorker::used(std::filesystem::path file) {
  used_.put(std::move(file));
  wake_signal_.notify();
}

std::optional<FolderListing> FileWorker::take_listing() {
  return listing_.take();
}

std::optional<RecentFiles> FileWorker::take_recent() {
  return recent_.take();
}

void FileWorker::run(const std::stop_token& stop) {
  recent_.put(load_recent_files(recent_path_));
  wake_();
  while (!stop.stop_requested()) {
    note_used();
    if (auto folder = folders_.take()) {
      FolderListing listing = list_folder(*folder, stop);
      if (!recent_path_.empty()) recent_.put(load_recent_files(recent_path_));
      listing_.put(std::move(listing));
      wake_();
      continue;
    }
    wake_signal_.wait(stop);
  }
  note_used();
}

void FileWorker::note_used() {
  for (const std::filesystem::path& file : used_.take_all()) {
    recent_.put(add_recent_file(recent_path_, file));
    wake_();
  }
}

bool receive_files(AppState& app, FileWorker& worker) {
  auto listing = worker.take_listing();
  auto recent = worker.take_recent();
  if (listing) {
    app.files.listing = *std::move(listing);
    ++app.files.listings;
  }
  if (recent) {
    app.files.recent = std::move(recent->files);
    if (!recent->notice.empty()) add_report(app, {.ok = false, .text = recent->notice});
  }
  return listing || recent;
}

void update_files(AppState& app, FileWorker& worker) {
  FileBrowser& files = app.files;
  for (std::filesystem::path& file : std::exchange(files.used, {}))
    worker.used(std::move(file));
  if (files.folder.empty() || (files.folder == files.asked && !files.renew)) return;
  files.renew = false;
  files.asked = files.folder;
  worker.list(files.folder);
}

}  // namespace dispersion
