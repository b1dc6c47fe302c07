// What the program's own experiments compute, with few sets and heads that were not trained.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/experiment_states.h"
#include "core/cpu/cpu_backend.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

// Lets an experiment run for so many questions.
class Questions {
 public:
  explicit Questions(int allowed) : allowed_(allowed) {}
  bool operator()(double share) {
    EXPECT_GE(share, last_);
    EXPECT_LE(share, 1);
    if (asked == 0) first_ = share;
    last_ = share;
    return ++asked < allowed_;
  }
  double first() const { return first_; }
  double last() const { return last_; }

  int asked = 0;
  int shown = 0;

 private:
  int allowed_;
  double first_ = 0;
  double last_ = 0;
};

class ExperimentRequestTest : public testing::Test {
 protected:
  ExperimentRequestTest() {
    auto shipped = std::make_shared<ShippedData>();
    for (const std::uint32_t seed : {1U, 2U})
      shipped->heads.push_back({"shipped", Recipe(), head_of(seed)});
    app_.shipped = shipped;
    app_.head.version = 3;
    app_.head.state = head_of(1);
    settings(kTableView).set("sets", 2);
    settings(kFitView).set("sets", 2);
    settings(kSurfaceView).set("sets", 1);
    settings(kBoundsView).set("sets", 1);
    settings(kPrecisionView).set("sets", 1);
  }

  static std::shared_ptr<const TrainingState> head_of(std::uint32_t seed) {
    auto state = std::make_shared<TrainingState>();
    state->seed = seed;
    state->parameters = initial_parameters(HeadShape(), seed);
    return state;
  }

  SettingValues& settings(View view) { return app_.experiment_settings.of(view); }

  ExperimentResult run(const ExperimentRequest& plan, Questions& questions) {
    return plan.job(
        tools_, [&](double share) { return questions(share); },
        [&](const Figure&) { ++questions.shown; });
  }

  ChosenBackends tools_{cpu_backends(1), {BackendChoice::Kind::kCpu, 0}};
  AppState app_;
};

TEST_F(ExperimentRequestTest, EveryViewHasAnExperimentThatSaysWhatIsSeen) {
  for (const View view : window_views()) {
    if (view == View::kAttention) continue;
    SCOPED_TRACE(std::string(view_title(view)));
    const ExperimentRequest plan = make_request(view, app_);
    ASSERT_TRUE(plan.job);
    Questions questions(1'000'000);
    const Figure figure = run(plan, questions).figure;
    EXPECT_FALSE(figure.title.empty());
    EXPECT_FALSE(figure.fields.empty() && figure.plots.empty() && figure.tables.empty());
    EXPECT_FALSE(figure.sentence.empty());
  }
}

// Wherever it is told to, at its first question or at a later one.
TEST_F(ExperimentRequestTest, EveryExperimentEndsSoonWhenItIsToldTo) {
  settings(kDepthView).set("attention", std::string_view("causal"));
  for (const View view : window_views()) {
    if (view == View::kAttention) continue;
    for (const int allowed : {1, 2, 3, 20}) {
      Questions questions(allowed);
      app_.unfinished = std::make_shared<UnfinishedRuns>();
      run(make_request(view, app_), questions);
      EXPECT_LE(questions.asked, allowed) << view_title(view);
    }
  }
}

