// The first steps of a shipped head's training, again: the same bits as when the heads were made.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/math/product.h"

namespace dispersion {
namespace {

// Run hashes of seed 1 after 200 steps of the default recipe, by instruction set and product
// library: both decide in which order products are summed. On others only nearness is asked.
const std::map<std::string, std::string> kHashes = {
    {"AVX-512 oneDNN 2.6.3", "3fbd41f0e542502f"},
};

constexpr int kSteps = 200;
// The readout's kernel after those steps, in AVX-512: its norm and one of its numbers.
constexpr double kNorm = 3.62860;
constexpr double kNumber = -0.037999;

TrainingState retrained() {
  const auto backend = make_cpu_backend(2);
  backend->load(Recipe(), {start_training({}, 1)});
  std::vector<StepRecord> records;
  backend->train(kSteps, records);
  return backend->state(0);
}

TEST(Retraining, GivesTheBitsStoredForThisInstructionSet) {
  const TrainingState state = retrained();
  double squares = 0;
  for (const float w : state.parameters.tensor(TensorId::kReadout1Kernel))
    squares += static_cast<double>(w) * static_cast<double>(w);
  const double number = static_cast<double>(state.parameters.tensor(TensorId::kReadout1Kernel)[77]);
  // Any right implementation comes this near after so few steps.
  EXPECT_NEAR(std::sqrt(squares), kNorm, 1e-4 * kNorm);
  EXPECT_NEAR(number, kNumber, 1e-4);
  const auto stored = kHashes.find(cpu_instruction_set() + " " + std::string(product_library()));
  if (stored == kHashes.end()) return;
  EXPECT_EQ(run_hash(Recipe(), state), stored->second);
}

TEST(Retraining, ShippedHeadsAreOfTheDefaultRecipeAtItsFullLength) {
  for (int seed = 1; seed <= 10; ++seed) {
    const Checkpoint head = load_checkpoint(std::string(DISPERSION_HEADS_DIR) + "/seed" +
                                            std::to_string(seed) + ".safetensors");
    EXPECT_EQ(head.recipe, Recipe());
    EXPECT_EQ(head.state.seed, static_cast<std::uint32_t>(seed));
    EXPECT_EQ(head.state.step, 100'000);
    EXPECT_FALSE(head.has_moments);
  }
}

}  // namespace
}  // namespace dispersion
