// What figures of the window say of the head that they show.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/provenance.h"
#include "app/session/app_state.h"
#include "app/session/figure_snapshots.h"
#include "app/session/figure_states.h"
#include "app/session/state_string.h"
#include "core/figure/trained_steps.h"
#include "core/io/checkpoint.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr const char* kSource = "some head";

// The open head has seed 1; the view of bounds shows a figure of a head with this provenance.
AppState app_with_figure(const Provenance& of_figure) {
  AppState app;
  app.status.head_source = kSource;
  app.status.seed = 1;
  app.status.step = 20;
  app.status.run_hash = "0123456789abcdef";
  app.status.hash_step = 20;
  app.view.view = kBoundsView;
  auto result = std::make_shared<ExperimentResult>();
  result->figure.name = "bounds";
  result->figure.provenance = of_figure;
  app.experiments.of(kBoundsView).result = result;
  return app;
}

Provenance provenance_shown(const AppState& app) {
  return figure_snapshots(app).at(0).figure->provenance;
}

std::string value(const Provenance& all, const char* name) {
  return std::string(provenance_value(all, name));
}

TEST(FigureProvenance, OfTheOpenRunIsComplete) {
  const Recipe recipe;
  const Provenance told = provenance_shown(app_with_figure(
      {{"head", kSource}, {"recipe", recipe_to_json(recipe)}, {"seed", "1"}, {"step", "20"}}));
  EXPECT_EQ(value(told, "recipe"), recipe_to_json(recipe));
  EXPECT_EQ(value(told, "run_hash"), "0123456789abcdef");
}

