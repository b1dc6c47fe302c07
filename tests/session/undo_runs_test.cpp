// Undo and redo of runs that were replaced, with the worker that opens them.

#include <random>

#include "app/session/app_state.h"
#include "app/session/comparison.h"
#include "app/session/state_string.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

class UndoRunsTest : public SessionTest {
 protected:
  // What the window does in every frame, until it is true and all commands are carried out.
  testing::AssertionResult reaches(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < limit) {
      receive(app_, *session_);
      const bool answered = session_->answered(app_.status);
      if (const auto command = app_.undo.follow(app_, answered)) session_->send(*command);
      swap_noted(app_, *session_);
      app_.undo.note(app_, false);
      if (answered && session_->answered(app_.status) && true_now())
        return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure()
           << "still waiting at seed " << app_.status.seed << ", step " << app_.status.step;
  }
  testing::AssertionResult is_open(std::uint32_t seed, std::int64_t step) {
    return reaches([=, this] {
      return app_.status.seed == seed && app_.status.step == step &&
             app_.history.size() == static_cast<std::size_t>(step);
    });
  }
  testing::AssertionResult settles() {
    return reaches([] { return true; });
  }
  std::size_t steps() const { return app_.undo.done().size(); }
  // Pins the head as A, and puts a new run in its place.
  testing::AssertionResult pin_and_replace(std::uint32_t seed) {
    if (const auto head = reaches([this] { return app_.head.state != nullptr; }); !head)
      return head;
    if (!pin(app_)) return testing::AssertionFailure() << "nothing was pinned";
    app_.undo.note(app_, false);
    session_->send(NewRunCommand{.recipe = {}, .seed = seed});
    return is_open(seed, 0);
  }

  AppState app_;
};

TEST_F(UndoRunsTest, TheRunComesBackWithWeightsAndCurvesAndGoesAgain) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(is_open(3, 100));
  const std::string trained = app_.status.run_hash;
  EXPECT_EQ(steps(), 0u);  // training replaces nothing
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(is_open(9, 0));
  ASSERT_EQ(steps(), 1u);
  EXPECT_EQ(app_.undo.done().back().what, "new run, seed 9");
  session.send(PlayCommand{.stop_at = 7});
  ASSERT_TRUE(is_open(9, 7));
  const std::string other = app_.status.run_hash;
  for (int round = 0; round < 2; ++round) {
    app_.undo.ask(1);
    ASSERT_TRUE(is_open(3, 100));
    EXPECT_EQ(app_.status.run_hash, trained);
    EXPECT_EQ(steps(), 0u);
    app_.undo.ask(-1);
    ASSERT_TRUE(is_open(9, 7));
    EXPECT_EQ(app_.status.run_hash, other);
    EXPECT_EQ(steps(), 1u);
  }
  app_.undo.ask(1);
  ASSERT_TRUE(is_open(3, 100));
  session.send(PlayCommand{.stop_at = 130});
  ASSERT_TRUE(is_open(3, 130));
  EXPECT_EQ(app_.undo.undone().size(), 1u);
}

TEST_F(UndoRunsTest, TheFieldsOfANewRunAreAPartOfItsStepWhateverFollows) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  const RunSettings before = app_.run;
  RunSettings fields = before;
  fields.recipe.learning_rate = 0.5;
  fields.seed = 9;
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  app_.undo.hold(fields, session.commands_sent());
  while (app_.status.seed != 9)
    receive(app_, session);
  session.send(PauseCommand{});  // not answered when the run is open
  EXPECT_FALSE(app_.undo.follow(app_, false));
  app_.undo.note(app_, false);
  ASSERT_TRUE(settles());
  ASSERT_EQ(steps(), 1u);
  EXPECT_TRUE(app_.run == fields);
  app_.undo.ask(1);
  ASSERT_TRUE(is_open(3, 0));
  EXPECT_TRUE(app_.run == before);
  app_.undo.ask(-1);
  ASSERT_TRUE(is_open(9, 0));
  EXPECT_TRUE(app_.run == fields);
}

