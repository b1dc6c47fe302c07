// Undo and redo of what the user sets, and of runs that are replaced.

#include <memory>

#include "app/session/comparison.h"
#include "core/head/training_state.h"
#include "tests/session/named_views.h"
#include "tests/session/undo_history_fixture.h"

namespace dispersion {
namespace {

TEST_F(UndoHistoryTest, EveryChangeComesBackAndGoesAgain) {
  const UserSettings first = user_settings(app_);
  app_.view.theta = 0.5;
  history_.note(app_, false);
  app_.view.focused_items = 2048;
  history_.note(app_, false);
  const UserSettings last = user_settings(app_);
  ASSERT_EQ(history_.done().size(), 2u);
  EXPECT_EQ(undo(), "n 1\u2009024 → 2\u2009048");
  EXPECT_EQ(app_.view.focused_items, 1024);
  EXPECT_EQ(app_.view.theta, 0.5);
  EXPECT_EQ(undo(), "temperature θ 1 → 0.5");
  EXPECT_TRUE(user_settings(app_) == first);
  EXPECT_EQ(undo(), "");
  EXPECT_EQ(redo(), "temperature θ 1 → 0.5");
  redo();
  EXPECT_TRUE(user_settings(app_) == last);
  EXPECT_EQ(redo(), "");
}

TEST_F(UndoHistoryTest, PinAndUnpinAreStepsLikeThoseOfSettings) {
  app_.head.state = std::make_shared<const TrainingState>(start_training(HeadShape(), 1));
  pin(app_);
  const auto pinned = app_.comparison;
  ASSERT_TRUE(pinned);
  history_.note(app_, false);
  app_.view.theta = 0.5;
  history_.note(app_, false);
  show_difference(app_, false);
  history_.note(app_, false);
  unpin(app_);
  history_.note(app_, false);
  EXPECT_EQ(undo(), "A unpinned");
  EXPECT_EQ(app_.comparison, pinned);
  EXPECT_FALSE(shows_difference(app_));
  EXPECT_EQ(undo(), "B − A hidden");
  EXPECT_TRUE(shows_difference(app_));
  EXPECT_EQ(undo(), "temperature θ 1 → 0.5");
  EXPECT_EQ(undo(), "A pinned");
  EXPECT_FALSE(app_.comparison);
  EXPECT_EQ(undo(), "");
  for (const char* what : {"A pinned", "temperature θ 1 → 0.5", "B − A hidden"})
    EXPECT_EQ(redo(), what);
  EXPECT_EQ(app_.comparison, pinned);
  EXPECT_EQ(redo(), "A unpinned");
  EXPECT_FALSE(app_.comparison);
}

TEST_F(UndoHistoryTest, KeepsOnlySoManyPinnedStates) {
  app_.head.state = std::make_shared<const TrainingState>(start_training(HeadShape(), 1));
  app_.view.theta = 0.5;
  history_.note(app_, false);
  std::weak_ptr<Comparison> first;
  for (int i = 0; i < 10; ++i) {
    pin(app_);
    if (i == 0) first = app_.comparison;
    history_.note(app_, false);
    unpin(app_);
    history_.note(app_, false);
  }
  EXPECT_EQ(history_.done().size(), 1 + UndoHistory::kMostPins);
  EXPECT_EQ(history_.done().front().what, "temperature θ 1 → 0.5");
  EXPECT_TRUE(first.expired());
}

// A swap between heads with the same settings still opens another head once its A is forgotten.
TEST_F(UndoHistoryTest, WhatIsLeftOfAForgottenSwapHasWords) {
  app_.head.state = std::make_shared<const TrainingState>(start_training(HeadShape(), 1));
  open_run(1, {});
  history_.follow(app_, true);
  pin(app_);
  history_.note(app_, false);
  for (std::uint64_t swap = 1; swap <= UndoHistory::kMostPins + 1; ++swap) {
    pin(app_);
    history_.join(swap);
    history_.note(app_, false);
    app_.status.commands_done = swap;
    open_run(swap % 2 == 1 ? 2 : 1, {1, 2}, "opened");
    history_.follow(app_, true);
  }
  ASSERT_EQ(history_.done().size(), UndoHistory::kMostPins + 1);  // the first one only pinned
  EXPECT_EQ(history_.done().front().what, "another head");
  EXPECT_EQ(history_.done().back().what, "A and B swapped");
}

// The settings of a swap and the run that it opens come back together.
TEST_F(UndoHistoryTest, ARunThatBelongsToAChangeIsOneStepWithIt) {
  open_run(kFirstRun, {});
  history_.follow(app_, true);
  app_.view.theta = 0.5;
  history_.join(3);
  history_.note(app_, false);
  app_.status.commands_done = 2;
  history_.follow(app_, false);
  ASSERT_EQ(history_.done().size(), 1u);
  app_.status.commands_done = 3;
  open_run(kFirstRun + 1, {kFirstRun}, "opened");
  history_.follow(app_, true);
  ASSERT_EQ(history_.done().size(), 1u);
  EXPECT_EQ(history_.done().back().what, "temperature θ 1 → 0.5");
  EXPECT_EQ(history_.done().back().run_after, kFirstRun + 1);
  // A run that comes later is a step of its own.
  open_run(kFirstRun + 2, {kFirstRun, kFirstRun + 1}, "new run");
  history_.follow(app_, true);
  ASSERT_EQ(history_.done().size(), 2u);
  EXPECT_EQ(history_.done().back().what, "new run");
}

TEST_F(UndoHistoryTest, GoesSeveralStepsAtOnce) {
  const UserSettings first = user_settings(app_);
  for (const double theta : {0.9, 0.8, 0.7}) {
    app_.view.theta = theta;
    history_.note(app_, false);
  }
  const UserSettings last = user_settings(app_);
  history_.ask(3);
  history_.follow(app_, true);
  EXPECT_TRUE(user_settings(app_) == first);
  history_.ask(-3);
  history_.follow(app_, true);
  EXPECT_TRUE(user_settings(app_) == last);
}

TEST_F(UndoHistoryTest, ADragIsOneStep) {
  for (const double theta : {0.9, 0.8, 0.7}) {
    app_.view.theta = theta;
    history_.note(app_, true);
  }
  history_.note(app_, false);
  ASSERT_EQ(history_.done().size(), 1u);
  EXPECT_EQ(history_.done().back().what, "temperature θ 1 → 0.7");
  undo();
  EXPECT_EQ(app_.view.theta, 1);
}

TEST_F(UndoHistoryTest, ADragThatEndsWhereItBeganIsNone) {
  app_.view.theta = 0.9;
  history_.note(app_, true);
  app_.view.theta = 1;
  history_.note(app_, false);
  EXPECT_TRUE(history_.done().empty());
}

TEST_F(UndoHistoryTest, ATurnOfTheWheelIsOneStep) {
  for (const double second : {10.0, 10.2, 10.4, 20.0}) {
    app_.zooms["entropy"].items = AxisLimits{16, 256 + second};
    history_.note(app_, false, second);
  }
  EXPECT_EQ(history_.done().size(), 2u);
  undo();
  undo();
  EXPECT_TRUE(app_.zooms.empty());
}

TEST_F(UndoHistoryTest, AZoomThatChangesNothingIsNone) {
  app_.zooms["entropy"].plots["Entropy"];
  history_.note(app_, false);
  EXPECT_TRUE(history_.done().empty());
}

TEST_F(UndoHistoryTest, WhatTheProgramChangesStays) {
  app_.view.theta = 0.5;
  history_.note(app_, false);
  app_.run.seed = 7;  // as a head is opened
  history_.follow(app_, true);
  undo();
  EXPECT_EQ(app_.view.theta, 1);
  EXPECT_EQ(app_.run.seed, 7u);
}

TEST_F(UndoHistoryTest, AChangeAfterUndoEndsRedo) {
  app_.view.theta = 0.5;
  history_.note(app_, false);
  undo();
  show(app_.view, TransformId::kAdaptive, false);
  history_.note(app_, false);
  EXPECT_EQ(history_.done().back().what, "adaptive θ off");
  EXPECT_EQ(redo(), "");
  EXPECT_EQ(app_.view.theta, 1);
}

TEST_F(UndoHistoryTest, HoldsTheNewestSteps) {
  for (std::size_t i = 0; i < UndoHistory::kMostSteps + 5; ++i) {
    app_.run.stop_at = static_cast<std::int64_t>(1 + i);
    history_.note(app_, false);
  }
  EXPECT_EQ(history_.done().size(), UndoHistory::kMostSteps);
}

TEST_F(UndoHistoryTest, TakesSettingsOfExperimentsAndZooms) {
  const UserSettings first = user_settings(app_);
  SettingValues& fit = app_.experiment_settings.of(kFitView);
  fit.set("sets", fit.real("sets") + 1);
  history_.note(app_, false);
  app_.zooms["entropy"].items = AxisLimits{16, 256};
  history_.note(app_, false);
  EXPECT_EQ(undo(), "zoom");
  EXPECT_EQ(undo(), "Fit: sets of every size 128 → 129");
  EXPECT_TRUE(user_settings(app_) == first);
}

TEST_F(UndoHistoryTest, AReplacedRunIsAStepAmongTheOthers) {
  open_run(1, {});
  history_.follow(app_, true);
  EXPECT_TRUE(history_.done().empty());  // the first run takes no other's place
  app_.view.theta = 0.5;
  history_.note(app_, false);
  app_.run.seed = 2;
  history_.note(app_, false);
  open_run(2, {1}, "new run, seed 2");
  history_.follow(app_, true);
  app_.view.theta = 0.25;
  history_.note(app_, false);
  const UserSettings last = user_settings(app_);
  ASSERT_EQ(history_.done().size(), 4u);
  EXPECT_EQ(history_.done()[2].what, "new run, seed 2");

  history_.ask(4);
  const auto back = history_.follow(app_, true);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->run, 1u);
  EXPECT_EQ(app_.view.theta, 0.5);  // the older steps wait for the run
  open_run(1, {2});
  app_.run.seed = 1;  // as the panels do with the run that is open now
  EXPECT_FALSE(history_.follow(app_, true));
  EXPECT_EQ(app_.view.theta, 1);
  EXPECT_EQ(app_.run.seed, 1u);
  EXPECT_TRUE(history_.done().empty());

