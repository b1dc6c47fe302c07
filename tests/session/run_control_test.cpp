#include <cmath>

#include "app/session/run_status.h"
#include "core/io/checkpoint.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

TEST_F(SessionTest, ShowsTheHeadItStartsWith) {
  open(weights_only(100'000));
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 100'000));
  EXPECT_EQ(status_.head_source, "a test");
  EXPECT_EQ(status_.backend, "fake");
  EXPECT_TRUE(std::isnan(status_.loss));
  TrainingState state = small_state(1);
  state.step = 100'000;
  EXPECT_EQ(status_.run_hash, run_hash({}, state));
  EXPECT_EQ(status_.hash_step, 100'000);
}

TEST_F(SessionTest, PlaysToTheStepItWasToldAndNoFurther) {
  open(weights_with_moments(3)).send(PlayCommand{.stop_at = 57});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 57));
  EXPECT_EQ(control_->steps, 57);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 57));
  EXPECT_EQ(status_.loss, 2.5f);
  EXPECT_NEAR(status_.accuracy, 0.75f, 1e-6f);
  EXPECT_GT(status_.steps_per_second, 0);
}

TEST_F(SessionTest, EveryStepIsToldOnce) {
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 1000});
  session.send(PauseCommand{});
  session.send(StepCommand{});
  session.send(PlayCommand{.stop_at = 2000});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 2000));
  ASSERT_EQ(records_.size(), 2000u);
  for (std::size_t i = 0; i < records_.size(); ++i) {
    ASSERT_EQ(records_[i].record.step, static_cast<std::int64_t>(i) + 1);
    ASSERT_EQ(records_[i].run, status_.run);
  }
}

TEST_F(SessionTest, ReachedAlreadyIsFinishedAndSaysSo) {
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 20});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 20));
  session.send(PlayCommand{.stop_at = 20});
  ASSERT_TRUE(arrives([&] { return !status_.notice.empty(); }));
  EXPECT_EQ(status_.phase, RunPhase::kFinished);
  EXPECT_EQ(status_.step, 20);
  session.send(PlayCommand{.stop_at = -5});
  ASSERT_TRUE(commands_are_done());
  EXPECT_EQ(status_.step, 20);
  session.send(PlayCommand{.stop_at = 21});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 21));
  EXPECT_TRUE(status_.notice.empty());
}

TEST_F(SessionTest, StepsOneAtATimeAndPauses) {
  Session& session = open(weights_with_moments(3));
  for (int i = 0; i < 5; ++i)
    session.send(StepCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 5));
  ASSERT_TRUE(commands_are_done());
  EXPECT_EQ(control_->steps, 5);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 5));
}

TEST_F(SessionTest, AStepWhilePlayingPauses) {
  control_->microseconds_per_step = 200;
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 1'000'000});
  ASSERT_TRUE(arrives([&] { return status_.step > 20; }));
  session.send(StepCommand{});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kPaused; }));
  EXPECT_EQ(status_.stop_at, 1'000'000);
}

TEST_F(SessionTest, CommandsAreCarriedOutInOrder) {
  Session& session = open(weights_with_moments(3));
  session.send(StepCommand{});
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  session.send(StepCommand{});
  session.send(StepCommand{});
  ASSERT_TRUE(arrives([&] { return status_.seed == 9 && status_.step == 2; }));
  ASSERT_TRUE(commands_are_done());
  ASSERT_EQ(records_.size(), 3u);
  EXPECT_EQ(records_[1].record.step, 1);
  EXPECT_GT(records_[1].run, records_[0].run);
  EXPECT_EQ(status_.run_hash, hash_after(start_training({.width = 4, .classes = 10}, 9), 2));
  EXPECT_EQ(status_.head_source, "fresh weights, seed 9");
}

TEST_F(SessionTest, RewindGoesBackExactly) {
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 100));
  const std::string hash = status_.run_hash;
  session.send(RewindCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 0));
  EXPECT_EQ(status_.run_hash, run_hash({}, small_state(3)));
  EXPECT_TRUE(std::isnan(status_.loss));
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 100));
  EXPECT_EQ(status_.run_hash, hash);
}

// The next start opens it again.
TEST_F(SessionTest, AfterARewindTheFileIsTheOneThatTheRunBeganWith) {
  const std::filesystem::path first = folder_ / "first.safetensors";
  const std::filesystem::path later = folder_ / "later.safetensors";
  save_checkpoint(first, weights_with_moments(3));
  Session& session = open(weights_with_moments(4));
  session.send(OpenCommand{first});
  session.send(PlayCommand{.stop_at = 5});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 5));
  EXPECT_EQ(status_.file, first);
  session.send(SaveCommand{later});
  ASSERT_TRUE(arrives([&] { return status_.file == later; }));
  session.send(RewindCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 0));
  EXPECT_EQ(status_.file, first);
  // With other weights the file is no longer where the run began.
  session.send(PlayCommand{.stop_at = 5});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 5));
  session.send(SaveCommand{first, true});
  session.send(RewindCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 0));
  EXPECT_EQ(status_.file, "");
}