TEST_F(UndoRunsTest, TheFieldsStayWhereNoRunIsOpened) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(reaches([&] { return app_.status.open_run != 0; }));
  app_.run.seed = 6;
  app_.undo.note(app_, false);
  RunSettings fields = app_.run;
  fields.seed = 7;
  session.send(NewRunCommand{.recipe = {.learning_rate = -1}, .seed = 7});
  app_.undo.hold(fields, session.commands_sent());
  ASSERT_TRUE(reaches([&] { return app_.reports.size() == 1; }));
  EXPECT_EQ(app_.run.seed, 6u);
  EXPECT_EQ(steps(), 1u);
}

TEST_F(UndoRunsTest, WhatIsTypedBeforeTheRunIsOpenStays) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  session.send(NewRunCommand{.recipe = {}, .seed = 4});
  RunSettings fields;
  fields.seed = 4;
  app_.undo.hold(fields, session.commands_sent());
  app_.undo.note(app_, false);
  app_.run.stop_at = 77;
  app_.undo.note(app_, false);
  ASSERT_TRUE(is_open(4, 0));
  EXPECT_EQ(app_.run.stop_at, 77);
  app_.undo.ask(2);
  ASSERT_TRUE(is_open(3, 0));
  app_.undo.ask(-2);
  ASSERT_TRUE(is_open(4, 0));
  EXPECT_EQ(app_.run.stop_at, 77);
}

TEST_F(UndoRunsTest, ARewindIsAStep) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  session.send(RewindCommand{});  // nothing to go back from
  ASSERT_TRUE(settles());
  EXPECT_EQ(steps(), 0u);
  session.send(PlayCommand{.stop_at = 20});
  ASSERT_TRUE(is_open(3, 20));
  session.send(RewindCommand{});
  ASSERT_TRUE(is_open(3, 0));
  EXPECT_EQ(steps(), 1u);
  app_.undo.ask(1);
  ASSERT_TRUE(is_open(3, 20));
}

TEST_F(UndoRunsTest, ARunThatWasNeverTrainedComesBackToo) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  session.send(NewRunCommand{.recipe = {}, .seed = 4});
  session.send(NewRunCommand{.recipe = {}, .seed = 5});
  app_.undo.ask(1);  // before the worker has answered
  ASSERT_TRUE(reaches([&] { return app_.undo.undone().size() == 1; }));
  EXPECT_NE(app_.status.seed, 5u);
  app_.undo.ask(5);
  ASSERT_TRUE(is_open(3, 0));
  EXPECT_EQ(app_.status.run_hash, run_hash({}, small_state(3)));
}

TEST_F(UndoRunsTest, ACommandThatFailsIsNoStep) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  session.send(NewRunCommand{.recipe = {.learning_rate = -1}, .seed = 4});
  session.send(OpenCommand{folder_ / "nothing.safetensors"});
  session.send(SwitchRunCommand{77});
  ASSERT_TRUE(reaches([&] { return app_.reports.size() == 3; }));
  EXPECT_EQ(steps(), 0u);
  EXPECT_EQ(app_.status.seed, 3u);
}

TEST_F(UndoRunsTest, RunsThatAreWorthKeepingAreNotPushedOutByOthers) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  session.send(PlayCommand{.stop_at = 10});
  ASSERT_TRUE(is_open(3, 10));
  for (std::uint32_t seed = 100; seed < 140; ++seed) {
    session.send(NewRunCommand{.recipe = {}, .seed = seed});
    ASSERT_TRUE(is_open(seed, 0));
  }
  EXPECT_EQ(app_.status.set_aside, "seed 3, step 10");
  session.send(BringBackCommand{});
  ASSERT_TRUE(is_open(3, 10));
}

// Going from run to run by undo loses none, be they trained or not.
TEST_F(UndoRunsTest, GoingBackAndForthForgetsNoRun) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {  // more than are kept of each kind
    session.send(NewRunCommand{.recipe = {}, .seed = seed});
    ASSERT_TRUE(is_open(seed, 0));
    session.send(PlayCommand{.stop_at = 1});
    ASSERT_TRUE(is_open(seed, 1));
    session.send(NewRunCommand{.recipe = {}, .seed = seed + 100});
    ASSERT_TRUE(is_open(seed + 100, 0));
  }
  const std::size_t kept = app_.status.other_runs.size();
  const std::size_t count = steps();
  ASSERT_EQ(kept, 32u);
  for (std::size_t i = 1; i <= 12; ++i) {
    app_.undo.ask(1);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(settles());
    EXPECT_EQ(app_.status.other_runs.size(), kept);
    EXPECT_EQ(steps(), count - i);
  }
}

