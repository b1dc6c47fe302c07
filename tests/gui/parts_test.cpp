// Parts of the window that can be tested without one.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/figure_panels.h"
#include "app/panels/heatmap_layout.h"
#include "app/panels/layout.h"
#include "app/panels/notices.h"
#include "app/panels/number_entry.h"
#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/session/frame_at.h"
#include "app/session/head_name.h"
#include "app/window/frame_pacer.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

TEST(FramePacer, Behaviour09_SleepsWhenNothingHappens) {
  FramePacer pacer;
  for (int i = 0; i < 3; ++i)
    pacer.drawn(10 + 0.02 * i);
  EXPECT_FALSE(pacer.due(12));
  EXPECT_GT(pacer.sleep(12), 0.5);
}

TEST(FramePacer, DrawsAFewFramesAfterInput) {
  FramePacer pacer;
  for (int i = 0; i < 3; ++i)
    pacer.drawn(10);
  pacer.input(20);
  EXPECT_TRUE(pacer.due(20));
  pacer.drawn(20);
  EXPECT_TRUE(pacer.due(20.02));
  pacer.drawn(20.02);
  pacer.drawn(20.04);
  EXPECT_FALSE(pacer.due(20.06));
  EXPECT_TRUE(pacer.due(20.2));  // a tooltip may be due where the pointer rests
}

TEST(FramePacer, NewsIsDrawnFifteenTimesASecond) {
  FramePacer pacer;
  for (int i = 0; i < 3; ++i)
    pacer.drawn(10);
  int frames = 0;
  for (int i = 0; i < 1000; ++i) {
    const double now = 11 + 0.001 * i;
    pacer.update_arrived();
    if (!pacer.due(now)) continue;
    pacer.drawn(now);
    ++frames;
  }
  EXPECT_GE(frames, 13);
  EXPECT_LE(frames, 16);
}

TEST(FramePacer, DrawsOnceAtAnAppointedTime) {
  FramePacer pacer;
  for (int i = 0; i < 3; ++i)
    pacer.drawn(10);
  pacer.draw_at(12);
  EXPECT_FALSE(pacer.due(11.9));
  EXPECT_NEAR(pacer.sleep(11.9), 0.1, 1e-9);
  EXPECT_TRUE(pacer.due(12.01));
  pacer.drawn(12.01);
  EXPECT_FALSE(pacer.due(12.5));
}

TEST(FramePacer, DrawsOnceMoreAfterAFrameOfAnyLength) {
  FramePacer pacer;
  for (int i = 0; i < 3; ++i)
    pacer.drawn(10);
  EXPECT_FALSE(pacer.due(10.5));
  pacer.draw_at(11);  // the frame that begins then takes 2 s
  pacer.drawn(13);
  EXPECT_FALSE(pacer.due(13.1));
  pacer.another_frame();
  EXPECT_TRUE(pacer.due(13.1));
  pacer.drawn(13.2);
  EXPECT_FALSE(pacer.due(13.5));
}

TEST(FramePacer, DrawsAtOnceWhileInputWaits) {
  FramePacer pacer;
  for (int i = 0; i < 3; ++i)
    pacer.drawn(10);
  EXPECT_FALSE(pacer.due(10.001));
  pacer.another_frame_at_once();
  EXPECT_TRUE(pacer.due(10.001));
  EXPECT_EQ(pacer.sleep(10.001), 0);
  pacer.drawn(10.002);
  EXPECT_FALSE(pacer.due(10.003));
}

TEST(Reports, SuccessGoesByItselfAndFailureStays) {
  AppState app;
  PanelState state;
  add_report(app, {.ok = true, .text = "saved"});
  state.painter.now = 100;
  forget_success(app, state);
  EXPECT_TRUE(report_shown(app, state));
  EXPECT_EQ(state.painter.redraw_at, 106);
  state.painter.now = 106;
  forget_success(app, state);
  EXPECT_FALSE(report_shown(app, state));
  add_report(app, {.ok = false, .text = "not saved"});
  forget_success(app, state);
  state.painter.now = 1000;
  forget_success(app, state);
  EXPECT_TRUE(report_shown(app, state));
}

