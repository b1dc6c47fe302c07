// When the window asks for which study.

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "app/session/app_state.h"
#include "tests/session/study_fixture.h"

namespace dispersion {
namespace {

class StudyBoardTest : public StudyWorkerTest {
 protected:
  StudyBoardTest() {
    app_.studies.views = {View::kAttention, View::kFit, View::kTable};
    app_.studies.planner = [this](View view, const AppState& app) {
      const std::string key = std::to_string(setting_);
      return StudyPlan{key, view == View::kFit ? app.head.version : 0, quick(key)};
    };
    app_.head.version = 1;
  }

  StudyState& fit() { return app_.studies.of(View::kFit); }

  testing::AssertionResult done(View view) {
    return until([&] {
      receive_studies(app_, *worker_, now_);
      const StudyState& state = app_.studies.of(view);
      return state.news.phase == StudyPhase::kDone && state.news.id == state.asked;
    });
  }

  AppState app_;
  int setting_ = 1;
  double now_ = 100;
};

TEST_F(StudyBoardTest, AsksWhenTheViewIsOpenedAndNotBefore) {
  update_studies(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 0U);
  app_.view.view = View::kFit;
  update_studies(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 1U);
  EXPECT_TRUE(fit().busy());
  ASSERT_TRUE(done(View::kFit));
  EXPECT_EQ(fit().result->figure.title, "1");
  update_studies(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 1U);
  EXPECT_FALSE(fit().stale);
}

TEST_F(StudyBoardTest, SettingsRestAMomentBeforeTheyCount) {
  app_.view.view = View::kFit;
  update_studies(app_, *worker_, now_);
  ASSERT_TRUE(done(View::kFit));
  setting_ = 2;
  const double due = update_studies(app_, *worker_, now_);
  EXPECT_GT(due, now_);
  EXPECT_TRUE(fit().stale);
  setting_ = 3;
  now_ = due - 0.01;
  EXPECT_GT(update_studies(app_, *worker_, now_), due);
  EXPECT_EQ(fit().asked, 1U);
  now_ = due + 1;
  update_studies(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 2U);
  ASSERT_TRUE(done(View::kFit));
  update_studies(app_, *worker_, now_);
  EXPECT_EQ(fit().result->figure.title, "3");
  EXPECT_FALSE(fit().stale);
}

TEST_F(StudyBoardTest, FollowsTheHeadWithPausesAndCallsOldWhatStaysOld) {
  app_.view.view = View::kFit;
  update_studies(app_, *worker_, now_);
  ASSERT_TRUE(done(View::kFit));
  app_.head.version = 2;
  const double due = update_studies(app_, *worker_, now_);
  EXPECT_GT(due, now_);
  EXPECT_EQ(fit().asked, 1U);
  EXPECT_FALSE(fit().stale);
  now_ = due + 60;  // whatever the study before took
  update_studies(app_, *worker_, now_);
  EXPECT_EQ(fit().asked, 2U);
  EXPECT_TRUE(fit().stale);
  ASSERT_TRUE(done(View::kFit));
  update_studies(app_, *worker_, now_);
  EXPECT_FALSE(fit().stale);
}

TEST_F(StudyBoardTest, WhatWasStoppedGoesOnOnlyWhenAsked) {
  std::atomic<int> begun{0};
  app_.studies.planner = [&](View, const AppState&) {
    return StudyPlan{"table", 0, endless(begun)};
  };
  app_.view.view = View::kTable;
  StudyState& table = app_.studies.of(View::kTable);
  update_studies(app_, *worker_, now_);
  ASSERT_TRUE(until([&] { return begun == 1; }));
  table.stop = true;
  update_studies(app_, *worker_, now_);
  EXPECT_FALSE(table.busy());
  ASSERT_TRUE(until([&] {
    receive_studies(app_, *worker_, now_);
    return table.news.phase == StudyPhase::kStopped;
  }));
  update_studies(app_, *worker_, now_ + 10);
  EXPECT_EQ(table.asked, 1U);
  table.go = true;
  update_studies(app_, *worker_, now_ + 10);
  EXPECT_EQ(table.asked, 2U);
  ASSERT_TRUE(until([&] { return begun == 2; }));
}

}  // namespace
}  // namespace dispersion
