// Undo and redo while the worker is still opening a run.

#include <functional>
#include <memory>

#include "app/session/comparison.h"
#include "core/head/training_state.h"
#include "tests/session/undo_history_fixture.h"

namespace dispersion {
namespace {

class UndoMeanwhileTest : public UndoHistoryTest {
 protected:
  // One step from run 1 to run 2, with this change.
  void joined(const std::function<void()>& change) {
    open_run(1, {});
    history_.follow(app_, true);
    change();
    history_.join(1);
    history_.note(app_, false);
    app_.status.commands_done = 1;
    open_run(2, {1}, "opened");
    history_.follow(app_, true);
  }
  // Such a step, with theta from 1 to 0.5.
  void joined_change() {
    joined([this] { app_.view.theta = 0.5; });
  }
};

// The step of the slider took the seed with it.
TEST_F(UndoMeanwhileTest, ADragWhileARunComesBackHasNoPartOfThat) {
  open_run(1, {});
  history_.follow(app_, true);
  app_.run.seed = 2;
  open_run(2, {1}, "new run, seed 2");
  history_.follow(app_, true);
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  app_.view.theta = 0.9;
  history_.note(app_, true);
  app_.run.seed = 1;
  open_run(1, {2});
  history_.follow(app_, false);
  app_.view.theta = 0.8;
  history_.note(app_, true);
  history_.note(app_, false);
  while (!history_.done().empty())
    undo();
  EXPECT_EQ(app_.view.theta, 1);
  EXPECT_EQ(app_.run.seed, 1u);
}

// As if it had been changed once the run was there: undo and redo lead through the same states.
TEST_F(UndoMeanwhileTest, WhatIsChangedWhileARunComesBackIsAStepAfterThat) {
  joined_change();
  ASSERT_EQ(history_.done().size(), 1u);
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  app_.view.theta = 0.25;
  history_.note(app_, false);
  app_.view.focused_items = 2048;
  history_.note(app_, false);
  open_run(1, {2});
  history_.follow(app_, false);
  EXPECT_EQ(app_.view.theta, 0.25);
  EXPECT_EQ(app_.view.focused_items, 2048);
  EXPECT_EQ(undo(), "n 1\u2009024 → 2\u2009048");
  EXPECT_EQ(undo(), "temperature θ 1 → 0.25");
  EXPECT_EQ(app_.view.theta, 1);
  EXPECT_TRUE(history_.done().empty());
  redo();
  EXPECT_EQ(app_.view.theta, 0.25);
}

// The news of both runs may come at once: the fields then follow the later one, and the step of
// what was set meanwhile had not led to where the step of that run began.
TEST_F(UndoMeanwhileTest, AStateThatIsOpenedMeanwhileKeepsItsFieldsWhereBothRunsComeAtOnce) {
  replace_run();
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  app_.view.theta = 0.5;  // as the state says
  app_.run.seed = 5;
  history_.hold(app_.run, 2);
  history_.note(app_, false);
  app_.run.seed = 6;  // the window follows the run of the state
  app_.status.commands_done = 2;
  open_run(3, {1, 2}, "opened");
  history_.follow(app_, true);
  EXPECT_EQ(app_.run.seed, 5u);
  ASSERT_EQ(history_.done().size(), 2u);
  EXPECT_EQ(history_.done()[0].after, history_.done()[1].before);
  EXPECT_EQ(history_.done()[1].after, user_settings(app_));
}

TEST_F(UndoMeanwhileTest, AStepThatCannotBeUndoneStaysBelowWhatWasChangedMeanwhile) {
  replace_run();
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  app_.view.theta = 0.5;
  history_.note(app_, false);
  history_.follow(app_, true);  // the worker has refused the run
  ASSERT_EQ(history_.done().size(), 2u);
  EXPECT_EQ(history_.done().front().what, "new run, seed 2");
}

// A swap waits for its head; what is changed meanwhile goes with it.
TEST_F(UndoMeanwhileTest, WhatIsChangedUntilTheJoinedRunIsThereIsOfTheSameStep) {
  open_run(1, {});
  history_.follow(app_, true);
  app_.view.theta = 0.5;
  history_.join(1);
  history_.note(app_, false);
  history_.follow(app_, false);
  app_.view.focused_items = 2048;
  history_.note(app_, false);
  EXPECT_TRUE(history_.awaits_run());
  app_.status.commands_done = 1;
  open_run(2, {1}, "opened");
  history_.follow(app_, true);
  EXPECT_FALSE(history_.awaits_run());
  ASSERT_EQ(history_.done().size(), 1u);
  EXPECT_EQ(history_.done().back().what, "temperature θ 1 → 0.5; n 1\u2009024 → 2\u2009048");
  EXPECT_EQ(history_.done().back().run_after, 2u);
}

// Redo as undo: the step comes below what was changed while its run was opened.
TEST_F(UndoMeanwhileTest, WhatIsChangedWhileARunGoesAgainIsAStepAfterThat) {
  joined_change();
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  open_run(1, {2});
  history_.follow(app_, true);
  EXPECT_EQ(app_.view.theta, 1);
  history_.ask(-1);
  ASSERT_TRUE(history_.follow(app_, true));
  app_.view.theta = 0.25;
  history_.note(app_, false);
  open_run(2, {1});
  history_.follow(app_, true);
  EXPECT_EQ(app_.view.theta, 0.25);
  EXPECT_EQ(undo(), "temperature θ 0.5 → 0.25");
  EXPECT_EQ(app_.view.theta, 0.5);
  history_.ask(1);
  const auto back = history_.follow(app_, true);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->run, 1u);
  open_run(1, {2});
  history_.follow(app_, true);
  EXPECT_EQ(app_.view.theta, 1);
  EXPECT_TRUE(history_.done().empty());
}

// It would begin with the change, which nobody has asked to be undone.
TEST_F(UndoMeanwhileTest, AChangeWhileARunComesBackEndsFurtherUndo) {
  joined_change();
  app_.view.colour_scale = ColourScale::kLogarithmic;
  history_.note(app_, false);
  open_run(3, {1, 2}, "new run, seed 3");
  history_.follow(app_, true);
  history_.ask(2);
  ASSERT_TRUE(history_.follow(app_, true));
  app_.view.focused_items = 2048;
  history_.note(app_, false);
  open_run(2, {1, 3});
  EXPECT_FALSE(history_.follow(app_, true));
  EXPECT_EQ(app_.view.focused_items, 2048);
  EXPECT_EQ(history_.done().size(), 3u);
  EXPECT_EQ(undo(), "n 1\u2009024 → 2\u2009048");  // the next one is again what was changed last
}

// What undo was about to bring back is no step of its own.
TEST_F(UndoMeanwhileTest, AChangeToWhatComesBackIsNone) {
  joined_change();
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  app_.view.theta = 1;
  history_.note(app_, false);
  open_run(1, {2});
  history_.follow(app_, true);
  EXPECT_EQ(app_.view.theta, 1);
  EXPECT_TRUE(history_.done().empty());
}

// The switch of the difference is thrown, and the state that was A comes back as A.
TEST_F(UndoMeanwhileTest, HidingTheDifferenceWhileASwapIsUndoneKeepsTheFormerA) {
  app_.head.state = std::make_shared<const TrainingState>(start_training(HeadShape(), 1));
  pin(app_);
  const auto former = app_.comparison;
  history_.note(app_, false);
  joined([this] { pin(app_); });  // as a swap does
  history_.ask(1);
  ASSERT_TRUE(history_.follow(app_, true));
  show_difference(app_, false);
  history_.note(app_, false);
  open_run(1, {2});
  history_.follow(app_, true);
  EXPECT_EQ(app_.comparison, former);
  EXPECT_FALSE(shows_difference(app_));
  EXPECT_EQ(undo(), "B − A hidden");
  EXPECT_EQ(app_.comparison, former);
  EXPECT_TRUE(shows_difference(app_));
}

}  // namespace
}  // namespace dispersion
