// A state names a head that is kept nowhere.

#include "app/session/app_state.h"
#include "app/session/state_string.h"
#include "tests/session/app_session_fixture.h"

namespace dispersion {
namespace {

class MissingHeadTest : public AppSessionTest {
 protected:
  // The name of the head of this run at a step, where it is trained.
  HeadName trained(const Checkpoint& start, std::int64_t to, std::uint32_t new_seed = 0) {
    Session& session = open(start);
    if (new_seed > 0) session.send(NewRunCommand{.recipe = {}, .seed = new_seed});
    session.send(PlayCommand{.stop_at = to});
    app_ = AppState();
    EXPECT_TRUE(reaches([&] {
      return app_.status.phase == RunPhase::kFinished && app_.head.run == app_.status.run &&
             app_.head.state->step == app_.status.step;
    }));
    return head_name(app_);
  }
  bool is_open(const HeadName& head) { return app_.head.state && head_name(app_) == head; }
};

TEST_F(MissingHeadTest, IsTrainedAgainFromTheWeightsOfItsSeed) {
  const HeadName head = trained(weights_with_moments(5), 10, 9);
  EXPECT_FALSE(head_is_kept(app_));
  Session& other = open(weights_with_moments(5));
  app_ = AppState();
  other.send(FindHeadCommand{head, nullptr, {}});
  ASSERT_TRUE(reaches([&] { return is_open(head) && !app_.reports.empty(); }));
  EXPECT_EQ(app_.reports.back().text,
            "the head of that state is kept nowhere: it is trained again from its first weights, "
            "10 steps");
  EXPECT_EQ(app_.status.phase, RunPhase::kFinished);
  EXPECT_EQ(app_.status.notice, "");
}

TEST_F(MissingHeadTest, IsTrainedAgainFromAHeadInsideTheProgram) {
  for (const std::int64_t steps : {0, 10}) {
    auto shipped = std::make_shared<ShippedData>();
    shipped->heads = {
        {"inside", {}, std::make_shared<const TrainingState>(small_state(8))},
        {"inside", {}, std::make_shared<const TrainingState>(weights_only(100).state)}};
    HeadName head = trained(weights_only(100), 110);
    if (steps == 0) {  // as it stood for a moment, after Play
      head.step = 0;
      head.run_hash = run_hash({}, small_state(1));
    }
    Session& other = open(weights_with_moments(5));
    app_ = AppState();
    other.send(FindHeadCommand{head, shipped, {}});
    ASSERT_TRUE(reaches([&] { return is_open(head) && other.answered(app_.status); }));
    EXPECT_EQ(app_.status.steps_before, 100);
    EXPECT_EQ(app_.status.notice, "");
    other.send(RewindCommand{});
    ASSERT_TRUE(reaches([&] { return app_.status.step == 100; }));
    EXPECT_EQ(app_.status.head_source, "a test");
  }
}

// The weights were not those of the seed.
TEST_F(MissingHeadTest, AnotherHeadThatComesOfItIsSaidToBe) {
  const HeadName head = trained(weights_with_moments(3), 10);
  Session& other = open(weights_with_moments(5));
  app_ = AppState();
  other.send(FindHeadCommand{head, nullptr, {}});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 10; }));
  EXPECT_EQ(app_.status.notice,
            "the head was trained again, but is another one than that of the state: its run hash "
            "is " +
                app_.status.run_hash + ", not " + head.run_hash);
}

TEST_F(MissingHeadTest, AHeadIsKeptOnceItIsSavedOrHasABookmark) {
  trained(weights_with_moments(3), 10);
  EXPECT_FALSE(head_is_kept(app_));
  Bookmark bookmark;
  bookmark.state = encode_state({}, head_name(app_));
  app_.bookmarks = std::make_shared<const std::vector<Bookmark>>(std::vector{Bookmark(), bookmark});
  EXPECT_TRUE(head_is_kept(app_));
  app_.bookmarks = nullptr;
  std::filesystem::create_directories(folder_);
  session_->send(SaveCommand{folder_ / "head.safetensors"});
  ASSERT_TRUE(reaches([&] { return head_is_kept(app_); }));
  session_->send(StepCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 11; }));
  EXPECT_FALSE(head_is_kept(app_));
}

}  // namespace
}  // namespace dispersion
