// Tensors that an attention transform learns along with the head: they lie behind the twenty that
// every head has, and change nothing in those.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/io/file.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

constexpr LearnedTensor kLearned[] = {
    {.name = "attention.scale", .rows = 1, .columns = 1, .start = 0.43f},
    {.name = "attention.gate.kernel", .rows = 2, .columns = 3, .start = -1}};
constexpr HeadShape kPlain = {4, 10};
constexpr HeadShape kWithLearned = {4, 10, kLearned};

// Softmax, as if it learned something.
TransformDefinition learning_transform() {
  TransformDefinition definition = transform_definition(TransformId::kSoftmax);
  definition.id = TransformId{999};
  definition.learned = kLearned;
  return definition;
}

TEST(LearnedTensors, FollowTheTwenty) {
  const ParameterLayout plain = parameter_layout(kPlain);
  const ParameterLayout layout = parameter_layout(kWithLearned);
  ASSERT_EQ(plain.size(), 20u);
  ASSERT_EQ(layout.size(), 22u);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(layout[i].name, plain[i].name);
    EXPECT_EQ(layout[i].offset, plain[i].offset);
  }
  EXPECT_EQ(layout[20].name, "attention.scale");
  EXPECT_EQ(layout[20].offset, parameter_count(kPlain));
  EXPECT_EQ(layout[21].offset, parameter_count(kPlain) + 1);
  EXPECT_FALSE(layout[20].is_kernel || layout[21].is_kernel);  // no L2 on them by default
  EXPECT_EQ(parameter_count(kWithLearned), parameter_count(kPlain) + 7);
}

TEST(LearnedTensors, BeginAtTheirStartAndLeaveTheOthersAsTheyAre) {
  const Parameters<float> plain = initial_parameters(kPlain, 3);
  const Parameters<float> head = initial_parameters(kWithLearned, 3);
  EXPECT_TRUE(std::equal(plain.values.begin(), plain.values.end(), head.values.begin()));
  const std::vector<float> learned(head.learned().values.begin(), head.learned().values.end());
  EXPECT_EQ(learned, (std::vector<float>{0.43f, -1, -1, -1, -1, -1, -1}));
  EXPECT_TRUE(plain.learned().values.empty());
  EXPECT_FALSE(kPlain == kWithLearned);
}

// Plain softmax uses none of them, so that they stay and the rest trains to the same bits.
TEST(LearnedTensors, AreNotMovedByATransformThatHasNone) {
  for (const Precision precision : {Precision::kFloat, Precision::kBf16}) {
    Recipe recipe;
    recipe.path = HeadPath::kDirect;
    recipe.precision = precision;
    recipe.batch_sets = 8;
    std::array<TrainingState, 2> states = {start_training(kPlain, 3),
                                           start_training(kWithLearned, 3)};
    for (TrainingState& state : states) {
      const auto backend = make_cpu_backend(1);
      backend->load(recipe, {state});
      std::vector<StepRecord> records;
      backend->train(5, records);
      state = backend->state(0);
    }
    const std::vector<float>& plain = states[0].parameters.values;
    EXPECT_TRUE(
        std::ranges::equal(plain, std::span(states[1].parameters.values).first(plain.size())));
    EXPECT_EQ(states[1].parameters.learned().values[0], 0.43f);
    EXPECT_EQ(states[1].first_moment.learned().values[0], 0);
  }
}

TEST(LearnedTensors, StayInACheckpoint) {
  const TemporaryFolder folder;
  Checkpoint checkpoint;
  checkpoint.state = start_training(kWithLearned, 7);
  checkpoint.state.parameters.learned_values()[0] = 0.5f;
  checkpoint.state.first_moment.learned_values()[6] = 0.25f;
  save_checkpoint(folder / "head", checkpoint);
  const TensorFile file = TensorFile::read(folder / "head");
  EXPECT_EQ(file.tensor("attention.gate.kernel").shape, (std::vector<std::int64_t>{2, 3}));
  const TransformDefinition learning = learning_transform();
  const std::array<const TransformDefinition*, 1> transforms = {&learning};
  const Checkpoint read = checkpoint_from(file, transforms);
  EXPECT_EQ(read.state.parameters, checkpoint.state.parameters);
  EXPECT_EQ(read.state.first_moment, checkpoint.state.first_moment);
  EXPECT_EQ(run_hash(read.recipe, read.state), run_hash(checkpoint.recipe, checkpoint.state));
}

TEST(LearnedTensors, OfATransformThatNobodyKnowsAreRefused) {
  const TemporaryFolder folder;
  Checkpoint checkpoint;
  checkpoint.state = start_training(kWithLearned, 7);
  save_checkpoint(folder / "head", checkpoint);
  try {
    load_checkpoint(folder / "head");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("attention.gate.kernel' does not belong to a head"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace dispersion
