// A state that is pinned beside the present one, without a window.

#include "app/session/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/session/compared_snapshots.h"
#include "app/session/live_view.h"
#include "app/session/pinned_picture.h"
#include "app/session/state_snapshot.h"
#include "tests/session/fake_backend.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

const std::vector<int> kSizes = {16, 64};
constexpr double kSlice = 1e-9;  // seconds: the shortest pieces of work

class ComparisonTest : public testing::Test {
 protected:
  void SetUp() override {
    auto head = std::make_shared<TrainingState>(small_state(1));
    head->step = 10;
    app_.head = {3, head, 1};
    app_.status.run = 1;
    app_.status.step = 10;
    request_.revision = 1;
    request_.transforms = computed_transforms(app_.view);
    request_.sizes = kSizes;
    present_.accept(request_);
  }

  // The worker of the run computes more of the picture, until this holds.
  template <class Reached>
  void compute_until(const Reached& reached) {
    do {
      ASSERT_TRUE(present_.work_paused(backend_, app_.head, kSlice, true));
      app_.snapshot = present_.snapshot(app_.status.step, app_.head.version);
    } while (!reached(*app_.snapshot));
  }
  void compute_some() {
    compute_until([](const ViewSnapshot& shown) { return shown.complete; });
    ASSERT_FALSE(is_final(*app_.snapshot, app_.head));
  }

  const AppState& a() const { return app_.comparison->a; }

  AppState app_;
  ViewRequest request_;
  LiveView present_;
  FakeBackend backend_{std::make_shared<FakeControl>()};
};

// A was counted anew from no sets, while the window said that B did not differ.
TEST_F(ComparisonTest, BothAreEqualWhenAIsPinnedAndGoOnAlike) {
  compute_some();
  pin(app_);
  EXPECT_EQ(a().snapshot, app_.snapshot);
  EXPECT_EQ(present_text(app_), "does not differ from A");
  compute_until([&](const ViewSnapshot& shown) {
    return shown.rows.front().sets > a().snapshot->rows.front().sets;
  });
  receive_comparison(app_, 0);
  EXPECT_EQ(a().snapshot, app_.snapshot);
  EXPECT_EQ(present_text(app_), "does not differ from A");
  const auto shown = app_.snapshot;
  app_.view.theta = 0.5;
  compute_until([&](const ViewSnapshot& newer) { return newer.rows != shown->rows; });
  receive_comparison(app_, 0);
  EXPECT_EQ(a().snapshot, shown);
  EXPECT_EQ(present_text(app_), "temperature θ 1 → 0.5");
}

TEST_F(ComparisonTest, TheSameStateIsNotCalledEqualBeforeItsPicturesAre) {
  compute_until([&](const ViewSnapshot& shown) { return is_final(shown, app_.head); });
  pin(app_);
  // B comes back to the state of A, and is counted anew.
  present_ = {};
  present_.accept(request_);
  compute_some();
  const auto of_a = a().snapshot;
  receive_comparison(app_, 0);
  EXPECT_EQ(a().snapshot, of_a);
  EXPECT_TRUE(what_differs(app_).empty());
  EXPECT_EQ(present_text(app_), "head and settings of A");
  compute_until([&](const ViewSnapshot& shown) { return is_final(shown, app_.head); });
  EXPECT_EQ(present_text(app_), "does not differ from A");
}

TEST_F(ComparisonTest, OfMixedStepsABeginsWithThoseOfItsHead) {
  compute_some();
  auto mixed = std::make_shared<ViewSnapshot>(*app_.snapshot);
  mixed->frame_step = {10, 8};
  mixed->row_step = {8, 10};
  mixed->complete = false;
  app_.snapshot = mixed;
  pin(app_);
  ASSERT_TRUE(a().snapshot);
  const ViewSnapshot& own = *a().snapshot;
  EXPECT_EQ(own.frame_step, (std::vector<std::int64_t>{10, -1}));
  EXPECT_EQ(own.row_step, (std::vector<std::int64_t>{-1, 10}));
  EXPECT_EQ(own.transforms[0].frames[0].weights, mixed->transforms[0].frames[0].weights);
  EXPECT_EQ(own.transforms[0].frames[1].items, 0);
  for (const SizeRow& row : own.rows)
    EXPECT_EQ(row.sets > 0, row.items == 64);
  EXPECT_FALSE(own.complete);
  EXPECT_GT(picture_share(own), 0);
  EXPECT_LT(picture_share(own), 1);
  EXPECT_EQ(present_text(app_), "head and settings of A");
  // Nothing is of this head, or of these settings.
  mixed->frame_step = mixed->row_step = {8, 8};
  EXPECT_FALSE(picture_of_state(app_));
  mixed->frame_step = {10, 10};
  EXPECT_TRUE(picture_of_state(app_));
  app_.view.theta = 0.5;
  EXPECT_FALSE(picture_of_state(app_));
}

// The copy of the head is behind the run, whose steps the picture shows.
TEST_F(ComparisonTest, ATrainedStateDiffersBeforeTheNextCopyOfItsHeadHasCome) {
  compute_some();
  app_.status.phase = RunPhase::kTraining;
  app_.status.step = 12;
  pin(app_);
  EXPECT_EQ(state_text(a()), "seed 1, step 10");
  EXPECT_EQ(present_text(app_), "step 10 → 12");
  EXPECT_FALSE(is_at_pinned_state(app_));
  // With fresh moments it begins a new run, whose steps are counted anew.
  app_.status.run = 2;
  app_.status.step = 3;
  EXPECT_EQ(present_text(app_), "another head");
}

