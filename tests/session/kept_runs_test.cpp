// What becomes of a run that is replaced, and of one that nobody has saved when the session ends.

#include "app/session/kept_runs.h"

#include <cstdlib>
#include <fstream>

#include "app/session/app_state.h"
#include "core/io/history_file.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

class KeptRuns : public SessionTest {
 protected:
  KeptRuns() { fs::remove(folder_); }  // it is made when a run is kept

  // A session that keeps what was trained for longer than so many seconds.
  Session& open_keeping(Checkpoint start, double least_seconds) {
    status_ = {};
    session_ = std::make_unique<Session>(
        only_backend([control = control_] { return std::make_unique<FakeBackend>(control); }),
        std::move(start), "a test", [this] { ++wakes_; }, BackendChoice{},
        RunKeeping{folder_, least_seconds});
    return *session_;
  }

  void train(int steps) {
    session_->send(PlayCommand{.stop_at = steps});
    ASSERT_TRUE(arrives_at(RunPhase::kFinished, steps));
  }

  std::vector<Report> end() {
    session_->take_reports();
    session_->end();
    return session_->take_reports();
  }
};

TEST_F(KeptRuns, ARunThatNobodySavedIsKeptAndGoesOnBitForBit) {
  open_keeping(weights_with_moments(3), 0);
  train(40);
  const std::vector<Report> reports = end();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_TRUE(reports[0].ok);
  const std::vector<fs::path> kept = kept_runs(folder_);
  ASSERT_EQ(kept, std::vector{folder_ / "seed3-step40.safetensors"});
  EXPECT_NE(reports[0].text.find(kept[0].string()), std::string::npos) << reports[0].text;

  Session& session = open_keeping(weights_with_moments(9), 0);
  session.send(OpenKeptCommand{kept[0]});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 40));
  EXPECT_EQ(status_.head_source, "a test");
  train(70);
  EXPECT_EQ(status_.run_hash, hash_after(small_state(3), 70));
  // It is kept anew, however short it was trained now, and the older state of it is gone.
  end();
  EXPECT_EQ(kept_runs(folder_), std::vector{folder_ / "seed3-step70.safetensors"});
}

// As the window counts its steps.
TEST_F(KeptRuns, OneThatWasTrainedOnIsNamedByAllItsSteps) {
  Session& session = open_keeping(weights_only(100), 0);
  session.send(PlayCommand{.stop_at = 107});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 7));
  end();
  EXPECT_EQ(kept_runs(folder_), std::vector{folder_ / "seed1-step107.safetensors"});
}

TEST_F(KeptRuns, AShortOneIsNot) {
  open_keeping(weights_with_moments(3), 60);
  train(40);
  EXPECT_TRUE(end().empty());
  EXPECT_TRUE(kept_runs(folder_).empty());
}

TEST_F(KeptRuns, TheTimeOfAllItsTrainingCounts) {
  control_->microseconds_per_step = 1000;
  open_keeping(weights_with_moments(3), 0.05);
  train(30);
  train(60);
  EXPECT_EQ(end().size(), 1u);
}

TEST_F(KeptRuns, OneThatWasSavedIsNotUnlessItWasTrainedOn) {
  fs::create_directories(folder_ / "own");
  Session& session = open_keeping(weights_with_moments(3), 0);
  train(40);
  session.send(SaveCommand{folder_ / "own/head.safetensors"});
  ASSERT_TRUE(commands_are_done());
  EXPECT_TRUE(end().empty());
  EXPECT_TRUE(kept_runs(folder_).empty());

  Session& again = open_keeping(weights_with_moments(3), 0);
  train(40);
  again.send(SaveCommand{folder_ / "own/other.safetensors"});
  train(41);
  EXPECT_EQ(end().size(), 1u);
}

TEST_F(KeptRuns, ThoseThatWereReplacedAreKeptToo) {
  Session& session = open_keeping(weights_with_moments(3), 0);
  train(40);
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(arrives([&] { return status_.seed == 9; }));
  train(7);
  EXPECT_EQ(end().size(), 2u);
  EXPECT_TRUE(fs::exists(folder_ / "seed3-step40.safetensors"));
  EXPECT_TRUE(fs::exists(folder_ / "seed9-step7.safetensors"));
}

TEST_F(KeptRuns, OfTwoWithOneNameNoneIsReplaced) {
  for (int i = 0; i < 2; ++i) {
    open_keeping(weights_with_moments(3), 0);
    train(40);
    end();
  }
  EXPECT_EQ(kept_runs(folder_).size(), 2u);
}

