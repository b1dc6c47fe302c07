#include "app/commands/describe.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "app/session/bookmarks.h"
#include "app/session/recent_files.h"
#include "app/session/state_string.h"
#include "core/head/training_state.h"
#include "core/io/checkpoint.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

// A home of its own, and a head that no seed gives.
class DescribedState : public testing::Test {
 protected:
  DescribedState() {
    for (const char* folder : {"HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
      ::setenv(folder, home_.path().c_str(), 1);
    head_.state = start_training({.width = 16, .classes = 10}, 7);
    head_.state.parameters.values.front() += 0.5F;
    head_.state.step = 500;
    state_ = encode_state(UserSettings(), named_head("my head", true, head_.recipe, head_.state));
  }

  // Until something is counted, so that it is short.
  std::string described_soon() const {
    return described({.state = state_}, [](double share) { return share == 0; });
  }
  std::string head_line() const {
    return "head\trun hash\t" + run_hash(head_.recipe, head_.state) + " at step 500\n";
  }

  TemporaryFolder home_;
  Checkpoint head_;
  std::string state_;
};

TEST_F(DescribedState, WithoutItsHeadSaysWhichOneIsMissing) {
  EXPECT_THROW(described_soon(), std::runtime_error);
}

TEST_F(DescribedState, FindsItsHeadAmongTheBookmarks) {
  Bookmark bookmark;
  bookmark.name = "mine";
  bookmark.state = state_;
  add_bookmark(bookmarks_folder(), bookmark, head_);
  const std::string text = described_soon();
  EXPECT_NE(text.find(head_line()), std::string::npos) << text;
}

TEST_F(DescribedState, FindsItsHeadAmongTheRecentFiles) {
  save_checkpoint(home_ / "mine.safetensors", head_);
  add_recent_file(recent_files_path(), home_ / "mine.safetensors");
  const std::string text = described_soon();
  EXPECT_NE(text.find(head_line()), std::string::npos) << text;
}

// A bookmark that cannot be read is set aside, and what is described has nothing to do with it.
TEST_F(DescribedState, ABrokenBookmarkIsNoReasonToSayNothing) {
  Bookmark bookmark;
  bookmark.state = state_;
  add_bookmark(bookmarks_folder(), bookmark, head_);
  write_bytes(bookmarks_folder() / "broken.json", "{");
  EXPECT_NE(described_soon().find(head_line()), std::string::npos);
}

}  // namespace
}  // namespace dispersion
