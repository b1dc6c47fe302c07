#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/experiment/size_table.h"

namespace dispersion {

// Table 1: the accuracy of several heads at growing sizes, under several transforms on the same
// sets. A run is plain data that is filled in size by size and head by head, in batches. The result
// depends neither on the number of threads nor on where a run was stopped and went on later.

struct TableHead {
  std::uint32_t seed = 1;
  Parameters<float> parameters;
  bool seed_known = true;  // false: `seed` is that of its sets alone
};

// Plain softmax, adaptive temperature with the paper's rule, hard attention.
std::vector<AttentionTransform> table_transforms();

// How many sets each head gets at each size: the smallest power of two, at least 1,024, for which a
// share pooled over the heads has a 95 % binomial interval of half a percentage point at most to
// either side. The interval is that of a share of 1/2, where it is widest.
std::int64_t default_table_sets(int heads);

struct TableSettings {
  std::vector<int> sizes = doubling_sizes();
  std::int64_t sets = 1024;  // of every size, for every head
  // The first one is plain softmax, which the others are compared with.
  std::vector<AttentionTransform> transforms = table_transforms();
  EvaluationSettings evaluation = {};
};

// The counts of one head at one size so far.
struct TableTally {
  std::int64_t sets = 0;
  std::vector<SizeRow> rows;  // [transforms]
  // Sets that this transform gets right and softmax does not, and the other way round;
  // [transforms].
  std::vector<std::int64_t> won;
  std::vector<std::int64_t> lost;
  std::int64_t past_window = 0;  // sets whose entropy under softmax is above TableRun::window_end

  bool operator==(const TableTally&) const = default;
};

struct TableRun {
  TableSettings settings;
  std::vector<std::uint32_t> seeds;  // of the heads, [heads]
  bool seeds_known = true;           // of all heads
  std::vector<TableTally> tallies;   // [sizes, heads]
  // The entropy above which the adaptive rule no longer sharpens: the largest root of its
  // polynomial minus 1, which is 5.9445 nats for the rule of the paper. The rule is that of the
  // adaptive transform, or the paper's if there is no such transform.
  double window_end = 0;
  TimeSlice slice;

  const TableTally& tally(std::size_t size, std::size_t head) const {
    return tallies[size * seeds.size() + head];
  }
};

// Throws std::invalid_argument without heads, sizes or sets, and when the first transform is not
// plain softmax.
TableRun start_table(std::span<const TableHead> heads, TableSettings settings);

// Evaluates one batch of the first cell that lacks sets; returns false when there is no such cell,
// and when the backend stopped in the middle.
// The sets of a head are the evaluation sets of the head's own seed: they differ from seed to seed,
// and the head was not trained on them. `heads` must be those that the run was started with.
bool advance_table(TableRun& run, std::span<const TableHead> heads, Backend& backend);

// The share of all items that has been evaluated, in [0, 1].
double share_done(const TableRun& run);

}  // namespace dispersion
