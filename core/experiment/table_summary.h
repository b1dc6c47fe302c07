#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/experiment/table_one.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {

// One size under one transform, over all heads evaluated so far. Shares are fractions.
struct TableOneCell {
  int items = 0;
  AttentionTransform transform;
  std::int64_t sets = 0;  // per seed: the fewest, where a run that was stopped left a difference
  std::int64_t pooled_sets = 0;         // of all seeds
  std::vector<double> seed_accuracies;  // [seeds evaluated], in the order of the heads
  OverSeeds accuracy;
  // This transform's accuracy minus plain softmax's, seed by seed, on the same sets.
  Answer<PairedT> against_plain;
  Answer<double> mcnemar_p;  // exact, all sets of all seeds in one table
  // Means over the seeds of each seed's mean:
  double plain_entropy = 0;  // H of the plain weights, nats
  double entropy = 0;        // H of this transform's weights
  double weight_on_max = 0;
  double argmax_correct = 0;  // the largest logit sits on the largest priority
  double logit_spread = 0;
  double past_window = 0;  // rows whose plain entropy the adaptive rule no longer sharpens
  // Table 1; nothing for sizes and transforms it does not have.
  std::optional<double> paper_mean;
  std::optional<double> paper_p_value;

  // Whether the paper's mean lies in our interval; nothing where one of them is missing.
  std::optional<bool> paper_inside() const;
};

struct TableOne {
  std::vector<TableOneCell> cells;  // size by size, transform by transform; those with sets
  int heads = 0;
  double window_end = 0;  // nats
  double share_done = 0;

  // Null when there is none.
  const TableOneCell* find(int items, TransformId transform) const;
};

// Of a run at any stage.
TableOne summarise_table(const TableRun& run);

}  // namespace dispersion