// As the window counts them; the state in the file names the head as its run does.
TEST(FigureProvenance, CountsStepsFromTheFirstWeightsOn) {
  Provenance of_figure = {{"head", kSource}, {"recipe", recipe_to_json({})}};
  add_trained_steps(of_figure, 1, "100020", 100'000);
  AppState app = app_with_figure(of_figure);
  app.status.steps_before = 100'000;
  std::vector<FigureSnapshot> figures = figure_snapshots(app);
  add_states(app, figures);
  const Provenance told = figures.at(0).figure->provenance;
  EXPECT_EQ(value(told, "step"), "100020");
  EXPECT_EQ(value(told, kFreshMoments), "100000");
  EXPECT_EQ(value(told, kStepsBefore), "");
  EXPECT_EQ(value(told, "run_hash"), "0123456789abcdef");
  const HeadName head = decode_state(value(told, "state")).head;
  EXPECT_EQ(head.step, 20);
  EXPECT_EQ(head.steps_before, 100'000);
  app.view.view = View::kAttention;
  app.snapshot = nullptr;
  app.history = {{.step = 20}};
  EXPECT_EQ(value(provenance_shown(app), "step"), "100020");
}

// Those before this counted from fresh moments on.
TEST(FigureProvenance, OfEarlierVersionsCountsInTheSameWay) {
  const Provenance one = {{"step", "675"}, {kStepsBefore, "100000"}};
  EXPECT_EQ(trained_steps(one), "100675");
  EXPECT_EQ(fresh_moments_step(one), 100'000);
  EXPECT_EQ(trained_steps({{"step", "900 to 1000"}, {kStepsBefore, "7"}}), "907 to 1007");
  EXPECT_EQ(trained_steps({{"step", "900 to 1000"}}), "900 to 1000");
  EXPECT_EQ(trained_steps({}), "");
}

// A figure of a run before, of another recipe or another head, keeps its own; the hash is not its.
TEST(FigureProvenance, OfAnotherRunOfTheSameSeedIsItsOwn) {
  Recipe other;
  other.learning_rate = 0.5;
  for (const Provenance& of_figure :
       {Provenance{
            {"head", kSource}, {"recipe", recipe_to_json(other)}, {"seed", "1"}, {"step", "20"}},
        Provenance{{"head", "another"},
                   {"recipe", recipe_to_json(Recipe())},
                   {"seed", "1"},
                   {"step", "20"}}}) {
    const Provenance told = provenance_shown(app_with_figure(of_figure));
    EXPECT_EQ(value(told, "recipe"), value(of_figure, "recipe"));
    EXPECT_EQ(value(told, "head"), value(of_figure, "head"));
    EXPECT_EQ(value(told, "run_hash"), "");
  }
}

// Nothing of the open run is said of a head whose run is not known, and the other way round.
TEST(FigureProvenance, OfWeightsOnlyClaimsNoRun) {
  AppState app = app_with_figure({{"head", kSource}, {"run", std::string(kWeightsOnly)}});
  const auto claims_none = [](const Provenance& told) {
    return value(told, "run") == kWeightsOnly && value(told, "seed").empty() &&
           value(told, "step").empty() && value(told, "recipe").empty();
  };
  EXPECT_TRUE(claims_none(provenance_shown(app)));
  app.status.has_run = false;
  EXPECT_TRUE(claims_none(provenance_shown(app)));
  // The attention view, too.
  app.view.view = View::kAttention;
  ViewSnapshot snapshot;
  snapshot.sizes = {16};
  AttentionFrame frame;
  frame.items = 16;
  frame.columns = 16;
  frame.weights.resize(kFrameSets * 16);
  snapshot.transforms = {{AttentionTransform(), {frame}}};
  snapshot.frame_step = {0};
  app.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_TRUE(claims_none(provenance_shown(app)));
}

// What the sentence of the shown figure claims under this name.
std::vector<double> claimed(const AppState& app, std::string_view what) {
  const std::shared_ptr<const Figure> shown = figure_snapshots(app).at(0).figure;
  std::vector<double> values;
  for (const Claim& claim : shown->sentence.claims()) {
    if (claim.what == what) values.push_back(claim.value);
  }
  return values;
}

TEST(FigureProvenance, FramesOfDifferentStepsAreSaidToBe) {
  AppState app = app_with_figure({});
  app.view.view = View::kAttention;
  ViewSnapshot snapshot;
  snapshot.sizes = {16, 32};
  for (const int items : snapshot.sizes) {
    AttentionFrame frame;
    frame.items = items;
    frame.columns = 16;
    frame.weights.resize(kFrameSets * 16);
    if (snapshot.transforms.empty()) snapshot.transforms = {{AttentionTransform(), {}}};
    snapshot.transforms.front().frames.push_back(frame);
  }
  const auto sentence = [&](std::int64_t first, std::int64_t second) {
    snapshot.frame_step = {first, second};
    app.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
    return figure_snapshots(app).at(0).figure->sentence.text();
  };
  EXPECT_NE(sentence(1000, 900).find("The frames are of the steps 900 to 1\u2009000."),
            std::string::npos);
  EXPECT_EQ(claimed(app, "first step of the frames"), std::vector<double>{900});
  EXPECT_EQ(claimed(app, "last step of the frames"), std::vector<double>{1000});
  EXPECT_EQ(sentence(900, 900).find("steps"), std::string::npos);
  EXPECT_TRUE(claimed(app, "first step of the frames").empty());
}

// Only the sizes whose rows are of an older step are said not to be counted.
TEST(FigureProvenance, SizesThatAreNotCountedYetAreNamed) {
  AppState app = app_with_figure({});
  app.view.view = View::kAttention;
  ViewSnapshot snapshot;
  snapshot.sizes = {16, 2048, 4096};
  for (const int items : snapshot.sizes)
    snapshot.rows.push_back({.items = items, .sets = 8, .correct = 4});
  app.status.step = 100'000;
  snapshot.row_run.assign(3, app.status.run);
  snapshot.row_step = {app.status.step, app.status.step - 50'000, -1};
  app.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_EQ(claimed(app, "size not counted yet"), (std::vector<double>{2048, 4096}));
  EXPECT_EQ(figure_snapshots(app).at(0).figure->sentence.text(),
            "Not counted yet at this step: n = 2\u2009048, 4\u2009096.");
  snapshot.row_step.assign(3, app.status.step);
  app.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_TRUE(figure_snapshots(app).at(0).figure->sentence.empty());
}

TEST(FigureProvenance, OfAnExportedFigureHasTheStateOfTheWindow) {
  AppState app = app_with_figure(
      {{"head", kSource}, {"recipe", recipe_to_json({})}, {"seed", "1"}, {"step", "20"}});
  app.view.theta = 0.1 + 0.2;
  std::vector<FigureSnapshot> figures = figure_snapshots(app);
  add_states(app, figures);
  const DeskState told = decode_state(value(figures.at(0).figure->provenance, "state"));
  EXPECT_TRUE(told.settings == user_settings(app));
  EXPECT_EQ(told.head.source, kSource);
  EXPECT_EQ(told.head.run_hash, "0123456789abcdef");
  EXPECT_EQ(told.head.seed, 1u);
  EXPECT_EQ(told.head.step, 20);
}

TEST(FigureProvenance, OfSeveralStepsNamesNoHead) {
  AppState app = app_with_figure(
      {{"head", kSource}, {"recipe", recipe_to_json({})}, {"seed", "1"}, {"step", "10 to 30"}});
  std::vector<FigureSnapshot> figures = figure_snapshots(app);
  add_states(app, figures);
  const DeskState told = decode_state(value(figures.at(0).figure->provenance, "state"));
  EXPECT_EQ(told.head.run_hash, "");
}

}  // namespace
}  // namespace dispersion
