// When the window asks for which experiment.

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "app/session/app_state.h"
#include "tests/session/experiment_fixture.h"

namespace dispersion {
namespace {

class ExperimentStatesTest : public ExperimentWorkerTest {
 protected:
  ExperimentStatesTest() {
    app_.experiments.views = {View::kAttention, kFitView, kTableView};
    app_.experiments.make_request = [this](View view, const AppState& app) {
      const std::string key = std::to_string(setting_);
      if (view != kFitView) return ExperimentRequest{key, 0, quick(key)};
      return ExperimentRequest{key, app.head.version, quick(key), app.head.open_run};
    };
    app_.head.version = 1;
  }

  ExperimentState& fit() { return app_.experiments.of(kFitView); }

  testing::AssertionResult done(View view) {
    return until([&] {
      receive_experiments(app_, *worker_, now_);
      const ExperimentState& state = app_.experiments.of(view);
      return state.update.phase == ExperimentPhase::kDone && state.update.id == state.asked;
    });
  }

  AppState app_;
  int setting_ = 1;
  double now_ = 100;
};

TEST_F(ExperimentStatesTest, AsksWhenTheViewIsOpenedAndNotBefore) {
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 0U);
  app_.view.view = kFitView;
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 1U);
  EXPECT_TRUE(fit().busy());
  ASSERT_TRUE(done(kFitView));
  EXPECT_EQ(fit().result->figure.title, "1");
  // The frame that showed the result first was drawn as that of something old.
  EXPECT_TRUE(fit().stale);
  EXPECT_EQ(update_experiments(app_, *worker_, now_), now_);
  EXPECT_EQ(fit().asked, 1U);
  EXPECT_FALSE(fit().stale);
  EXPECT_LT(update_experiments(app_, *worker_, now_), 0);
}

TEST_F(ExperimentStatesTest, SettingsRestAMomentBeforeTheyCount) {
  app_.view.view = kFitView;
  update_experiments(app_, *worker_, now_);
  ASSERT_TRUE(done(kFitView));
  setting_ = 2;
  const double due = update_experiments(app_, *worker_, now_);
  EXPECT_GT(due, now_);
  EXPECT_TRUE(fit().stale);
  setting_ = 3;
  now_ = due - 0.01;
  EXPECT_GT(update_experiments(app_, *worker_, now_), due);
  EXPECT_EQ(fit().asked, 1U);
  now_ = due + 1;
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 2U);
  ASSERT_TRUE(done(kFitView));
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().result->figure.title, "3");
  EXPECT_FALSE(fit().stale);
}

TEST_F(ExperimentStatesTest, FollowsTheHeadWithPausesAndCallsOldWhatStaysOld) {
  app_.view.view = kFitView;
  update_experiments(app_, *worker_, now_);
  ASSERT_TRUE(done(kFitView));
  app_.head.version = 2;
  const double due = update_experiments(app_, *worker_, now_);
  EXPECT_GT(due, now_);
  EXPECT_EQ(fit().asked, 1U);
  EXPECT_FALSE(fit().stale);
  now_ = due + 60;  // whatever the experiment before took
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 2U);
  EXPECT_TRUE(fit().stale);
  ASSERT_TRUE(done(kFitView));
  update_experiments(app_, *worker_, now_);
  EXPECT_FALSE(fit().stale);
}

// The figure calls its head "this head", which that of another run is not.
TEST_F(ExperimentStatesTest, TheResultOfAnotherRunIsOldAtOnceAndRenewedWithoutAPause) {
  app_.view.view = kFitView;
  app_.head.open_run = 1;
  update_experiments(app_, *worker_, now_);
  ASSERT_TRUE(done(kFitView));
  update_experiments(app_, *worker_, now_);
  EXPECT_FALSE(fit().stale);
  EXPECT_FALSE(fit().of_other_run);
  app_.head.version = app_.head.open_run = 2;
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 2U);
  EXPECT_TRUE(fit().stale);
  EXPECT_TRUE(fit().of_other_run);
  ASSERT_TRUE(done(kFitView));
  update_experiments(app_, *worker_, now_);
  EXPECT_FALSE(fit().stale);
  EXPECT_FALSE(fit().of_other_run);
}

TEST_F(ExperimentStatesTest, WhatIsStoppedStaysStoppedWithTheHeadOfAnotherRun) {
  app_.view.view = kFitView;
  app_.head.open_run = 1;
  update_experiments(app_, *worker_, now_);
  ASSERT_TRUE(done(kFitView));
  fit().stop = true;
  update_experiments(app_, *worker_, now_);
  app_.head.version = app_.head.open_run = 2;
  now_ += 60;
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 1U);
  EXPECT_TRUE(fit().of_other_run);
}

TEST_F(ExperimentStatesTest, AllViewsOnScreenAreAskedFor) {
  set_shape(app_.view, GridShape::kBeside);
  show_in_focus(app_.view, {kTableView});
  focus_pane(app_.view, 1);
  show_in_focus(app_.view, {kFitView});
  update_experiments(app_, *worker_, now_);
  ASSERT_TRUE(done(kFitView));
  ASSERT_TRUE(done(kTableView));
  app_.head.version = 2;  // only the fit follows it
  now_ += 60;
  update_experiments(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 2U);
  EXPECT_EQ(app_.experiments.of(kTableView).asked, 1U);
  set_shape(app_.view, GridShape::kOne);
  setting_ = 2;
  update_experiments(app_, *worker_, now_);
  update_experiments(app_, *worker_, now_ + 1);
  EXPECT_EQ(app_.experiments.of(kTableView).asked, 1U);  // no longer on screen
  EXPECT_EQ(fit().asked, 3U);
}

TEST_F(ExperimentStatesTest, WhatWasStoppedGoesOnOnlyWhenAsked) {
  std::atomic<int> begun{0};
  app_.experiments.make_request = [&](View, const AppState&) {
    return ExperimentRequest{"table", 0, endless(begun)};
  };
  app_.view.view = kTableView;
  ExperimentState& table = app_.experiments.of(kTableView);
  update_experiments(app_, *worker_, now_);
  ASSERT_TRUE(until([&] { return begun == 1; }));
  table.stop = true;
  update_experiments(app_, *worker_, now_);
  EXPECT_FALSE(table.busy());
  ASSERT_TRUE(until([&] {
    receive_experiments(app_, *worker_, now_);
    return table.update.phase == ExperimentPhase::kStopped;
  }));
  update_experiments(app_, *worker_, now_ + 10);
  EXPECT_EQ(table.asked, 1U);
  table.go = true;
  update_experiments(app_, *worker_, now_ + 10);
  EXPECT_EQ(table.asked, 2U);
  ASSERT_TRUE(until([&] { return begun == 2; }));
}

}  // namespace
}  // namespace dispersion
