#include "app/session/view_schedule.h"
#include "core/attention/transforms.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

const std::vector<int> kSizes = {16, 64, 2048};

TEST_F(SessionTest, AViewIsCompletedAndCarriesItsRevision) {
  open(weights_only(500)).request(request(7, kSizes));
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
  EXPECT_EQ(view_->revision, 7u);
  EXPECT_EQ(view_->sizes, kSizes);
  EXPECT_EQ(view_->step, 500);
  ASSERT_EQ(view_->rows.size(), 2 * kSizes.size());
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    EXPECT_EQ(view_->frame_step[i], 500);
    EXPECT_EQ(view_->row_step[i], 500);
    ASSERT_TRUE(view_->logits[i]);
    EXPECT_EQ(view_->logits[i]->items, kSizes[i]);
    EXPECT_EQ(view_->transforms[0].frames[i].transform.id, TransformId::kSoftmax);
    EXPECT_EQ(view_->transforms[1].frames[i].transform.id, TransformId::kAdaptive);
    EXPECT_EQ(view_->rows[2 * i].transform.id, TransformId::kSoftmax);
    EXPECT_EQ(view_->rows[2 * i + 1].transform.id, TransformId::kAdaptive);
    EXPECT_EQ(view_->rows[2 * i + 1].items, kSizes[i]);
    EXPECT_GE(view_->rows[2 * i].sets, 32);
  }
}

TEST_F(SessionTest, RowsSharpenWhileNothingTrains) {
  open(weights_with_moments(1)).request(request(1, kSizes));
  ASSERT_TRUE(arrives([&] {
    return view_ && view_->complete && view_->rows.front().sets == kMostRowSets &&
           view_->rows.back().sets == kMostRowSets;
  }));
  // The same as counting them at once.
  FakeBackend backend(std::make_shared<FakeControl>());
  const ViewRequest asked = request(1, kSizes);
  const std::vector<SizeRow> rows = evaluate_sizes(backend, small_state(1).parameters, 1, kSizes,
                                                   kMostRowSets, asked.transforms, {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(view_->rows[i].correct, rows[i].correct);
    EXPECT_EQ(view_->rows[i].entropy_sum, rows[i].entropy_sum);
    EXPECT_EQ(view_->rows[i].theta_sum, rows[i].theta_sum);
  }
}

TEST_F(SessionTest, WhatIsHiddenIsNotSharpened) {
  ViewRequest hidden = request(1, kSizes);
  hidden.visible = false;
  Session& session = open(weights_with_moments(1));
  session.request(hidden);
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
  ASSERT_TRUE(commands_are_done());
  for (const SizeRow& row : view_->rows)
    EXPECT_EQ(row.sets, 32);
  session.request(request(2, kSizes));
  ASSERT_TRUE(arrives([&] { return view_->rows.back().sets == kMostRowSets; }));
}

TEST_F(SessionTest, ANewThetaIsAnsweredWithoutAForwardPass) {
  Session& session = open(weights_with_moments(1));
  session.request(request(1, kSizes));
  ASSERT_TRUE(
      arrives([&] { return view_ && view_->complete && view_->rows.back().sets == kMostRowSets; }));
  // From here on a forward pass fails, and pictures must come all the same.
  control_->throw_in_evaluation = true;
  const auto before = view_;
  ViewRequest colder = request(2, kSizes);
  for (AttentionTransform& transform : colder.transforms)
    transform.theta = 0.1;
  session.request(colder);
  ASSERT_TRUE(arrives([&] { return view_->revision == 2; }));
  EXPECT_FALSE(view_->complete);
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    EXPECT_EQ(view_->logits[i], before->logits[i]);
    EXPECT_EQ(view_->transforms[0].frames[i].transform.theta, 0.1);
    EXPECT_LT(view_->transforms[0].frames[i].mean_entropy,
              before->transforms[0].frames[i].mean_entropy);
    EXPECT_EQ(view_->transforms[1].frames[i].transform, colder.transforms[1]);
    EXPECT_EQ(view_->row_step[i], -1);
  }
  control_->throw_in_evaluation = false;
  colder.revision = 3;
  session.request(colder);
  ASSERT_TRUE(arrives([&] { return view_->revision == 3 && view_->complete; }));
}

// What is added is computed from the logits that are there, and counted with the rest.
TEST_F(SessionTest, ShowsTheTransformsThatAreAskedFor) {
  Session& session = open(weights_with_moments(1));
  session.request(request(1, kSizes));
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
  ViewRequest more = request(2, kSizes);
  more.transforms.clear();
  for (const TransformDefinition* definition : transform_definitions())
    more.transforms.push_back(usual_transform(definition->id));
  session.request(more);
  ASSERT_TRUE(arrives([&] { return view_->revision == 2 && view_->complete; }));
  ASSERT_EQ(view_->transforms.size(), more.transforms.size());
  ASSERT_EQ(view_->rows.size(), more.transforms.size() * kSizes.size());
  for (std::size_t t = 0; t < more.transforms.size(); ++t) {
    EXPECT_EQ(view_->transforms[t].transform, more.transforms[t]);
    ASSERT_EQ(view_->transforms[t].frames.size(), kSizes.size());
    EXPECT_EQ(view_->transforms[t].frames.back().transform, more.transforms[t]);
    EXPECT_EQ(view_->rows[t].transform, more.transforms[t]);
    EXPECT_GE(view_->rows[t].sets, 32);
  }
  EXPECT_EQ(status_.transforms_note, "");  // the fake takes them all
}

