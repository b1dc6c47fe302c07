#include "app/session/app_state.h"
#include "app/session/frame_at.h"

#include <filesystem>
#include <limits>

#include "app/session/run_status.h"
#include "core/io/checkpoint.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "tests/session/app_session_fixture.h"

namespace dispersion {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class AppStateTest : public AppSessionTest {};

TEST_F(AppStateTest, SendsOnlyWhatChanged) {
  Session& session = open(weights_with_moments(1));
  EXPECT_TRUE(app_.stale());
  send_changes(app_, session, true);
  EXPECT_EQ(app_.requested_revision, 1u);
  send_changes(app_, session, true);
  EXPECT_EQ(app_.requested_revision, 1u);
  app_.view.theme = Theme::kLight;
  app_.view.focused_items = 64;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.requested_revision, 1u);
  EXPECT_EQ(app_.requested->focused_items, 64);
  app_.view.theta = 0.5;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.requested_revision, 2u);
  app_.view.rule.gate = 0.7;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.requested_revision, 3u);
  send_changes(app_, session, false);
  EXPECT_EQ(app_.requested_revision, 4u);
}

TEST_F(AppStateTest, PutsImpossibleSettingsRight) {
  Session& session = open(weights_with_moments(1));
  app_.view.theta = kNaN;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.view.theta, 1);
  app_.view.theta = 0;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.view.theta, kLowestTheta);
  app_.view.theta = 1e9;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.view.theta, kHighestTheta);
  EXPECT_EQ(app_.requested->transforms[0].theta, kHighestTheta);
  app_.view.theta = kNaN;
  app_.view.rule.coefficients[2] = std::numeric_limits<double>::infinity();
  app_.view.rule.coefficients[0] = 1e300;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.view.theta, kHighestTheta);
  EXPECT_EQ(app_.view.rule.coefficients[2], AdaptiveRule().coefficients[2]);
  EXPECT_EQ(app_.view.rule.coefficients[0], 1e6);
}

// A rule that is fitted to samples is held from where they end, which is no peak of its polynomial.
TEST_F(AppStateTest, AHeldRuleKeepsWhereItIsHeldUntilItIsChanged) {
  Session& session = open(weights_with_moments(1));
  app_.view.rule.guarded = true;
  app_.view.rule.peak = 3.5;
  send_changes(app_, session, true);
  EXPECT_EQ(app_.view.rule.peak, 3.5);
  app_.view.rule.peak = 0;  // as the controls do when they change the rule
  send_changes(app_, session, true);
  EXPECT_NEAR(app_.view.rule.peak, 4.412, 5e-4);
}

TEST_F(AppStateTest, ShowsWhatWasAskedFor) {
  Session& session = open(weights_with_moments(1));
  app_.view.theta = 0.3;
  send_changes(app_, session, true);
  ASSERT_TRUE(reaches([&] { return !app_.stale() && app_.snapshot->complete; }));
  EXPECT_EQ(app_.snapshot->sizes, doubling_sizes());
  const std::vector<AttentionTransform> asked = shown_transforms(app_.view);
  ASSERT_EQ(asked.size(), 2U);
  ASSERT_EQ(app_.snapshot->transforms.size(), 2U);
  EXPECT_EQ(app_.snapshot->transforms[0].frames.front().transform, asked[0]);
  EXPECT_EQ(app_.snapshot->transforms[1].frames.back().transform, asked[1]);
}

TEST_F(AppStateTest, ShowsTheTransformsThatTheUserChose) {
  Session& session = open(weights_with_moments(1));
  show(app_.view, TransformId::kAdaptive, false);
  for (TransformChoice& choice : app_.view.choices) {
    choice.shown = choice.transform.id == TransformId::kTopK;
    if (choice.shown) choice.transform.settings[0] = 1e300;
  }
  send_changes(app_, session, true);
  ASSERT_TRUE(reaches([&] { return !app_.stale() && app_.snapshot->complete; }));
  const std::vector<TransformFrames> shown = shown_frames(*app_.snapshot, app_.view);
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].transform.id, TransformId::kSoftmax);
  EXPECT_EQ(shown[1].transform.id, TransformId::kTopK);
  EXPECT_EQ(shown[1].transform.settings[0], 1 << 24);  // the most that there is
  // Adaptive temperature is at hand all the same.
  EXPECT_EQ(app_.snapshot->transforms.size(), 3U);
}

