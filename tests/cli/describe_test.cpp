#include "app/commands/describe.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "app/commands/command_inputs.h"
#include "app/session/bookmarks.h"
#include "app/session/recent_files.h"
#include "app/session/state_string.h"
#include "core/cpu/cpu_backend.h"
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

// Why the state cannot be described.
std::string complaint(const std::string& state) {
  try {
    described({.state = state}, [](double share) { return share == 0; });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST_F(DescribedState, WithoutItsHeadSaysWhichOneIsMissing) {
  const HeadName weights = named_head("my head", false, head_.recipe, head_.state);
  EXPECT_EQ(complaint(encode_state({}, weights)),
            "the head of that state was not found: run hash " + weights.run_hash +
                "; it is not inside the program, and in no bookmark, kept run or recent file");
}

// Its weights do not follow from its seed.
TEST_F(DescribedState, OfAHeadThatComesOutAsAnotherIsNotDescribed) {
  head_.state.step = 3;
  const std::string text =
      complaint(encode_state({}, named_head("my head", true, head_.recipe, head_.state)));
  EXPECT_TRUE(text.starts_with("the head was trained again, but is another one")) << text;
}

// The state of a window in which the head inside the program was trained on, and not saved.
TEST_F(DescribedState, TrainsAgainWhatIsKeptNowhere) {
  const Checkpoint shipped = load_head({}).checkpoint;
  const auto backend = make_cpu_backend();
  backend->load(shipped.recipe,
                {start_training_from(shipped.state.parameters, shipped.state.seed)});
  std::vector<StepRecord> records;
  backend->train(5, records);
  const HeadName head =
      named_head("trained on", true, shipped.recipe, backend->state(0), shipped.state.step);
  const std::string text =
      described({.state = encode_state({}, head)}, [](double share) { return share == 0; });
  EXPECT_NE(text.find("head\trun hash\t" + head.run_hash + " at step 100\u2009005\n"),
            std::string::npos)
      << text;
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