// Swaps that follow one another before the head of the first has come exchange heads and settings
// as if each had waited.
TEST_F(UndoRunsTest, QuickSwapsOfAAndBKeepHeadsWithTheirSettings) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(pin_and_replace(9));
  app_.view.theta = 0.5;
  ASSERT_TRUE(settles());
  const auto seed_of_a = [&] { return app_.comparison->a.head.state->seed; };
  for (const int swaps : {1, 2, 3, 4}) {
    const bool exchanged = app_.view.theta == 1;
    for (int i = 0; i < swaps; ++i)
      swap_states(app_, session);
    ASSERT_TRUE(settles());
    ASSERT_TRUE(settles());
    const bool now = exchanged != (swaps % 2 == 1);
    ASSERT_TRUE(reaches([&] { return app_.head.state->seed == (now ? 3u : 9u); }));
    EXPECT_EQ(app_.view.theta, now ? 1 : 0.5);
    EXPECT_EQ(seed_of_a(), now ? 9u : 3u);
    EXPECT_EQ(app_.comparison->a.view.theta, now ? 0.5 : 1);
  }
}

// B was named by its settings alone until its head came, and so was the swap in the history.
TEST_F(UndoRunsTest, ASwapNamesItsHeadsBeforeTheyHaveCome) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(pin_and_replace(9));
  ASSERT_TRUE(reaches([&] { return app_.head.state->seed == 9; }));
  app_.view.theta = 0.5;
  ASSERT_TRUE(settles());
  for (int quickly = 0; quickly < 2; ++quickly) {
    swap_states(app_, session);
    EXPECT_EQ(present_text(app_), "seed 9 → 3, being opened; temperature θ 0.5 → 1");
  }
  app_.undo.note(app_, false);
  EXPECT_EQ(app_.undo.done().back().what, "A and B swapped: seed 9 → 3; temperature θ 0.5 → 1");
  ASSERT_TRUE(reaches([&] { return app_.head.state->seed == 9 && app_.view.theta == 0.5; }));
  EXPECT_EQ(present_text(app_), "seed 3 → 9; temperature θ 1 → 0.5");
  EXPECT_EQ(app_.undo.done().back().what, "A and B swapped: seed 3 → 9; temperature θ 1 → 0.5");
}

// Undo after two swaps takes back the second, also where both are pressed before the head of the
// first has come.
TEST_F(UndoRunsTest, UndoAfterQuickSwapsTakesBackTheLast) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(pin_and_replace(9));
  const auto seed_of_a = [&] { return app_.comparison->a.head.state->seed; };
  swap_states(app_, session);
  swap_states(app_, session);
  app_.undo.ask(1);
  ASSERT_TRUE(reaches([&] { return app_.undo.undone().size() == 1; }));
  ASSERT_TRUE(reaches([&] { return app_.head.state->seed == 3; }));
  EXPECT_EQ(seed_of_a(), 9u);
}

// It was called "another head", by which the differences of 0 were of two heads.
TEST_F(UndoRunsTest, ARunThatComesBackIsTheHeadThatWasPinned) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(reaches([&] { return app_.head.state != nullptr; }));
  session.send(PlayCommand{.stop_at = 40});
  ASSERT_TRUE(is_open(3, 40));
  ASSERT_TRUE(reaches([&] { return app_.head.state->step == 40; }));
  ASSERT_TRUE(pin_and_replace(9));
  for (int i = 0; i < 2; ++i) {
    swap_states(app_, session);
    ASSERT_TRUE(reaches([&] { return app_.head.state->seed == (i == 0 ? 3u : 9u); }));
  }
  EXPECT_NE(what_differs(app_), "");
  app_.undo.ask(3);  // the swaps and the new run
  ASSERT_TRUE(is_open(3, 40));
  ASSERT_TRUE(reaches([&] { return app_.head.state->seed == 3 && app_.head.state->step == 40; }));
  ASSERT_TRUE(app_.comparison);
  EXPECT_EQ(what_differs(app_), "");
  EXPECT_TRUE(is_at_pinned_state(app_));
}

