#include "core/head/training_state.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/io/text.h"

namespace dispersion {
namespace {

// FNV-1a over 32-bit words.
class Fnv {
 public:
  void add(std::uint32_t word) {
    hash_ ^= word;
    hash_ *= 0x100000001b3u;
  }
  void add(std::uint64_t words) {
    add(static_cast<std::uint32_t>(words));
    add(static_cast<std::uint32_t>(words >> 32));
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

  std::string hexadecimal() const { return hex_digits(hash_, 16); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

// A sum of x * 0 is 0, unless some x is not finite; unlike a test of each x, it is vectorised.
bool is_finite(const Parameters<float>& numbers) {
  constexpr std::size_t kLanes = 16;
  float nothing[kLanes] = {};
  const std::size_t count = numbers.values.size();
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l)
      nothing[l] = std::fma(numbers.values[i + l], 0.0f, nothing[l]);
  }
  for (; i < count; ++i)
    nothing[0] = std::fma(numbers.values[i], 0.0f, nothing[0]);
  return std::ranges::all_of(nothing, [](float n) { return n == 0.0f; });
}

}  // namespace

void require_group(std::span<const TrainingState> heads) {
  if (heads.empty()) throw std::invalid_argument("a group needs at least one head");
  for (const TrainingState& head : heads) {
    if (head.parameters.shape != heads.front().parameters.shape)
      throw std::invalid_argument("the heads of a group must have one shape");
  }
}

TrainingState start_training(HeadShape shape, std::uint32_t seed) {
  return start_training_from(initial_parameters(shape, seed), seed);
}

TrainingState start_training_from(Parameters<float> parameters, std::uint32_t seed) {
  TrainingState state;
  state.seed = seed;
  state.most_item_points = kMostTrainingItemPoints;
  state.first_moment = Parameters<float>(parameters.shape);
  state.second_moment = Parameters<float>(parameters.shape);
  state.parameters = std::move(parameters);
  return state;
}

bool is_finite(const TrainingState& state) {
  return is_finite(state.parameters) && is_finite(state.first_moment) &&
         is_finite(state.second_moment);
}

std::string run_hash(const Recipe& recipe, const TrainingState& state) {
  Fnv hash;
  hash.add(static_cast<std::uint32_t>(recipe.l2));
  hash.add(recipe.l2_lambda);
  hash.add(recipe.learning_rate);
  hash.add(recipe.adam_beta1);
  hash.add(recipe.adam_beta2);
  hash.add(recipe.adam_epsilon);
  hash.add(static_cast<std::uint32_t>(recipe.batch_sets));
  hash.add(static_cast<std::uint32_t>(recipe.smallest_set));
  hash.add(static_cast<std::uint32_t>(recipe.largest_set));
  hash.add(static_cast<std::uint32_t>(recipe.path));
  hash.add(static_cast<std::uint32_t>(recipe.precision));
  hash.add(state.seed);
  hash.add(static_cast<std::uint64_t>(state.step));
  hash.add(static_cast<std::uint32_t>(state.item_points));
  hash.add(static_cast<std::uint32_t>(state.query_points));
  for (const float value : state.parameters.values)
    hash.add(std::bit_cast<std::uint32_t>(value));
  return hash.hexadecimal();
}

}  // namespace dispersion