// Questions are a piece of work apart: a piece must not become the whole. With sets enough for
// several pieces at the largest sizes.
TEST_F(ExperimentRequestTest, EveryExperimentAsksOften) {
  settings(kBoundsView).set("sets", 4);
  settings(kDepthView).set("attention", std::string_view("causal"));
  const auto questions = [&](View view) {
    Questions all(1'000'000);
    run(make_request(view, app_), all);
    return all.asked;
  };
  // 11 sizes; four sets of 16,384 and two of 8,192 items are pieces of their own; 41 slopes.
  EXPECT_GE(questions(kBoundsView), 11 + 3 + 1 + 41);
  EXPECT_GE(questions(kSpreadView), 3);
  // 4 layers over 16, 32, ..., 1,024 items, every 16 rows.
  EXPECT_GE(questions(kDepthView), 4 * 127);
  // 4 regions of 65 rows; 8 passes over 14 rows, of which one takes two pieces.
  EXPECT_GE(questions(kSurfaceView), 4 * 65);
  EXPECT_GE(questions(kStreamingView), 8 * (14 + 1));
  // 2 sets of 11 sizes.
  EXPECT_GE(questions(kFitView), 11);
  // 2 heads at 11 sizes.
  EXPECT_GE(questions(kTableView), 22);
  // 4 precisions at 11 sizes.
  EXPECT_GE(questions(kPrecisionView), 44);
}

TEST_F(ExperimentRequestTest, ExperimentsOfTheHeadWaitForItAndFollowIt) {
  for (const View view : {kFitView, kBoundsView, kSpreadView, kPrecisionView})
    EXPECT_EQ(make_request(view, app_).head, 3U);
  app_.head = {};
  EXPECT_FALSE(make_request(kFitView, app_).job);
  EXPECT_TRUE(make_request(kStreamingView, app_).job);
}

TEST_F(ExperimentRequestTest, KeysChangeWithTheSettings) {
  const auto key = [&](View view) { return make_request(view, app_).key; };
  const std::string table = key(kTableView);
  const std::string bounds = key(kBoundsView);
  const std::string surface = key(kSurfaceView);
  const std::string depth = key(kDepthView);
  const std::string precision = key(kPrecisionView);
  const std::string streaming = key(kStreamingView);
  EXPECT_EQ(key(kTableView), table);
  settings(kTableView).set("sets", 3);
  app_.view.theta = 2;
  settings(kSurfaceView).set("logits", std::string_view("head"));
  settings(kDepthView).set("attention", std::string_view("causal"));
  settings(kPrecisionView).set("sets", 2);
  EXPECT_NE(key(kTableView), table);
  EXPECT_NE(key(kBoundsView), bounds);
  EXPECT_NE(key(kSurfaceView), surface);
  EXPECT_NE(key(kDepthView), depth);
  EXPECT_NE(key(kPrecisionView), precision);
  EXPECT_EQ(key(kStreamingView), streaming);
  settings(kStreamingView).set("causal", 1);
  const std::string causal = key(kStreamingView);
  EXPECT_NE(causal, streaming);
  // Its times are of what computes; numbers of the others are not.
  const std::string fit = key(kFitView);
  app_.status.computing = {BackendChoice::Kind::kCuda, 0};
  EXPECT_NE(key(kStreamingView), causal);
  EXPECT_EQ(key(kFitView), fit);
}

TEST_F(ExperimentRequestTest, TheTableGoesOnWhereItWasStopped) {
  Questions few(3);
  run(make_request(kTableView, app_), few);
  EXPECT_GT(few.last(), 0);
  EXPECT_LT(few.last(), 1);
  Questions rest(1'000'000);
  const Figure figure = run(make_request(kTableView, app_), rest).figure;
  EXPECT_GT(rest.first(), few.last());
  EXPECT_GT(rest.shown, 10);
  // The same as in one go.
  app_.unfinished = std::make_shared<UnfinishedRuns>();
  Questions all(1'000'000);
  EXPECT_EQ(run(make_request(kTableView, app_), all).figure.sentence, figure.sentence);
}

TEST_F(ExperimentRequestTest, AFitCanBePutToUse) {
  settings(kFitView).set("sets", 8);
  Questions questions(1'000'000);
  const ExperimentResult result = run(make_request(kFitView, app_), questions);
  ASSERT_EQ(result.rule.has_value(), result.guarded_rule.has_value());
  if (result.rule) {
    EXPECT_FALSE(result.rule->guarded);
    EXPECT_TRUE(result.guarded_rule->guarded);
    EXPECT_EQ(result.guarded_rule->coefficients, result.rule->coefficients);
  }
}

}  // namespace
}  // namespace dispersion