TEST_F(UndoRunsTest, ASwapRightAfterUndoPinsTheHeadThatComesBack) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(pin_and_replace(9));
  session.send(NewRunCommand{.recipe = {}, .seed = 12});
  ASSERT_TRUE(is_open(12, 0));
  ASSERT_TRUE(reaches([&] { return app_.head.state->seed == 12; }));
  app_.undo.ask(1);
  const auto back = app_.undo.follow(app_, true);
  ASSERT_TRUE(back);
  session.send(*back);
  swap_states(app_, session);
  ASSERT_TRUE(reaches([&] { return app_.head.state->seed == 3; }));
  EXPECT_EQ(app_.comparison->a.head.state->seed, 9u);
}

// Whatever is pressed: going back as far as possible and forth again leads to where it was.
TEST_F(UndoRunsTest, AStormIsUndoneAndDoneAgain) {
  for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
    app_ = AppState();
    Session& session = open(weights_with_moments(seed));
    ASSERT_TRUE(settles());
    std::mt19937 random(seed);
    const auto below = [&](int count) { return static_cast<int>(random() % count); };
    for (int i = 0; i < 60; ++i) {
      switch (below(7)) {
        case 0:
          session.send(NewRunCommand{.recipe = {}, .seed = static_cast<std::uint32_t>(below(9))});
          break;
        case 1:
          session.send(StepCommand{});
          break;
        case 2:
          session.send(RewindCommand{});
          break;
        case 3:
          app_.undo.ask(below(5) - 2);
          break;
        default:
          app_.view.theta = 0.1 + 0.1 * below(50);
          app_.undo.note(app_, below(4) == 0);
      }
      if (below(3) > 0) continue;
      ASSERT_TRUE(settles());
    }
    ASSERT_TRUE(settles());
    ASSERT_TRUE(settles());
    const UserSettings last = user_settings(app_);
    const std::string hash = app_.status.run_hash;
    const int count = static_cast<int>(steps());
    const std::size_t undone = app_.undo.undone().size();
    ASSERT_GT(count, 5);
    app_.undo.ask(count);
    ASSERT_TRUE(reaches([&] { return app_.undo.done().empty(); }));
    EXPECT_EQ(app_.undo.undone().size(), undone + static_cast<std::size_t>(count));
    app_.undo.ask(-count);
    ASSERT_TRUE(reaches([&] { return static_cast<int>(steps()) == count; }));
    EXPECT_TRUE(user_settings(app_) == last);
    EXPECT_EQ(app_.status.run_hash, hash);
  }
}

TEST_F(UndoRunsTest, AHeadIsFoundWhereItIs) {
  Session& session = open(weights_with_moments(3));
  ASSERT_TRUE(settles());
  session.send(PlayCommand{.stop_at = 10});
  ASSERT_TRUE(is_open(3, 10));
  const HeadName trained = head_name(app_);
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(is_open(9, 0));
  const HeadName fresh = head_name(app_);

  session.send(FindHeadCommand{trained, nullptr, {}});  // among those that were replaced
  ASSERT_TRUE(is_open(3, 10));
  session.send(SaveCommand{folder_ / "head.safetensors"});
  ASSERT_TRUE(settles());

  Session& other = open(weights_with_moments(5));
  app_ = AppState();
  ASSERT_TRUE(settles());
  other.send(FindHeadCommand{fresh, nullptr, {}});  // from its seed
  ASSERT_TRUE(is_open(9, 0));
  HeadName weights = trained;
  weights.has_run = false;  // so that nobody can make it again
  other.send(FindHeadCommand{weights, nullptr, {}});
  ASSERT_TRUE(settles());
  ASSERT_FALSE(app_.reports.empty());
  EXPECT_FALSE(app_.reports.back().ok);
  EXPECT_NE(app_.reports.back().text.find("was not found: run hash"), std::string::npos)
      << app_.reports.back().text;
  EXPECT_EQ(app_.status.seed, 9u);
  other.send(FindHeadCommand{
      trained, nullptr, {folder_ / "none.safetensors", folder_ / "head.safetensors"}});
  ASSERT_TRUE(reaches([&] { return app_.status.run_hash == trained.run_hash; }));
}

}  // namespace
}  // namespace dispersion
