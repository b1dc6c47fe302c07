#include "app/desk/desk.h"

#include <limits>

#include "tests/desk/session_fixture.h"

namespace dispersion {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class DeskTest : public SessionTest {
 protected:
  testing::AssertionResult desk_gets(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < limit) {
      receive(desk_, *session_);
      if (true_now()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure() << "still waiting at step " << desk_.status.step;
  }

  Desk desk_;
};

TEST_F(DeskTest, SendsOnlyWhatChanged) {
  Session& session = open(weights_with_moments(1));
  EXPECT_TRUE(desk_.stale());
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.requested_revision, 1u);
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.requested_revision, 1u);
  desk_.view.theme = Theme::kLight;
  desk_.view.focused_items = 64;
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.requested_revision, 1u);
  EXPECT_EQ(desk_.requested->focused_items, 64);
  desk_.view.theta = 0.5;
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.requested_revision, 2u);
  desk_.view.rule.gate = 0.7;
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.requested_revision, 3u);
  send_changes(desk_, session, false);
  EXPECT_EQ(desk_.requested_revision, 4u);
}

TEST_F(DeskTest, PutsImpossibleSettingsRight) {
  Session& session = open(weights_with_moments(1));
  desk_.view.theta = kNaN;
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.view.theta, 1);
  desk_.view.theta = 0;
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.view.theta, kLowestTheta);
  desk_.view.theta = 1e9;
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.view.theta, kHighestTheta);
  EXPECT_EQ(desk_.requested->plain.theta, kHighestTheta);
  desk_.view.theta = kNaN;
  desk_.view.rule.coefficients[2] = std::numeric_limits<double>::infinity();
  desk_.view.rule.coefficients[0] = 1e300;
  send_changes(desk_, session, true);
  EXPECT_EQ(desk_.view.theta, kHighestTheta);
  EXPECT_EQ(desk_.view.rule.coefficients[2], AdaptiveRule().coefficients[2]);
  EXPECT_EQ(desk_.view.rule.coefficients[0], 1e6);
}

TEST_F(DeskTest, ShowsWhatWasAskedFor) {
  Session& session = open(weights_with_moments(1));
  desk_.view.theta = 0.3;
  send_changes(desk_, session, true);
  ASSERT_TRUE(desk_gets([&] { return !desk_.stale() && desk_.shown->complete; }));
  EXPECT_EQ(desk_.shown->sizes, doubling_sizes());
  EXPECT_EQ(desk_.shown->plain.front().map, plain_map(desk_.view));
  EXPECT_EQ(desk_.shown->adaptive.back().map, adaptive_map(desk_.view));
}

TEST_F(DeskTest, HistoryIsThatOfTheRunThatIsOpen) {
  Session& session = open(weights_with_moments(1));
  session.send(PlayCommand{.stop_at = 300});
  ASSERT_TRUE(desk_gets([&] { return desk_.status.phase == RunPhase::kFinished; }));
  ASSERT_TRUE(desk_gets([&] { return desk_.history.size() == 300; }));
  session.send(RewindCommand{});
  ASSERT_TRUE(desk_gets([&] { return desk_.status.step == 0; }));
  EXPECT_TRUE(desk_.history.empty());
  session.send(PlayCommand{.stop_at = 40});
  session.send(NewRunCommand{.recipe = {}, .seed = 8});
  session.send(StepCommand{});
  session.send(StepCommand{});
  ASSERT_TRUE(desk_gets([&] { return desk_.status.seed == 8 && desk_.history.size() == 2; }));
  EXPECT_EQ(desk_.history.front().step, 1);
}

TEST_F(DeskTest, StepsDoneAgainReplaceThoseBefore) {
  control_->throw_at = 500;
  control_->microseconds_per_step = 100;
  Session& session = open(weights_with_moments(1));
  session.send(PlayCommand{.stop_at = 1000});
  ASSERT_TRUE(desk_gets([&] { return !desk_.status.notice.empty(); }));
  control_->throw_at = -1;
  session.send(PlayCommand{.stop_at = 600});
  ASSERT_TRUE(desk_gets([&] { return desk_.status.phase == RunPhase::kFinished; }));
  ASSERT_TRUE(desk_gets([&] { return desk_.history.size() >= 600; }));
  ASSERT_EQ(desk_.history.size(), 600u);
  for (std::size_t i = 0; i < 600; ++i) {
    ASSERT_EQ(desk_.history[i].step, static_cast<std::int64_t>(i) + 1);
  }
}

TEST_F(DeskTest, KeepsAFewReports) {
  Session& session = open(weights_with_moments(1));
  for (std::size_t i = 0; i < kReportsKept + 20; ++i)
    session.send(OpenCommand{"no such file"});
  session.send(OpenCommand{"the last"});
  ASSERT_TRUE(desk_gets([&] {
    return !desk_.reports.empty() &&
           desk_.reports.back().text.find("the last") != std::string::npos;
  }));
  EXPECT_EQ(desk_.reports.size(), kReportsKept);
}

}  // namespace
}  // namespace dispersion