TEST_F(AppStateTest, HistoryIsThatOfTheRunThatIsOpen) {
  Session& session = open(weights_with_moments(1));
  session.send(PlayCommand{.stop_at = 300});
  ASSERT_TRUE(reaches([&] { return app_.status.phase == RunPhase::kFinished; }));
  ASSERT_TRUE(reaches([&] { return app_.history.size() == 300; }));
  session.send(RewindCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 0; }));
  EXPECT_TRUE(app_.history.empty());
  session.send(PlayCommand{.stop_at = 40});
  session.send(NewRunCommand{.recipe = {}, .seed = 8});
  session.send(StepCommand{});
  session.send(StepCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.seed == 8 && app_.history.size() == 2; }));
  EXPECT_EQ(app_.history.front().step, 1);
}

// A history as training writes it beside a checkpoint.
History short_history(std::uint32_t seed) {
  History rows(3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].seed = seed;
    rows[i].step = 10 * static_cast<std::int64_t>(i);
    rows[i].accuracy = 0.5;
  }
  return rows;
}

TEST_F(AppStateTest, AHeadComesWithWhatWasMeasuredBefore) {
  const std::filesystem::path file = folder_ / "seed4.safetensors";
  Checkpoint saved = weights_with_moments(4);
  saved.state.step = 15;
  save_checkpoint(file, saved);
  write_file_atomically(history_path(file), history_csv(short_history(4)));
  Session& session = open(weights_with_moments(1));
  ASSERT_TRUE(reaches([&] { return !app_.status.backend.empty(); }));
  EXPECT_EQ(app_.status.earlier, nullptr);
  EXPECT_TRUE(run_curves(app_).earlier.empty());
  session.send(OpenCommand{file});
  ASSERT_TRUE(reaches([&] { return app_.status.seed == 4; }));
  EXPECT_EQ(run_curves(app_).earlier.size(), 2U);  // not the row after the checkpoint's step
  session.send(PlayCommand{.stop_at = 40});
  ASSERT_TRUE(reaches([&] { return app_.history.size() == 25; }));
  EXPECT_EQ(run_step_axis(run_curves(app_)).low, 0);  // which stays in the plots
  session.send(NewRunCommand{.recipe = {}, .seed = 8});
  ASSERT_TRUE(reaches([&] { return app_.status.seed == 8; }));
  EXPECT_EQ(app_.status.earlier, nullptr);
  session.send(BringBackCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.seed == 4; }));
  EXPECT_EQ(run_curves(app_).earlier.size(), 2U);
  session.send(RewindCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 15; }));
  EXPECT_EQ(run_curves(app_).earlier.size(), 2U);
}

TEST_F(AppStateTest, AHistoryThatCannotBeReadIsToldAndTheHeadOpensAllTheSame) {
  const std::filesystem::path file = folder_ / "seed4.safetensors";
  save_checkpoint(file, weights_with_moments(4));
  write_file_atomically(history_path(file), history_csv(short_history(9)));
  Session& session = open(weights_with_moments(1));
  session.send(OpenCommand{file, 3});
  ASSERT_TRUE(reaches([&] { return app_.status.seed == 4 && !app_.reports.empty(); }));
  EXPECT_TRUE(app_.reports.back().ok);
  EXPECT_EQ(app_.reports.back().answers, 3U);
  EXPECT_NE(app_.reports.back().text.find("is the history of seed 9"), std::string::npos)
      << app_.reports.back().text;
  EXPECT_EQ(app_.status.earlier, nullptr);
}