TEST_F(KeptRuns, AFolderThatTakesNothingIsTold) {
  fs::create_directories(folder_.parent_path());
  std::ofstream(folder_) << "a file";
  open_keeping(weights_with_moments(3), 0);
  train(40);
  const std::vector<Report> reports = end();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_FALSE(reports[0].ok);
  EXPECT_NE(reports[0].text.find("is lost: "), std::string::npos) << reports[0].text;
}

TEST_F(KeptRuns, BroughtBackAndUntouchedItStays) {
  open_keeping(weights_with_moments(3), 0);
  train(40);
  end();
  Session& session = open_keeping(weights_with_moments(9), 0);
  session.send(OpenKeptCommand{folder_ / "seed3-step40.safetensors"});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 40));
  EXPECT_TRUE(end().empty());
  EXPECT_EQ(kept_runs(folder_).size(), 1u);
}

TEST_F(KeptRuns, SavingAndDiscardingRemoveIt) {
  fs::create_directories(folder_ / "own");
  open_keeping(weights_with_moments(3), 0);
  train(40);
  session_->send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(arrives([&] { return status_.seed == 9; }));
  train(7);
  end();
  Session& session = open_keeping(weights_with_moments(1), 0);
  session.send(OpenKeptCommand{folder_ / "seed3-step40.safetensors"});
  session.send(SaveCommand{folder_ / "own/head.safetensors"});
  ASSERT_TRUE(commands_are_done());
  EXPECT_EQ(kept_runs(folder_), std::vector{folder_ / "seed9-step7.safetensors"});
  std::ofstream(history_path(folder_ / "seed9-step7.safetensors")) << "its history";
  session.send(DiscardKeptCommand{folder_ / "seed9-step7.safetensors"});
  ASSERT_TRUE(commands_are_done());
  EXPECT_TRUE(kept_runs(folder_).empty());
  EXPECT_FALSE(fs::exists(history_path(folder_ / "seed9-step7.safetensors")));
}

// What `train` keeps has a history; it goes where the run is saved.
TEST_F(KeptRuns, AHistoryIsTakenAlong) {
  fs::create_directories(folder_ / "own");
  open_keeping(weights_with_moments(3), 0);
  train(40);
  end();
  const fs::path kept = folder_ / "seed3-step40.safetensors";
  std::ofstream(history_path(kept)) << history_csv({{.seed = 3, .step = 40}});
  Session& session = open_keeping(weights_with_moments(1), 0);
  session.send(OpenKeptCommand{kept});
  session.send(SaveCommand{folder_ / "own/head.safetensors"});
  ASSERT_TRUE(commands_are_done());
  EXPECT_FALSE(fs::exists(kept));
  EXPECT_FALSE(fs::exists(history_path(kept)));
  EXPECT_EQ(read_history(history_path(folder_ / "own/head.safetensors")).size(), 1u);
}

TEST_F(KeptRuns, SavedOverItsOwnFileItStays) {
  open_keeping(weights_with_moments(3), 0);
  train(40);
  end();
  const fs::path kept = folder_ / "seed3-step40.safetensors";
  Session& session = open_keeping(weights_with_moments(1), 0);
  session.send(OpenKeptCommand{kept});
  session.send(SaveCommand{kept, true});
  ASSERT_TRUE(commands_are_done());
  EXPECT_EQ(load_checkpoint(kept).state.step, 40);
}

TEST_F(KeptRuns, TheFolderIsThatOfTheDesktopsState) {
  const auto with = [](const char* state, const char* home) {
    ::setenv("XDG_STATE_HOME", state, 1);
    ::setenv("HOME", home, 1);
    return kept_runs_folder();
  };
  const char* state = std::getenv("XDG_STATE_HOME");
  const std::string state_before = state == nullptr ? "" : state;
  const std::string home_before = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  EXPECT_EQ(with("/s", "/h"), "/s/dispersion-lab/runs");
  EXPECT_EQ(with("", "/h"), "/h/.local/state/dispersion-lab/runs");
  EXPECT_EQ(with("relative", "/h"), "/h/.local/state/dispersion-lab/runs");
  EXPECT_EQ(with("", ""), "");
  ::setenv("HOME", home_before.c_str(), 1);
  ::setenv("XDG_STATE_HOME", state_before.c_str(), 1);
}

