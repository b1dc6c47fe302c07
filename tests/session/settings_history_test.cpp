// Undo and redo of what the user sets.

#include "app/session/settings_history.h"

#include <gtest/gtest.h>

#include "tests/session/named_views.h"

namespace dispersion {
namespace {

class SettingsHistoryTest : public testing::Test {
 protected:
  void SetUp() override { history_.follow(app_); }

  AppState app_;
  SettingsHistory history_;
};

TEST_F(SettingsHistoryTest, EveryChangeComesBackAndGoesAgain) {
  const UserSettings first = user_settings(app_);
  app_.view.theta = 0.5;
  history_.note(app_, false);
  app_.view.focused_items = 2048;
  history_.note(app_, false);
  const UserSettings last = user_settings(app_);
  ASSERT_EQ(history_.done().size(), 2u);
  EXPECT_EQ(history_.undo(app_), "n 1\u2009024 → 2\u2009048");
  EXPECT_EQ(app_.view.focused_items, 1024);
  EXPECT_EQ(app_.view.theta, 0.5);
  EXPECT_EQ(history_.undo(app_), "temperature θ 1 → 0.5");
  EXPECT_TRUE(user_settings(app_) == first);
  EXPECT_EQ(history_.undo(app_), "");
  EXPECT_EQ(history_.redo(app_), "temperature θ 1 → 0.5");
  history_.redo(app_);
  EXPECT_TRUE(user_settings(app_) == last);
  EXPECT_EQ(history_.redo(app_), "");
}

TEST_F(SettingsHistoryTest, ADragIsOneStep) {
  for (const double theta : {0.9, 0.8, 0.7}) {
    app_.view.theta = theta;
    history_.note(app_, true);
  }
  history_.note(app_, false);
  ASSERT_EQ(history_.done().size(), 1u);
  EXPECT_EQ(history_.done().back().what, "temperature θ 1 → 0.7");
  history_.undo(app_);
  EXPECT_EQ(app_.view.theta, 1);
}

TEST_F(SettingsHistoryTest, ADragThatEndsWhereItBeganIsNone) {
  app_.view.theta = 0.9;
  history_.note(app_, true);
  app_.view.theta = 1;
  history_.note(app_, false);
  EXPECT_TRUE(history_.done().empty());
}

TEST_F(SettingsHistoryTest, WhatTheProgramChangesStays) {
  app_.view.theta = 0.5;
  history_.note(app_, false);
  app_.run.seed = 7;  // as a head is opened
  history_.follow(app_);
  history_.undo(app_);
  EXPECT_EQ(app_.view.theta, 1);
  EXPECT_EQ(app_.run.seed, 7u);
}

TEST_F(SettingsHistoryTest, AChangeAfterUndoEndsRedo) {
  app_.view.theta = 0.5;
  history_.note(app_, false);
  history_.undo(app_);
  show(app_.view, TransformId::kAdaptive, false);
  history_.note(app_, false);
  EXPECT_EQ(history_.done().back().what, "adaptive θ off");
  EXPECT_EQ(history_.redo(app_), "");
  EXPECT_EQ(app_.view.theta, 1);
}

TEST_F(SettingsHistoryTest, HoldsTheNewestSteps) {
  for (std::size_t i = 0; i < SettingsHistory::kMostSteps + 5; ++i) {
    app_.run.stop_at = static_cast<std::int64_t>(1 + i);
    history_.note(app_, false);
  }
  EXPECT_EQ(history_.done().size(), SettingsHistory::kMostSteps);
}

TEST_F(SettingsHistoryTest, TakesSettingsOfExperimentsAndZooms) {
  const UserSettings first = user_settings(app_);
  SettingValues& fit = app_.experiment_settings.of(kFitView);
  fit.set("sets", fit.real("sets") + 1);
  history_.note(app_, false);
  app_.zooms["entropy"].items = AxisLimits{16, 256};
  history_.note(app_, false);
  EXPECT_EQ(history_.undo(app_), "zoom");
  EXPECT_EQ(history_.undo(app_), "settings of an experiment");
  EXPECT_TRUE(user_settings(app_) == first);
}

}  // namespace
}  // namespace dispersion