TEST(Reports, AreShownHoweverManyThereWere) {
  AppState app;
  PanelState state;
  for (std::size_t i = 0; i < kReportsKept + 20; ++i) {
    add_report(app, {.ok = true, .text = "saved"});
    state.painter.now += 1;
    forget_success(app, state);
    EXPECT_TRUE(report_shown(app, state)) << i;
    state.painter.now += 10;
    forget_success(app, state);
    EXPECT_FALSE(report_shown(app, state)) << i;
  }
}

TEST(TopBar, NamesThePresentStep) {
  AppState app;
  app.status.head_source = "a head, 100 steps";
  const auto open_head_text = [](const AppState& state) { return open_head_texts(state).front(); };
  EXPECT_EQ(open_head_text(app), "");  // the worker has not reported yet
  app.status.backend = "CPU";
  app.status.step = 100;
  EXPECT_EQ(open_head_text(app), "a head, 100 steps");
  app.status.step = 7;
  app.status.steps_before = 100;
  app.history.resize(7);
  EXPECT_EQ(open_head_text(app), "step 107  ·  a head, 100 steps");  // what tells it apart first
}

TEST(TopBar, LeavesOutWhatMattersLeastFirst) {
  using Texts = std::vector<std::string>;
  AppState app;
  app.status.backend = "CPU";
  app.status.head_source = "a head, seed 1, 100 steps; trained on, Adam starts afresh";
  app.status.step = 7;
  app.status.steps_before = 100;
  app.history.resize(7);
  EXPECT_EQ(open_head_texts(app),
            (Texts{"step 107  ·  a head, seed 1, 100 steps; trained on, Adam starts afresh",
                   "step 107  ·  a head, seed 1, 100 steps; trained on",
                   "step 107  ·  a head, seed 1; trained on", "step 107  ·  a head; trained on"}));
  EXPECT_EQ(source_texts("head, 7.safetensors; trained on, Adam starts afresh"),
            (Texts{"head, 7.safetensors; trained on, Adam starts afresh",
                   "head, 7.safetensors; trained on"}));
  EXPECT_EQ(source_texts("new run, seed 2, 100 steps"), Texts{"new run, seed 2, 100 steps"});
}

TEST(ExportDialog, SaysARefusalOnce) {
  ExportState exporting;
  exporting.notice = "no file can have this width";
  EXPECT_EQ(export_notice_text(exporting), "No file can have this width");
  exporting.preview.error = exporting.notice;
  EXPECT_EQ(export_notice_text(exporting), "");
}

TEST(ExperimentNote, NamesTheHeadBeforeUntilTheNewOneIsThere) {
  ExperimentState experiment;
  EXPECT_EQ(experiment_note(experiment), "");
  experiment.of_other_run = true;
  EXPECT_EQ(experiment_note(experiment), "of the head before");
  experiment.asked = 2;
  experiment.update.phase = ExperimentPhase::kRunning;
  experiment.update.share = 0.25;
  EXPECT_EQ(experiment_note(experiment), "of the head before; 25 %");
  experiment.of_other_run = false;
  EXPECT_EQ(experiment_note(experiment), "25 %");
}

TEST(UiScale, IsClampedAndStepsBothWays) {
  EXPECT_FLOAT_EQ(ui_scale(1, 1, false), 1);
  EXPECT_FLOAT_EQ(ui_scale(2, 1.25F, false), 2.5F);
  EXPECT_FLOAT_EQ(ui_scale(1, 1, true), kProjectorZoom);
  EXPECT_FLOAT_EQ(ui_scale(3, 3, true), 4);
  float zoom = kSmallestZoom;
  for (int i = 0; i < 40; ++i)
    zoom = next_zoom(zoom, 1);
  EXPECT_FLOAT_EQ(zoom, kLargestZoom);
  for (int i = 0; i < 40; ++i)
    zoom = next_zoom(zoom, -1);
  EXPECT_FLOAT_EQ(zoom, kSmallestZoom);
  EXPECT_FLOAT_EQ(next_zoom(next_zoom(1, 1), -1), 1);
}

