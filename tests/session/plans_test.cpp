// What the program's own studies compute, with few sets and heads that were not trained.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/cpu/cpu_backend.h"

namespace dispersion {
namespace {

// Lets a study run for so many questions.
class Questions : public StudyProgress {
 public:
  explicit Questions(int allowed) : allowed_(allowed) {}
  bool keep_going(double share) override {
    EXPECT_GE(share, last_);
    EXPECT_LE(share, 1);
    last_ = share;
    return ++asked < allowed_;
  }
  void show(Figure) override { ++shown; }

  int asked = 0;
  int shown = 0;

 private:
  int allowed_;
  double last_ = 0;
};

class PlansTest : public testing::Test {
 protected:
  PlansTest() {
    auto material = std::make_shared<StudyMaterial>();
    for (const std::uint32_t seed : {1U, 2U})
      material->heads.push_back({seed, initial_parameters(HeadShape(), seed)});
    app_.material = material;
    app_.shelf = std::make_shared<StudyShelf>();
    app_.head.version = 3;
    auto state = std::make_shared<TrainingState>();
    state->parameters = initial_parameters(HeadShape(), 1);
    app_.head.state = state;
    app_.study_settings.table.sets = 2;
    app_.study_settings.fit.sets = 2;
    app_.study_settings.surface.sets = 1;
    app_.study_settings.bounds.sets = 1;
    app_.study_settings.precision.sets = 1;
  }

  StudyResult run(const StudyPlan& plan, Questions& questions) {
    return plan.job(tools_, questions);
  }

  StudyTools tools_{cpu_studies(1), {BackendChoice::Kind::kCpu, 0}};
  AppState app_;
};

TEST_F(PlansTest, EveryViewHasAStudyThatSaysWhatIsSeen) {
  for (const View view : study_views()) {
    if (view == View::kAttention) continue;
    SCOPED_TRACE(std::string(view_name(view).name));
    const StudyPlan plan = plan_study(view, app_);
    ASSERT_TRUE(plan.job);
    Questions questions(1'000'000);
    const Figure figure = run(plan, questions).figure;
    EXPECT_FALSE(figure.title.empty());
    EXPECT_FALSE(figure.fields.empty() && figure.plots.empty() && figure.tables.empty());
    EXPECT_FALSE(figure.sentence.empty());
  }
}

// Wherever it is told to, at its first question or at a later one.
TEST_F(PlansTest, EveryStudyEndsSoonWhenItIsToldTo) {
  app_.study_settings.depth.options.causal = true;
  for (const View view : study_views()) {
    if (view == View::kAttention) continue;
    for (const int allowed : {1, 2, 3, 20}) {
      Questions questions(allowed);
      app_.shelf = std::make_shared<StudyShelf>();
      run(plan_study(view, app_), questions);
      EXPECT_LE(questions.asked, allowed) << view_name(view).name;
    }
  }
}

// Questions are a piece of work apart: a piece must not become the whole. With sets enough for
// several pieces at the largest sizes.
TEST_F(PlansTest, EveryStudyAsksOften) {
  app_.study_settings.bounds.sets = 4;
  app_.study_settings.depth.options.causal = true;
  const auto questions = [&](View view) {
    Questions all(1'000'000);
    run(plan_study(view, app_), all);
    return all.asked;
  };
  // 11 sizes; four sets of 16,384 and two of 8,192 items are pieces of their own; 41 slopes.
  EXPECT_GE(questions(View::kBounds), 11 + 3 + 1 + 41);
  EXPECT_GE(questions(View::kSpread), 3);
  // 4 layers over 16, 32, ..., 1,024 items, every 16 rows.
  EXPECT_GE(questions(View::kDepth), 4 * 127);
  // 4 regions of 65 rows; 8 passes over 14 rows, of which one takes two pieces.
  EXPECT_GE(questions(View::kSurfaces), 4 * 65);
  EXPECT_GE(questions(View::kStreaming), 8 * (14 + 1));
  // 2 sets of 11 sizes.
  EXPECT_GE(questions(View::kFit), 11);
  // 2 heads at 11 sizes.
  EXPECT_GE(questions(View::kTable), 22);
  // 4 precisions at 11 sizes.
  EXPECT_GE(questions(View::kPrecision), 44);
}

TEST_F(PlansTest, StudiesOfTheHeadWaitForItAndFollowIt) {
  for (const View view : {View::kFit, View::kBounds, View::kSpread, View::kPrecision})
    EXPECT_EQ(plan_study(view, app_).head, 3U);
  app_.head = {};
  EXPECT_FALSE(plan_study(View::kFit, app_).job);
  EXPECT_TRUE(plan_study(View::kStreaming, app_).job);
}

TEST_F(PlansTest, KeysChangeWithTheSettings) {
  const auto key = [&](View view) { return plan_study(view, app_).key; };
  const std::string table = key(View::kTable);
  const std::string bounds = key(View::kBounds);
  const std::string surface = key(View::kSurfaces);
  const std::string depth = key(View::kDepth);
  const std::string precision = key(View::kPrecision);
  const std::string streaming = key(View::kStreaming);
  EXPECT_EQ(key(View::kTable), table);
  app_.study_settings.table.sets = 3;
  app_.view.theta = 2;
  app_.study_settings.surface.of_head = true;
  app_.study_settings.depth.options.causal = true;
  app_.study_settings.precision.sets = 2;
  EXPECT_NE(key(View::kTable), table);
  EXPECT_NE(key(View::kBounds), bounds);
  EXPECT_NE(key(View::kSurfaces), surface);
  EXPECT_NE(key(View::kDepth), depth);
  EXPECT_NE(key(View::kPrecision), precision);
  EXPECT_EQ(key(View::kStreaming), streaming);
  app_.study_settings.streaming.attention.causal = true;
  const std::string causal = key(View::kStreaming);
  EXPECT_NE(causal, streaming);
  // Its times are of what computes; numbers of the others are not.
  const std::string fit = key(View::kFit);
  app_.status.computing = {BackendChoice::Kind::kCuda, 0};
  EXPECT_NE(key(View::kStreaming), causal);
  EXPECT_EQ(key(View::kFit), fit);
}

TEST_F(PlansTest, TheTableGoesOnWhereItWasStopped) {
  Questions few(3);
  run(plan_study(View::kTable, app_), few);
  const TableRun& kept = *app_.shelf->table;
  const double share = share_done(kept);
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
  Questions rest(1'000'000);
  const Figure figure = run(plan_study(View::kTable, app_), rest).figure;
  EXPECT_EQ(share_done(*app_.shelf->table), 1);
  EXPECT_GT(rest.shown, 10);
  // The same as in one go.
  app_.shelf = std::make_shared<StudyShelf>();
  Questions all(1'000'000);
  EXPECT_EQ(run(plan_study(View::kTable, app_), all).figure.sentence, figure.sentence);
}

TEST_F(PlansTest, AFitCanBePutToUse) {
  app_.study_settings.fit.sets = 8;
  Questions questions(1'000'000);
  const StudyResult result = run(plan_study(View::kFit, app_), questions);
  ASSERT_EQ(result.rule.has_value(), result.guarded_rule.has_value());
  if (result.rule) {
    EXPECT_FALSE(result.rule->guarded);
    EXPECT_TRUE(result.guarded_rule->guarded);
    EXPECT_EQ(result.guarded_rule->coefficients, result.rule->coefficients);
  }
}

}  // namespace
}  // namespace dispersion