// Nothing is shown in its place, and what was shown before stays.
TEST_F(SessionTest, RefusesATransformThatNobodyKnows) {
  Session& session = open(weights_with_moments(1));
  session.request(request(1, kSizes));
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
  ViewRequest unknown = request(2, kSizes);
  unknown.transforms.push_back({static_cast<TransformId>(99), 1, {}});
  session.request(unknown);
  ASSERT_TRUE(arrives([&] { return !reports_.empty(); }));
  EXPECT_FALSE(reports_.back().ok);
  EXPECT_EQ(reports_.back().text, "there is no attention transform 99");
  session.request(request(3, kSizes));
  ASSERT_TRUE(arrives([&] { return view_->revision == 3 && view_->complete; }));
  EXPECT_EQ(view_->transforms.size(), 2U);
}

TEST_F(SessionTest, OnlyTheNewestRequestCounts) {
  Session& session = open(weights_with_moments(1));
  for (std::uint64_t revision = 1; revision <= 500; ++revision) {
    ViewRequest next = request(revision, kSizes);
    for (AttentionTransform& transform : next.transforms)
      transform.theta = 0.05 + 0.01 * static_cast<double>(revision);
    session.request(next);
  }
  ASSERT_TRUE(arrives([&] { return view_ && view_->revision == 500 && view_->complete; }));
  EXPECT_DOUBLE_EQ(view_->transforms[0].frames[0].transform.theta, 0.05 + 5.0);
}

TEST_F(SessionTest, FramesFollowTheTraining) {
  control_->microseconds_per_step = 300;
  Session& session = open(weights_with_moments(1));
  session.request(request(1, kSizes));
  session.send(PlayCommand{.stop_at = 1'000'000});
  ASSERT_TRUE(arrives([&] {
    return view_ && view_->frame_step.front() > 50 && view_->frame_step.back() > 50 &&
           view_->row_step.back() > 50;
  }));
  EXPECT_LE(view_->frame_step.front(), view_->step);
  session.send(PauseCommand{});
  ASSERT_TRUE(arrives([&] {
    return status_.phase == RunPhase::kPaused && view_->complete && view_->step == status_.step;
  }));
  for (const std::int64_t step : view_->frame_step)
    EXPECT_EQ(step, status_.step);
}

TEST_F(SessionTest, AnotherHeadMakesThePictureIncompleteUntilItIsShown) {
  Session& session = open(weights_with_moments(1));
  session.request(request(1, kSizes));
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
  const float before = view_->logits[0]->logits[0];
  session.send(NewRunCommand{.recipe = {}, .seed = 5});
  ASSERT_TRUE(arrives([&] {
    return status_.seed == 5 && view_->complete && view_->logits[0]->logits[0] != before;
  }));
}

TEST_F(SessionTest, OtherSizesAndSetsAreComputedAnew) {
  Session& session = open(weights_with_moments(1));
  session.request(request(1, kSizes));
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
  const auto before = view_;
  session.request(request(2, {8, 64, 0, -3}));
  ASSERT_TRUE(arrives([&] { return view_->revision == 2 && view_->complete; }));
  EXPECT_EQ(view_->sizes, (std::vector<int>{8, 64}));
  EXPECT_EQ(view_->logits[1], before->logits[1]);
  ViewRequest other_sets = request(3, {64});
  other_sets.set_seed = 2;
  session.request(other_sets);
  ASSERT_TRUE(arrives([&] { return view_->revision == 3 && view_->complete; }));
  EXPECT_NE(view_->logits[0]->shown_priority, before->logits[1]->shown_priority);
}

TEST_F(SessionTest, APictureThatCannotBeComputedPausesTheTraining) {
  control_->microseconds_per_step = 100;
  control_->throw_in_evaluation = true;
  Session& session = open(weights_with_moments(1));
  session.request(request(1, kSizes));
  session.send(PlayCommand{.stop_at = 1'000'000});
  ASSERT_TRUE(arrives([&] { return status_.notice.find("sees nothing") != std::string::npos; }));
  control_->throw_in_evaluation = false;
  session.send(PauseCommand{});
  ASSERT_TRUE(arrives([&] { return view_ && view_->complete; }));
}

TEST_F(SessionTest, NothingIsComputedWhenThereIsNothingToDo) {
  Session& session = open(weights_with_moments(1));
  session.request(request(1, {16}));
  ASSERT_TRUE(arrives([&] { return view_ && view_->rows.front().sets == kMostRowSets; }));
  ASSERT_TRUE(commands_are_done());
  const int passes = control_->forward_passes;
  const int wakes = wakes_;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(control_->forward_passes, passes);
  EXPECT_EQ(wakes_, wakes);
}

}  // namespace
}  // namespace dispersion
