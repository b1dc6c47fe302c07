#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/experiment/size_table.h"

namespace dispersion {

// Table 1: accuracy of several heads at growing sizes, under several transforms on the same sets.
// The run is plain data that fills in cell by cell, size by size and head by head, in batches whose
// limits depend on the size alone: stopping between batches and going on later changes nothing, and
// neither does the number of threads.

struct TableHead {
  std::uint32_t seed = 1;
  Parameters<float> parameters;
};

// Plain softmax, adaptive temperature with the paper's rule, hard attention.
std::vector<AttentionTransform> table_transforms();

// Sets per head and size for which a share pooled over the heads has a 95 % binomial half-width of
// at most half a point (at 1/2, where it is widest): the smallest power of two, at least 1,024.
std::int64_t default_table_sets(int heads);

struct TableSettings {
  std::vector<int> sizes = doubling_sizes();
  std::int64_t sets = 1024;  // of every size, for every head
  // The first is plain softmax, which the others are compared with.
  std::vector<AttentionTransform> transforms = table_transforms();
  EvaluationSettings evaluation = {};
};

// One head at one size so far.
struct TableTally {
  std::int64_t sets = 0;
  std::vector<SizeRow> rows;  // [transforms]
  std::vector<std::int64_t>
      won;  // sets that only this transform gets right, not the first; [transforms]
  std::vector<std::int64_t> lost;  // sets that only the first transform gets right; [transforms]
  std::int64_t past_window = 0;    // rows whose plain entropy the rule no longer sharpens

  bool operator==(const TableTally&) const = default;
};

struct TableRun {
  TableSettings settings;
  std::vector<std::uint32_t> seeds;  // of the heads, [heads]
  std::vector<TableTally> tallies;   // [sizes, heads]
  // Above this entropy the adaptive rule among the transforms (the paper's if there is none) is
  // off: the largest root of its polynomial minus 1, 5.9445 nats for the paper's.
  double window_end = 0;
  TimeSlice slice;

  const TableTally& tally(std::size_t size, std::size_t head) const {
    return tallies[size * seeds.size() + head];
  }
};

// Throws std::invalid_argument without heads, sizes or sets, and when the first transform is not
// plain softmax.
TableRun start_table(std::span<const TableHead> heads, TableSettings settings);

// Evaluates one batch of the first cell that lacks sets; false when there is none. A head's sets
// are the evaluation sets of the head's own seed: they differ from seed to seed, and are never
// those it was trained on. `heads` are those the run was started with.
bool advance_table(TableRun& run, std::span<const TableHead> heads, Backend& backend);

// Of all items to evaluate, in [0, 1].
double share_done(const TableRun& run);

}  // namespace dispersion
