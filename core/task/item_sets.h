#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/task/draws.h"

namespace dispersion {

inline constexpr int kClasses = 10;  // C of appendix A

// Sets of one common size, seen but not owned.
struct ItemSetsView {
  int sets = 0;
  int items = 0;
  const float* priority = nullptr;           // rho, [sets, items]
  const std::uint8_t* item_class = nullptr;  // kappa in 0 .. C-1, [sets, items]
  const float* query = nullptr;              // q, [sets]
  const std::int32_t* label = nullptr;       // [sets]

  // Sets first .. first+count-1.
  ItemSetsView slice(int first, int count) const;
};

// Sets of one common size (appendix A, "Data Generation").
struct ItemSets {
  int sets = 0;
  int items = 0;
  std::vector<float> priority;           // [sets, items]
  std::vector<std::uint8_t> item_class;  // [sets, items]
  std::vector<float> query;              // [sets]
  std::vector<std::int32_t> label;       // [sets]: class of the first largest priority

  ItemSetsView view() const;
  // Keeps the memory when it is large enough.
  void resize(int set_count, int item_count);
};

// Index of the first largest value; values.size() >= 1.
int first_largest(std::span<const float> values);

// The sets first_set .. first_set + sets.sets - 1 of a stream: rho ~ U[0,1) on 24 bits, kappa ~
// U{0..9}, q ~ U[0,1), label = class of the first largest priority. A set depends on (seed,
// purpose, step, its own number) alone, never on its neighbours.
void draw_item_sets(std::uint32_t seed, RandomPurpose purpose, std::uint32_t step,
                    std::uint32_t first_set, ItemSets& sets);

// The common size of a training batch: n ~ U{smallest, ..., largest}.
int draw_batch_size(std::uint32_t seed, std::uint32_t step, int smallest, int largest);

}  // namespace dispersion