  history_.ask(-4);
  const auto again = history_.follow(app_, true);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->run, 2u);
  open_run(2, {1});
  history_.follow(app_, true);
  EXPECT_TRUE(user_settings(app_) == last);
  EXPECT_EQ(history_.done().size(), 4u);
}

TEST_F(UndoHistoryTest, WaitsUntilTheWorkerHasAnswered) {
  open_run(1, {});
  history_.follow(app_, true);
  history_.ask(1);  // right after a key for a new run, which is under way
  EXPECT_FALSE(history_.follow(app_, false));
  open_run(2, {1}, "new run, seed 2");
  const auto back = history_.follow(app_, true);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->run, 1u);
}

TEST_F(UndoHistoryTest, ARunThatCannotBeOpenedLeavesTheStepWhereItWas) {
  replace_run();
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  history_.follow(app_, true);  // the worker has refused it
  EXPECT_EQ(history_.done().size(), 1u);
  EXPECT_TRUE(history_.undone().empty());
}

TEST_F(UndoHistoryTest, ForgetsRunsThatAreNoLongerKept) {
  replace_run();
  open_run(3, {2}, "new run, seed 3");
  history_.follow(app_, true);
  ASSERT_EQ(history_.done().size(), 1u);
  EXPECT_EQ(history_.done().back().what, "new run, seed 3");
}

}  // namespace
}  // namespace dispersion