TEST_F(SessionTest, ARunComesBackWithItsCurves) {
  AppState app;
  Session& session = open(weights_with_moments(3));
  // The app state takes the news here, not the fixture.
  const auto pump_app = [&](std::int64_t step, std::uint32_t seed) {
    for (int i = 0; i < 60'000; ++i) {
      receive(app, session);
      if (app.status.step == step && app.status.seed == seed) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  };
  session.send(PlayCommand{.stop_at = 100});
  ASSERT_TRUE(pump_app(100, 3));
  ASSERT_EQ(app.history.size(), 100u);
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(pump_app(0, 9));
  EXPECT_TRUE(app.history.empty());
  session.send(BringBackCommand{});
  ASSERT_TRUE(pump_app(100, 3));
  ASSERT_EQ(app.history.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(app.history[i].step, static_cast<std::int64_t>(i) + 1);
  EXPECT_EQ(app.status.loss, 2.5f);
  EXPECT_NEAR(app.status.accuracy, 0.75f, 1e-6f);
  session.send(PlayCommand{.stop_at = 130});
  ASSERT_TRUE(pump_app(130, 3));
  EXPECT_EQ(app.history.size(), 130u);
}

TEST_F(SessionTest, EveryReplacedRunComesBackInTurn) {
  Session& session = open(weights_with_moments(1));
  for (std::uint32_t seed = 2; seed <= 4; ++seed) {
    session.send(NewRunCommand{.recipe = {}, .seed = seed});
    session.send(PlayCommand{.stop_at = 10 * seed});
    ASSERT_TRUE(arrives_at(RunPhase::kFinished, 10 * seed));
  }
  session.send(RewindCommand{});  // of the fourth, which is not trained now
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 0));
  for (const std::uint32_t seed : {4u, 3u, 2u, 4u}) {
    session.send(BringBackCommand{});
    ASSERT_TRUE(arrives_at(RunPhase::kPaused, 10 * seed));
    EXPECT_EQ(status_.seed, seed);
  }
  EXPECT_EQ(status_.set_aside, "seed 3, step 30");
}

TEST_F(SessionTest, AFileThatAppearsUnderTheNameIsNotReplaced) {
  const fs::path path = folder_ / "head.safetensors";
  Session& session = open(weights_with_moments(3));
  session.send(StepCommand{});
  std::ofstream(path) << "my notes";
  session.send(SaveCommand{path});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 1; }));
  EXPECT_NE(reports_[0].text.find("head-2.safetensors, since "), std::string::npos)
      << reports_[0].text;
  EXPECT_EQ(fs::file_size(path), 8u);
  EXPECT_EQ(load_checkpoint(folder_ / "head-2.safetensors").state.step, 1);
  session.send(SaveCommand{path, true});  // as the user confirmed
  ASSERT_TRUE(arrives([&] { return reports_.size() == 2; }));
  EXPECT_EQ(load_checkpoint(path).state.step, 1);
}

TEST_F(SessionTest, ASavedHeadSaysWhatHasComputedIt) {
  const auto device = std::make_shared<FakeControl>();
  device->lose_at = 50;
  session_ = std::make_unique<Session>(
      BackendSource{[this, device](const BackendChoice& choice) {
                      const bool cpu = choice.kind == BackendChoice::Kind::kCpu;
                      return MadeBackend{
                          std::make_unique<FakeBackend>(cpu ? control_ : device,
                                                        cpu ? "CPU, pretended" : "device 0"),
                          "", cpu ? BackendChoice{BackendChoice::Kind::kCpu, 0} : choice};
                    },
                    [] { return std::vector<std::string>{"device 0"}; }},
      weights_with_moments(3), "a test", [this] { ++wakes_; },
      BackendChoice{BackendChoice::Kind::kCuda, 0});
  Session& session = *session_;
  session.send(PlayCommand{.stop_at = 20});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 20));
  session.send(SaveCommand{folder_ / "device.safetensors"});
  session.send(PlayCommand{.stop_at = 60});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kDeviceLost; }));
  const std::string kept = std::to_string(status_.step);
  session.send(GoOnWithCpuCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 60));
  session.send(SaveCommand{folder_ / "both.safetensors"});
  ASSERT_TRUE(commands_are_done());
  EXPECT_EQ(load_checkpoint(folder_ / "device.safetensors").metadata.at("backend"), "device 0");
  EXPECT_EQ(load_checkpoint(folder_ / "both.safetensors").metadata.at("backend"),
            "device 0 to step " + kept + "; then CPU, pretended");
}

}  // namespace
}  // namespace dispersion
