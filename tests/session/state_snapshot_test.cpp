// The complete picture of one state of a head, computed beside a run that goes on.

#include "app/session/state_snapshot.h"

#include <gtest/gtest.h>

#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

const std::vector<int> kSizes = {16, 64, 2048};

void expect_same(const ViewSnapshot& a, const ViewSnapshot& b) {
  EXPECT_EQ(a.sizes, b.sizes);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.rows, b.rows);  // to the last bit
  EXPECT_EQ(a.frame_step, b.frame_step);
  EXPECT_EQ(a.row_step, b.row_step);
  ASSERT_EQ(a.transforms.size(), b.transforms.size());
  for (std::size_t t = 0; t < a.transforms.size(); ++t) {
    ASSERT_EQ(a.transforms[t].frames.size(), b.transforms[t].frames.size());
    for (std::size_t i = 0; i < a.transforms[t].frames.size(); ++i) {
      EXPECT_EQ(a.transforms[t].frames[i].weights, b.transforms[t].frames[i].weights);
      EXPECT_EQ(a.transforms[t].frames[i].mean_entropy, b.transforms[t].frames[i].mean_entropy);
    }
  }
}

class StateSnapshotTest : public SessionTest {
 protected:
  // The newest head of the session, once it has one of at least this step.
  HeadVersion head_from(std::int64_t step) {
    HeadVersion head;
    EXPECT_TRUE(arrives([&] {
      if (auto newer = session_->take_head()) head = *newer;
      return head.state && head.state->step >= step;
    }));
    return head;
  }

  FakeBackend backend_{std::make_shared<FakeControl>()};
};

// While the run goes on, its picture on screen has frames of different steps; this one has not.
TEST_F(StateSnapshotTest, IsThePictureOfARunThatWasPausedAtThatStep) {
  control_->microseconds_per_step = 100;
  open(weights_with_moments(1)).request(request(1, kSizes));
  session_->send(PlayCommand{.stop_at = 1'000'000});
  const HeadVersion head = head_from(50);
  const auto of_state = state_snapshot(backend_, head, request(1, kSizes), {});
  ASSERT_TRUE(of_state);
  EXPECT_TRUE(is_final(*of_state, head));
  EXPECT_EQ(of_state->step, head.state->step);
  EXPECT_EQ(of_state->frame_step, std::vector<std::int64_t>(kSizes.size(), head.state->step));

  session_->send(RewindCommand{});
  session_->send(PlayCommand{.stop_at = head.state->step});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, head.state->step));
  HeadVersion paused;
  ASSERT_TRUE(arrives([&] {
    if (auto newer = session_->take_head()) paused = *newer;
    return view_ && is_final(*view_, paused);
  }));
  expect_same(*of_state, *view_);
}

TEST_F(StateSnapshotTest, ReportsItsProgressAndStopsWhenAsked) {
  const HeadVersion head = {1, std::make_shared<const TrainingState>(small_state(1)), 1};
  std::vector<double> shares;
  ASSERT_TRUE(state_snapshot(backend_, head, request(1, kSizes), Progress([&](double share) {
                               shares.push_back(share);
                               return true;
                             })));
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.front(), 0);
  EXPECT_EQ(shares.back(), 1);
  EXPECT_GT(shares.size(), 3U);
  int asked = 0;
  EXPECT_FALSE(state_snapshot(backend_, head, request(1, kSizes),
                              Progress([&](double) { return ++asked < 3; })));
  EXPECT_EQ(asked, 3);
}

// Neither a picture of another step nor one of the same step with fewer sets.
TEST_F(StateSnapshotTest, KnowsAFinalPicture) {
  const HeadVersion head = {1, std::make_shared<const TrainingState>(small_state(1)), 1};
  const auto of_state = state_snapshot(backend_, head, request(1, kSizes), {});
  ASSERT_TRUE(is_final(*of_state, head));
  ViewSnapshot fewer = *of_state;
  --fewer.rows.back().sets;
  EXPECT_FALSE(is_final(fewer, head));
  ViewSnapshot mixed = *of_state;
  mixed.complete = false;
  EXPECT_FALSE(is_final(mixed, head));
  EXPECT_FALSE(is_final(*of_state, {2, head.state, 2}));
  TrainingState later = small_state(1);
  later.step = 1;
  EXPECT_FALSE(is_final(*of_state, {2, std::make_shared<const TrainingState>(later), 1}));
}

}  // namespace
}  // namespace dispersion
