#include <cmath>
#include <random>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

// Whatever a user may press, in any order.
class Storm {
 public:
  Storm(Session& session, std::filesystem::path folder, std::uint32_t seed)
      : session_(session), folder_(std::move(folder)), random_(seed) {}

  void blow(int commands) {
    for (int i = 0; i < commands; ++i) {
      send_one();
      if (below(50) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(below(5)));
    }
  }

 private:
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  void send_one() {
    const std::filesystem::path file = folder_ / (std::to_string(below(3)) + ".safetensors");
    switch (below(12)) {
      case 0:
      case 1:
        return session_.send(PlayCommand{.stop_at = below(2000) - 100});
      case 2:
      case 3:
        return session_.send(PauseCommand{});
      case 4:
        return session_.send(StepCommand{});
      case 5:
        return session_.send(RewindCommand{});
      case 6:
        return session_.send(
            NewRunCommand{.recipe = {.learning_rate = below(10) == 0 ? -1.0 : 1e-3},
                          .seed = static_cast<std::uint32_t>(below(5))});
      case 7:
        return below(8) == 0 ? session_.send(OpenCommand{file}) : session_.send(PauseCommand{});
      case 8:
        return below(8) == 0 ? session_.send(SaveCommand{file}) : session_.send(StepCommand{});
      case 9:
        return session_.send(BringBackCommand{});
      default:
        return ask();
    }
  }

  void ask() {
    ViewRequest request;
    request.revision = ++revision_;
    request.transforms = {{.theta = 0.05 + 0.1 * below(90)}};
    for (const TransformDefinition* definition : transform_definitions()) {
      if (definition->id == TransformId::kSoftmax || below(3) > 0) continue;
      request.transforms.push_back(usual_transform(definition->id));
      request.transforms.back().theta = request.transforms.front().theta;
    }
    request.visible = below(4) > 0;
    request.set_seed = below(10) == 0 ? 2 : 1;
    request.sizes = below(3) == 0 ? std::vector<int>{16, 100} : std::vector<int>{8, 16, 1500};
    session_.request(std::move(request));
  }

  Session& session_;
  std::filesystem::path folder_;
  std::mt19937 random_;
  std::uint64_t revision_ = 0;
};

TEST_F(SessionTest, Behaviour10_ARandomStormOfCommandsLeavesTheWorkerWell) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    control_->microseconds_per_step = seed == 2 ? 100 : 0;
    Session& session = open(weights_with_moments(seed));
    Storm(session, folder_, seed).blow(2000);
    ASSERT_TRUE(commands_are_done());
    session.send(NewRunCommand{.recipe = {}, .seed = 77});
    session.send(PlayCommand{.stop_at = 20});
    session.request(request(1'000'000, {16, 64}));
    ASSERT_TRUE(arrives([&] { return status_.seed == 77 && status_.step == 20; }));
    ASSERT_TRUE(arrives([&] { return view_ && view_->revision == 1'000'000 && view_->complete; }));
    FakeBackend still(std::make_shared<FakeControl>());
    still.load({}, {start_training({.width = 4, .classes = 10}, 77)});
    std::vector<StepRecord> records;
    still.train(20, records);
    EXPECT_EQ(status_.run_hash, run_hash({}, still.state(0)));
  }
}

TEST_F(SessionTest, RecordsOfEveryRunAreConsecutive) {
  Session& session = open(weights_with_moments(1));
  Storm(session, folder_, 9).blow(1500);
  session.send(PauseCommand{});
  ASSERT_TRUE(commands_are_done());
  for (std::size_t i = 1; i < records_.size(); ++i) {
    if (records_[i].run == records_[i - 1].run) {
      ASSERT_EQ(records_[i].record.step, records_[i - 1].record.step + 1);
    } else {
      ASSERT_GT(records_[i].run, records_[i - 1].run);
    }
  }
  // None is lost; a run that is brought back tells its steps once more.
  EXPECT_LE(control_->steps, static_cast<std::int64_t>(records_.size()));
}

TEST_F(SessionTest, ClosingWhileTrainingReturns) {
  control_->microseconds_per_step = 50;
  for (int i = 0; i < 20; ++i) {
    control_->destroyed = false;
    Session& session = open(weights_with_moments(1));
    session.request(request(1, {16, 1024}));
    session.send(PlayCommand{.stop_at = 1'000'000'000});
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
    session_.reset();
    EXPECT_TRUE(control_->destroyed);
  }
}

TEST_F(SessionTest, SlicesStayShort) {
  control_->microseconds_per_step = 2000;
  Session& session = open(weights_with_moments(1));
  session.send(PlayCommand{.stop_at = 60});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 60));
  EXPECT_LE(control_->largest_slice, 10);  // 20 ms
}

// The real backend, with a small batch of the paper's head.
class RealSessionTest : public SessionTest {
 protected:
  Session& open_real(const Recipe& recipe, std::uint32_t seed) {
    Checkpoint start;
    start.recipe = recipe;
    start.state = start_training(kShape, seed);
    session_ = std::make_unique<Session>(only_backend([] { return make_cpu_backend(2); }),
                                         std::move(start), "a test", [this] { ++wakes_; });
    return *session_;
  }

  static std::string hash_after(const Recipe& recipe, std::uint32_t seed, int steps) {
    const auto backend = make_cpu_backend(1);
    backend->load(recipe, {start_training(kShape, seed)});
    std::vector<StepRecord> records;
    backend->train(steps, records);
    return run_hash(recipe, backend->state(0));
  }

  static constexpr HeadShape kShape{.width = 16, .classes = 10};
};

TEST_F(RealSessionTest, TrainingAndLookingDoNotDisturbEachOther) {
  Recipe recipe;
  recipe.batch_sets = 32;
  Session& session = open_real(recipe, 6);
  session.request(request(1, {16, 64, 1024}));
  session.send(PlayCommand{.stop_at = 300});
  for (std::uint64_t revision = 2; revision < 40; ++revision) {
    ViewRequest next = request(revision, {16, 64, 1024});
    for (AttentionTransform& transform : next.transforms)
      transform.theta = 0.1 * static_cast<double>(revision);
    session.request(next);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 300));
  EXPECT_EQ(status_.run_hash, hash_after(recipe, 6, 300));
  ASSERT_TRUE(arrives([&] { return view_ && view_->revision == 39 && view_->complete; }));
}

TEST_F(RealSessionTest, RewindGoesBackExactly) {
  Recipe recipe;
  recipe.batch_sets = 32;
  Session& session = open_real(recipe, 6);
  session.send(PlayCommand{.stop_at = 80});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 80));
  session.send(RewindCommand{});
  session.send(PlayCommand{.stop_at = 50});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 50));
  EXPECT_EQ(status_.run_hash, hash_after(recipe, 6, 50));
}

TEST_F(RealSessionTest, DivergesWithAWordAndTheLastGoodHead) {
  Recipe wild;
  wild.batch_sets = 8;
  wild.learning_rate = 1e6;
  Session& session = open_real(wild, 6);
  session.send(PlayCommand{.stop_at = 1000});
  ASSERT_TRUE(arrives([&] { return status_.phase == RunPhase::kDiverged; }));
  EXPECT_NE(status_.notice.find("not finite"), std::string::npos);
  EXPECT_EQ(status_.run_hash, hash_after(wild, 6, static_cast<int>(status_.step)));
  for (const RunRecord& record : records_) {
    EXPECT_TRUE(std::isfinite(record.record.cross_entropy));
  }
  session.send(NewRunCommand{.recipe = {}, .seed = 2});
  session.send(StepCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 1));
}

}  // namespace
}  // namespace dispersion
