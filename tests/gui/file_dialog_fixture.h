#pragma once

// The window with a home folder of its own, and its dialog in which heads are opened and saved.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"

namespace dispersion {

inline Checkpoint fresh_head(std::uint32_t seed, std::int64_t step) {
  Checkpoint head;
  head.state = start_training(HeadShape(), seed);
  head.state.step = step;
  return head;
}

// A home folder of its own with heads of the seeds 1, 2 and 10 in the folder "runs".
class FileDialogWindow : public testing::Test {
 protected:
  FileDialogWindow() {
    ::setenv("HOME", home_.path().c_str(), 1);
    std::filesystem::create_directories(runs());
    for (const std::uint32_t seed : {1, 2, 10})
      save_checkpoint(head_file(seed), fresh_head(seed, 500 + seed));
    write_bytes(runs() / "notes.txt", "not a head");
  }

  std::filesystem::path runs() const { return home_ / "runs"; }
  std::filesystem::path head_file(std::uint32_t seed) const {
    return runs() / ("seed" + std::to_string(seed) + ".safetensors");
  }
  std::filesystem::path recent_list() const { return home_ / "state/recent.json"; }

  TemporaryFolder home_;
};

struct Dialog {
  GuiDriver& driver;
  ImGuiTestContext* context;

  PathEntry& entry() const { return driver.lab().panels().entry; }
  std::string text() const { return entry().text.data(); }
  bool listed(const std::filesystem::path& folder) const {
    const FileBrowser& files = driver.app().files;
    return driver.wait_for(context, [&] { return !files.reading() && files.folder == folder; });
  }
  bool closed() const {
    return driver.wait_for(context, [&] { return entry().purpose == PathEntry::Purpose::kNone; });
  }
  void open() const {
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    context->Yield(4);
  }
  // Opens it where it begins in this folder.
  bool opens(const std::filesystem::path& folder) const {
    open();
    return listed(folder);
  }
  // Clicks the row of the folder's list.
  void click(int row, bool twice = false) const {
    const std::string item = "**/$$" + std::to_string(row) + "/entry";
    if (twice) {
      context->ItemDoubleClick(item.c_str());
    } else {
      context->ItemClick(item.c_str());
    }
  }
};

}  // namespace dispersion