TEST_F(SessionTest, ARunThatWasLeftCanBeBroughtBack) {
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 100));
  const std::string hash = status_.run_hash;
  EXPECT_TRUE(status_.set_aside.empty());
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(arrives([&] { return status_.seed == 9; }));
  EXPECT_EQ(status_.set_aside, "seed 3, step 100");
  session.send(PlayCommand{.stop_at = 7});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 7));
  session.send(BringBackCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 100));
  EXPECT_EQ(status_.run_hash, hash);
  EXPECT_EQ(status_.set_aside, "seed 9, step 7");  // they change places
  session.send(PlayCommand{.stop_at = 130});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 130));
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 130));
  session.send(RewindCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 0));
  EXPECT_EQ(status_.run_hash, run_hash({}, small_state(3)));
  EXPECT_EQ(status_.set_aside, "seed 3, step 130");
}

TEST_F(SessionTest, BringingBackWithNothingSetAsideSaysSo) {
  Session& session = open(weights_with_moments(3));
  session.send(BringBackCommand{});
  ASSERT_TRUE(arrives([&] { return !reports_.empty(); }));
  EXPECT_FALSE(reports_.back().ok);
  EXPECT_EQ(status_.seed, 3u);
}

TEST_F(SessionTest, AHeadWithoutMomentsBeginsARunOfItsOwn) {
  Session& session = open(weights_only(100'000));
  // Where it stops is counted from its first weights on, as what is shown is.
  session.send(PlayCommand{.stop_at = 100'000});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 100'000));
  EXPECT_NE(status_.notice.find("step 100\u2009000 is reached already"), std::string::npos);
  EXPECT_EQ(status_.steps_before, 0);
  session.send(PlayCommand{.stop_at = 100'030});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 30));
  EXPECT_EQ(status_.head_source, "a test; trained on, Adam starts afresh");
  EXPECT_EQ(status_.steps_before, 100'000);
  EXPECT_EQ(step_text(status_), "100\u2009030");
  EXPECT_EQ(status_.run_hash, hash_after(small_state(1), 30));
  session.send(RewindCommand{});
  // The head that it was, by name and by hash.
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 100'000));
  EXPECT_EQ(status_.run_hash, run_hash({}, weights_only(100'000).state));
  EXPECT_EQ(status_.head_source, "a test");
  EXPECT_EQ(status_.steps_before, 0);
  EXPECT_EQ(status_.set_aside, "seed 1, step 100\u2009030");
  EXPECT_TRUE(status_.saved);
  session.send(PlayCommand{.stop_at = 100'030});  // the same steps again
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 30));
  EXPECT_EQ(status_.run_hash, hash_after(small_state(1), 30));
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(arrives([&] { return status_.seed == 9; }));
  EXPECT_EQ(status_.steps_before, 0);
}

TEST_F(SessionTest, ALossThatIsNotFiniteStopsAndKeepsTheLastGoodHead) {
  control_->diverge_at = 42;
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(arrives_at(RunPhase::kDiverged, 41));
  EXPECT_NE(status_.notice.find("step 42"), std::string::npos) << status_.notice;
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 41));
  ASSERT_EQ(records_.size(), 41u);
  // Playing on would give the same.
  session.send(PlayCommand{.stop_at = 100});
  session.send(StepCommand{});
  ASSERT_TRUE(commands_are_done());
  EXPECT_EQ(status_.phase, RunPhase::kDiverged);
  EXPECT_NE(reports_.at(0).text.find("would diverge again"), std::string::npos);
  EXPECT_EQ(reports_.at(1).text, reports_.at(0).text);
  control_->diverge_at = -1;
  session.send(RewindCommand{});
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 100));
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 100));
}

TEST_F(SessionTest, ABackendThatThrowsPausesTheRun) {
  control_->throw_at = 30;
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(arrives([&] { return status_.notice.find("gave up") != std::string::npos; }));
  EXPECT_EQ(status_.phase, RunPhase::kPaused);
  EXPECT_LT(status_.step, 30);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), static_cast<int>(status_.step)));
  control_->throw_at = -1;
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 100));
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 100));
}

TEST_F(SessionTest, ABackendThatCannotBeMadeIsAnswered) {
  session_ = std::make_unique<Session>(only_backend([]() -> std::unique_ptr<Backend> {
                                         throw std::runtime_error("no such device");
                                       }),
                                       weights_with_moments(3), "a test", [] {});
  ASSERT_TRUE(arrives([&] { return status_.notice.find("no such device") != std::string::npos; }));
  session_->send(PlayCommand{.stop_at = 10});
  session_->request(request(1, {16}));
  ASSERT_TRUE(arrives([&] { return !reports_.empty(); }));
  EXPECT_FALSE(reports_[0].ok);
}

TEST_F(SessionTest, ARefusedNewRunChangesNothing) {
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 10});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 10));
  Recipe impossible;
  impossible.learning_rate = -1;
  session.send(NewRunCommand{.recipe = impossible, .seed = 4});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 1; }));
  control_->loads_to_refuse = 1;
  session.send(NewRunCommand{.recipe = {}, .seed = 4});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 2; }));
  EXPECT_FALSE(reports_[0].ok);
  EXPECT_FALSE(reports_[1].ok);
  session.send(PlayCommand{.stop_at = 12});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 12));
  EXPECT_EQ(status_.seed, 3u);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 12));
}

}  // namespace
}  // namespace dispersion