TEST_F(ComparisonTest, APictureIsGoneOnWithAndEndsTheSame) {
  const auto whole = state_snapshot(backend_, app_.head, request_, {});
  compute_some();
  const auto begun = app_.snapshot;
  LiveView view;
  view.accept(request_);
  view.go_on_from(*begun, app_.head);
  EXPECT_EQ(view.snapshot(10, app_.head.version)->rows, begun->rows);
  EXPECT_GT(view.share(app_.head.version), 0);
  while (view.work_paused(backend_, app_.head, kSlice, true)) {
  }
  const auto ended = view.snapshot(10, app_.head.version);
  EXPECT_TRUE(is_final(*ended, app_.head));
  EXPECT_EQ(ended->rows, whole->rows);  // to the last bit
  for (std::size_t i = 0; i < kSizes.size(); ++i)
    EXPECT_EQ(ended->transforms[0].frames[i].weights, whole->transforms[0].frames[i].weights);
  // That of another head, or under other settings, is none to go on from.
  LiveView other;
  other.accept(request_);
  other.go_on_from(*begun, {4, app_.head.state, 2});
  EXPECT_EQ(other.share(4), 0);
  ViewRequest warmer = request_;
  warmer.transforms[0].theta = 2;
  other.accept(warmer);
  other.go_on_from(*begun, app_.head);
  EXPECT_EQ(other.share(app_.head.version), 0);
}

TEST_F(ComparisonTest, TheFurtherOfTwoPicturesIsThatOfMoreSets) {
  compute_some();
  const auto fewer = app_.snapshot;
  compute_until([&](const ViewSnapshot& shown) { return is_final(shown, app_.head); });
  EXPECT_EQ(further(fewer, app_.snapshot), app_.snapshot);
  EXPECT_EQ(further(app_.snapshot, fewer), app_.snapshot);
  EXPECT_EQ(further(nullptr, fewer), fewer);
  EXPECT_EQ(further(fewer, nullptr), fewer);
  EXPECT_EQ(picture_share(*app_.snapshot), 1);
}

// An experiment of which both states have a figure.
class ComparedExperimentTest : public ComparisonTest {
 protected:
  void SetUp() override {
    ComparisonTest::SetUp();
    app_.view.view = kSpreadView;
    put(of_b(), "Present words.");
    pin(app_);
    app_.view.theta = 0.5;
  }

  static void put(ExperimentState& state, const char* words) {
    ExperimentResult result;
    result.figure.name = "spread";
    result.figure.sentence = Statement::naming(words);
    state.result = std::make_shared<const ExperimentResult>(std::move(result));
    state.result_complete = true;
    state.update.phase = ExperimentPhase::kDone;
  }

  ExperimentState& of_a() { return app_.comparison->a.experiments.of(kSpreadView); }
  ExperimentState& of_b() { return app_.experiments.of(kSpreadView); }
  std::string on_screen() {
    const auto figure = app_.comparison->pictures.experiment(app_, kSpreadView);
    return figure ? figure->sentence.text() : "";
  }
  std::string exported() { return exported_from(app_.view.view); }
  std::string exported_from(View view) {
    return compared_snapshots(app_, view).at(0).figure->sentence.text();
  }
};

// "A and B show the same here" was said of a figure of B with the settings before.
TEST_F(ComparedExperimentTest, BOfFormerSettingsIsNotComparedOnScreenOrInFiles) {
  const std::string alone =
      "A alone, B is not computed for the present settings yet. Present words.";
  EXPECT_EQ(on_screen(), "A and B show the same here. Present words.");
  of_b().stale = true;
  EXPECT_EQ(on_screen(), alone);
  EXPECT_EQ(exported(), "A: seed 1, step 10. B: temperature θ 1 → 0.5. " + alone);
  // A computation of B that was stopped leaves it as old as it is.
  of_b().held = true;
  EXPECT_EQ(exported(), "A: seed 1, step 10. B: temperature θ 1 → 0.5. " + alone);
  put(of_b(), "Other words.");
  of_b().stale = of_b().held = false;
  EXPECT_EQ(on_screen(), "A: Present words. B: Other words.");
  EXPECT_EQ(exported(),
            "A: seed 1, step 10. B: temperature θ 1 → 0.5. A: Present words. B: Other words.");
}

// The figures of the attention view, and of a view beside it, were told to be of former settings
// where the experiment in front was.
TEST_F(ComparedExperimentTest, OnlyTheFigureOfFormerSettingsIsShownAsOne) {
  of_b().stale = true;
  app_.view.view = View::kAttention;
  EXPECT_TRUE(exported_from(kSpreadView)
                  .starts_with("A: seed 1, step 10. B: temperature θ 1 → "
                               "0.5. A alone"));
  of_b().stale = false;
  app_.view.view = kBoundsView;
  app_.experiments.of(kBoundsView).stale = true;
  EXPECT_EQ(exported_from(kSpreadView).find("A alone"), std::string::npos);
}

TEST_F(ComparedExperimentTest, AOfFormerSettingsIsNotComparedEither) {
  put(of_b(), "Other words.");
  of_a().stale = true;
  EXPECT_EQ(on_screen(), "");
  EXPECT_EQ(exported(), "B alone, A is not computed. Other words.");
}

TEST_F(ComparedExperimentTest, TheSameStateIsCalledEqualOnceBothAreComputed) {
  app_.view.theta = 1;
  EXPECT_EQ(present_text(app_), "does not differ from A");
  of_b().stale = true;
  EXPECT_EQ(present_text(app_), "head and settings of A");
}

}  // namespace
}  // namespace dispersion