TEST(Decimate, KeepsExtremesAndCountsWhatIsNotFinite) {
  std::vector<StepRecord> records(1000);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].step = static_cast<std::int64_t>(i) + 1;
    records[i].cross_entropy = 1;
  }
  records[123].cross_entropy = 9;
  records[700].cross_entropy = -4;
  records[500].cross_entropy = std::numeric_limits<float>::quiet_NaN();
  const Decimated result = decimate(records, 10, [](const StepRecord& record) {
    return static_cast<double>(record.cross_entropy);
  });
  ASSERT_EQ(result.x.size(), 10U);
  EXPECT_EQ(result.high[1], 9);
  EXPECT_EQ(result.low[7], -4);
  EXPECT_EQ(result.not_finite, 1U);
  EXPECT_EQ(result.mean[0], 1);
  EXPECT_TRUE(decimate({}, 10, [](const StepRecord&) { return 0.0; }).x.empty());
}

// 28 steps behind 100,000 were 28 points in one column of pixels, which had no marks.
TEST(Decimate, ARunOfFewStepsBesideManyIsOnePoint) {
  std::vector<StepRecord> records(28);
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i].step = static_cast<std::int64_t>(i) + 1;
  Axis axis;
  axis.high = 101'000;
  EXPECT_EQ(taken_buckets(records, axis, 150), 1U);
  axis.high = 54;
  EXPECT_EQ(taken_buckets(records, axis, 150), 75U);
  axis.high = 27;
  EXPECT_EQ(taken_buckets(records, axis, 150), 150U);
  axis.high = 20;  // a part of them
  EXPECT_EQ(taken_buckets(records, axis, 150), 150U);
  EXPECT_EQ(taken_buckets({}, axis, 150), 150U);
}

TEST(Numbers, ReadOnlyWhatIsOne) {
  EXPECT_EQ(read_number(" 0.05 ", false).value, 0.05);
  for (const char* text : {"", "x", "nan", "inf", "1e999", "0x10", "1 2"})
    EXPECT_FALSE(read_number(text, false).value) << text;
  EXPECT_EQ(plain_number(100000.0), "100000");
  EXPECT_EQ(plain_number(0.1F), "0.1");
  EXPECT_EQ(read_number(plain_number(1.0 / 3), false).value, 1.0 / 3);
}