TEST_F(AppStateTest, AHeadThatIsTrainedOnCountsFromItsFirstWeights) {
  Session& session = open(weights_only(100'000));
  session.send(StepCommand{});
  ASSERT_TRUE(reaches([&] { return app_.history.size() == 1; }));
  EXPECT_EQ(app_.status.step, 1);
  EXPECT_EQ(step_text(app_.status), "100\u2009001");
  const Axis axis = run_step_axis(run_curves(app_));
  EXPECT_EQ(axis.low, 100'000);
  app_.status.has_run = false;
  EXPECT_EQ(step_text(app_.status), "unknown");
}

// So do the pictures that lag behind it, except those of the head before.
TEST_F(AppStateTest, AgesCountFromTheFirstWeightsToo) {
  app_.status.run = 2;
  app_.status.step = 600;
  app_.status.steps_before = 100'000;
  ViewSnapshot snapshot;
  snapshot.sizes = {16, 32};
  snapshot.frame_step = snapshot.row_step = {7, 600};
  snapshot.frame_run = snapshot.row_run = {2, 2};
  app_.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_EQ(frame_age_text(frame_at(app_, 16)), "of step 100\u2009007");
  EXPECT_EQ(row_age_text(frame_at(app_, 16)), "of step 100\u2009007");
  EXPECT_EQ(maps_age_text(app_), "1 of 2 maps is of step 100\u2009007");
  EXPECT_EQ(frame_at(app_, 32).row_step, 100'600);
  EXPECT_EQ(frame_age_text(frame_at(app_, 32)), "");
  snapshot.frame_run.front() = 1;
  app_.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_EQ(frame_age_text(frame_at(app_, 16)), "of the head before");
}

// While numbers are counted under new settings, those of the settings before stay as points.
TEST_F(AppStateTest, APointOfOtherSettingsSaysSo) {
  app_.status.run = 2;
  app_.status.step = 600;
  ViewSnapshot snapshot;
  snapshot.sizes = {16, 32, 64};
  snapshot.row_step = {-1, 600, 7};
  snapshot.row_run = {2, 2, 2};
  app_.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_EQ(point_age_text(frame_at(app_, 16)), "of the settings before");
  EXPECT_EQ(point_age_text(frame_at(app_, 32)), "");
  EXPECT_EQ(point_age_text(frame_at(app_, 64)), "of step 7");
  EXPECT_EQ(row_age_text(frame_at(app_, 16)), "being computed …") << "no number of it is shown";
}

TEST_F(AppStateTest, StepsDoneAgainReplaceThoseBefore) {
  control_->throw_at = 500;
  control_->microseconds_per_step = 100;
  Session& session = open(weights_with_moments(1));
  session.send(PlayCommand{.stop_at = 1000});
  ASSERT_TRUE(reaches([&] { return !app_.status.notice.empty(); }));
  control_->throw_at = -1;
  session.send(PlayCommand{.stop_at = 600});
  ASSERT_TRUE(reaches([&] { return app_.status.phase == RunPhase::kFinished; }));
  ASSERT_TRUE(reaches([&] { return app_.history.size() >= 600; }));
  ASSERT_EQ(app_.history.size(), 600u);
  for (std::size_t i = 0; i < 600; ++i) {
    ASSERT_EQ(app_.history[i].step, static_cast<std::int64_t>(i) + 1);
  }
}

TEST_F(AppStateTest, KeepsAFewReports) {
  Session& session = open(weights_with_moments(1));
  for (std::size_t i = 0; i < kReportsKept + 20; ++i)
    session.send(OpenCommand{"no such file"});
  session.send(OpenCommand{"the last"});
  ASSERT_TRUE(reaches([&] {
    return !app_.reports.empty() && app_.reports.back().text.find("the last") != std::string::npos;
  }));
  EXPECT_EQ(app_.reports.size(), kReportsKept);
}

// What is reported of a command belongs to its answer, though it follows the status.
TEST_F(AppStateTest, ACommandIsAnsweredOnceItsReportIsTaken) {
  Session& session = open(weights_with_moments(1));
  ASSERT_TRUE(reaches([&] { return !app_.status.backend.empty(); }));
  session.send(OpenCommand{"no such file"});
  RunStatus status;
  while (status.commands_done < 1)
    status = session.take_status().value_or(status);
  EXPECT_FALSE(session.answered(status));
  while (session.take_reports().empty()) {
  }
  EXPECT_TRUE(session.answered(status));
}

}  // namespace
}  // namespace dispersion
