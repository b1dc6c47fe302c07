#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/head/parameters.h"
#include "core/head/recipe.h"
#include "core/spectral/points.h"

namespace dispersion {

// All that a run needs to go on bit for bit: the batches follow from (seed, step).
struct TrainingState {
  std::uint32_t seed = 1;
  std::int64_t step = 0;  // steps done
  // Chebyshev points of the spectral path, per class and for the query; 0: not chosen yet, or too
  // few would do and the head takes the direct path. Chosen at fixed steps.
  int item_points = 0;
  int query_points = 0;
  Parameters<float> parameters;
  Parameters<float> first_moment;   // Adam's m
  Parameters<float> second_moment;  // Adam's v
  // The most points that an item may get: kMostTrainingItemPoints, or kMostItemPoints in runs that
  // were begun with that limit.
  int most_item_points = kMostItemPoints;
};

// Fresh parameters for the seed, zero moments, step 0, and the limits of runs that begin now.
TrainingState start_training(HeadShape shape, std::uint32_t seed);

// Goes on from given weights with zero moments at step 0.
TrainingState start_training_from(Parameters<float> parameters, std::uint32_t seed);

// Throws std::invalid_argument unless the heads can be trained together: at least one, all of one
// shape.
void require_group(std::span<const TrainingState> heads);

// Whether all weights and moments are finite, so that the state can be saved.
bool is_finite(const TrainingState& state);

// 64-bit FNV-1a (word by word) over the recipe, seed, step, points and the bits of every parameter,
// as 16 hexadecimal digits: equal hashes mean equal runs.
std::string run_hash(const Recipe& recipe, const TrainingState& state);

}  // namespace dispersion
