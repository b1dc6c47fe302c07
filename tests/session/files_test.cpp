#include <fstream>

#include "app/session/run_status.h"
#include "core/io/checkpoint.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

TEST_F(SessionTest, WhatWasSavedGoesOnBitForBit) {
  const std::filesystem::path path = folder_ / "run ü.safetensors";
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 40});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 40));
  session.send(SaveCommand{path});
  session.send(PlayCommand{.stop_at = 70});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 70));
  const std::string hash = status_.run_hash;
  ASSERT_EQ(reports_.size(), 1u);
  EXPECT_TRUE(reports_[0].ok) << reports_[0].text;

  session.send(OpenCommand{path});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 40));
  EXPECT_NE(status_.head_source.find("step 40"), std::string::npos) << status_.head_source;
  session.send(PlayCommand{.stop_at = 70});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 70));
  EXPECT_EQ(status_.run_hash, hash);
  session.send(RewindCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 40));
}

TEST_F(SessionTest, AFileWithoutMomentsIsOpenedAsSuch) {
  const std::filesystem::path path = folder_ / "head.safetensors";
  save_checkpoint(path, weights_only(5000));
  Session& session = open(weights_with_moments(3));
  session.send(OpenCommand{path});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 5000));
  EXPECT_NE(status_.head_source.find("weights only"), std::string::npos) << status_.head_source;
  session.send(StepCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 1));
  EXPECT_NE(status_.head_source.find("Adam starts afresh"), std::string::npos)
      << status_.head_source;
}

// Saved and opened again, the steps of its earlier training count as before.
TEST_F(SessionTest, AHeadThatWasTrainedOnKeepsItsCount) {
  const std::filesystem::path path = folder_ / "head.safetensors";
  Session& session = open(weights_only(5000));
  session.send(PlayCommand{.stop_at = 5030});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 30));
  session.send(SaveCommand{path});
  ASSERT_TRUE(arrives([&] { return !reports_.empty(); }));
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  session.send(OpenCommand{path});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 30));
  EXPECT_EQ(step_text(status_), "5\u2009030");
  EXPECT_EQ(status_.head_source, "head.safetensors, seed 1, step 5\u2009030");
  // A program that begins with that file counts on too.
  open(load_checkpoint(path));
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 30));
  EXPECT_EQ(step_text(status_), "5\u2009030");
}

TEST_F(SessionTest, ABareHeadClaimsNoRunUntilItIsTrained) {
  const std::filesystem::path path = folder_ / "head.safetensors";
  Checkpoint bare = weights_only(0);
  bare.has_run = false;
  save_checkpoint(path, bare);
  Session& session = open(weights_with_moments(3));
  session.send(OpenCommand{path});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 0));
  ASSERT_TRUE(arrives([&] { return !status_.has_run; }));
  EXPECT_EQ(status_.head_source, "head.safetensors, weights only: seed, step and recipe unknown");
  session.send(StepCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 1));
  EXPECT_TRUE(status_.has_run);
}

TEST_F(SessionTest, AFailedOpenLeavesTheRunAsItIs) {
  const std::filesystem::path foreign = folder_ / "foreign.safetensors";
  std::ofstream(foreign) << "this is no checkpoint";
  Session& session = open(weights_with_moments(3));
  session.send(PlayCommand{.stop_at = 10});
  ASSERT_TRUE(arrives_at(RunPhase::kFinished, 10));
  const RunStatus before = status_;
  session.send(OpenCommand{folder_ / "missing.safetensors"});
  session.send(OpenCommand{foreign});
  session.send(OpenCommand{folder_});
  Checkpoint huge = weights_only(5000);
  std::ranges::fill(huge.state.parameters.values, 3e38f);
  save_checkpoint(folder_ / "huge.safetensors", huge);
  session.send(OpenCommand{folder_ / "huge.safetensors"});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 4; }));
  for (const Report& report : reports_)
    EXPECT_FALSE(report.ok);
  EXPECT_NE(reports_[0].text.find("missing.safetensors"), std::string::npos) << reports_[0].text;
  EXPECT_NE(reports_[1].text.find("foreign.safetensors"), std::string::npos) << reports_[1].text;
  EXPECT_NE(reports_[3].text.find("huge.safetensors: gives attention that is not finite"),
            std::string::npos)
      << reports_[3].text;
  EXPECT_EQ(status_.run_hash, before.run_hash);
  EXPECT_EQ(status_.run, before.run);
  EXPECT_EQ(status_.head_source, before.head_source);
  session.send(StepCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 11));
}

TEST_F(SessionTest, AFailedSaveSaysWhere) {
  Session& session = open(weights_with_moments(3));
  session.send(SaveCommand{folder_ / "no such folder" / "run.safetensors"});
  ASSERT_TRUE(arrives([&] { return reports_.size() == 1; }));
  EXPECT_FALSE(reports_[0].ok);
  EXPECT_NE(reports_[0].text.find("no such folder"), std::string::npos) << reports_[0].text;
  session.send(StepCommand{});
  ASSERT_TRUE(arrives_at(RunPhase::kPaused, 1));
}

}  // namespace
}  // namespace dispersion