TEST(Numbers, CountsAreInGroups) {
  EXPECT_EQ(entry_text(100'000, true), "100\u2009000");
  EXPECT_EQ(read_number(entry_text(100'000, true), true).value, 100'000);
  EXPECT_EQ(entry_text(1'234'567'890, false), "1234567890");
  EXPECT_EQ(entry_text(1000.5, true), "1000.5");
  EXPECT_EQ(entry_text(1e300, true), plain_number(1e300));
}

TEST(Subtitle, IsCutByWholeParts) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(subtitle_parts("nats against n, mean of 8, 95 %"),
            (Parts{"nats against n, mean of 8, 95 %", "nats against n, mean of 8", "nats against n",
                   "nats"}));
  EXPECT_EQ(subtitle_parts("{a, b, ...}, no residual; 16 points, 0 to rounding, not shown"),
            (Parts{"{a, b, ...}, no residual; 16 points, 0 to rounding, not shown",
                   "{a, b, ...}; 16 points, 0 to rounding, not shown", "{a, b, ...}, no residual",
                   "{a, b, ...}"}));
  EXPECT_EQ(subtitle_parts("32 sets, θ = 1"), (Parts{"32 sets, θ = 1", "32 sets"}));
  EXPECT_EQ(subtitle_parts("on 128 sets, log scale"),
            (Parts{"on 128 sets, log scale", "on 128 sets"}));
  EXPECT_EQ(subtitle_parts("% of each batch"), (Parts{"% of each batch", "%"}));
  // What the numbers are of is told before a note, the unit alone is not.
  EXPECT_EQ(
      subtitle_parts("% of 8 sets, against n; fewer while it trains"),
      (Parts{"% of 8 sets, against n; fewer while it trains", "% of 8 sets; fewer while it trains",
             "% of 8 sets, against n", "% of 8 sets", "%; fewer while it trains", "%"}));
  EXPECT_EQ(subtitle_parts(""), Parts{""});
  EXPECT_EQ(least_subtitle("% of 8 sets, against n; fewer while it trains"), "% of 8 sets");
  EXPECT_EQ(least_subtitle("{a, b, ...}; 16 points"), "{a, b, ...}");
  EXPECT_EQ(least_subtitle("of each batch"), "of each batch");
}

TEST(HeatmapLabels, LeaveOutWhatWouldTouch) {
  using Frames = std::vector<bool>;
  const std::vector<float> narrow(5, 20);
  const std::vector<float> wide(5, 40);
  EXPECT_EQ(labelled_frames(narrow, 30, 33, 5, 2), Frames(5, true));
  EXPECT_EQ(labelled_frames(wide, 30, 33, 5, -1), (Frames{true, false, true, false, true}));
  // What is kept stands in place of its neighbours.
  EXPECT_EQ(labelled_frames(wide, 30, 33, 5, 2), (Frames{true, false, true, false, true}));
  EXPECT_EQ(labelled_frames(wide, 30, 33, 5, 1), (Frames{false, true, false, false, true}));
  // The last label ends with its frame, and so reaches towards the one before.
  EXPECT_EQ(labelled_frames(std::vector<float>{20, 20, 36}, 30, 33, 5, -1),
            (Frames{true, true, true}));
  EXPECT_EQ(labelled_frames(std::vector<float>{20, 20, 40}, 30, 33, 5, -1),
            (Frames{true, false, true}));
  EXPECT_EQ(labelled_frames({}, 30, 33, 5, -1), Frames());
}

TEST(Layout, GoesFromThreeColumnsToASentence) {
  EXPECT_EQ(arrangement(1600, 1000), Arrangement::kWide);
  EXPECT_EQ(arrangement(1280 / kProjectorZoom, 720 / kProjectorZoom), Arrangement::kMedium);
  EXPECT_EQ(arrangement(1280 / 3.0F, 720 / 3.0F), Arrangement::kSmall);
  EXPECT_EQ(arrangement(200, 120), Arrangement::kTooSmall);
}

TEST(TablePanel, BoldStaysBoldInSmallType) {
  const TableCell bold = {.text = "97.9", .strong = true};
  EXPECT_EQ(cell_style(bold, true), TextStyle::kSmallStrong);
  EXPECT_NE(cell_style(bold, true), cell_style({.text = "97.9"}, true));
  EXPECT_NE(cell_style(bold, false), cell_style({.text = "97.9"}, false));
}

TEST(Heatmaps, SayHowOldTheyAre) {
  AppState app;
  EXPECT_EQ(maps_age_text(app), "");
  ViewSnapshot snapshot;
  snapshot.sizes = {16, 32, 64, 128};
  snapshot.frame_step = {1000, 1000, 1000, -1};  // the last is not there yet
  snapshot.frame_run = {2, 2, 2, 0};
  app.status.run = 2;
  app.status.step = 1000;
  app.status.steps_per_second = 100;
  app.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_EQ(maps_age_text(app), "");
  app.status.step = 2000;
  snapshot.frame_step = {2000, 1990, 700, -1};
  app.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_EQ(maps_age_text(app), "1 of 4 maps is of step 700");
  snapshot.frame_step = {2000, 300, 700, -1};
  app.snapshot = std::make_shared<const ViewSnapshot>(snapshot);
  EXPECT_EQ(maps_age_text(app), "2 of 4 maps are of older steps, from step 300 on");
  app.status.run = 3;
  EXPECT_EQ(maps_age_text(app), "3 of 4 maps are of the head before");
}

}  // namespace
}  // namespace dispersion
