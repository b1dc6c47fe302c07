#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/experiment/table_one.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {

// The results at one size under one transform, over all heads evaluated so far. Shares are
// fractions.
struct TableOneCell {
  int items = 0;
  AttentionTransform transform;
  std::int64_t sets = 0;                // per seed; after a stop, of the seed that has the fewest
  std::int64_t pooled_sets = 0;         // of all seeds
  bool complete = true;                 // all heads have been evaluated on all of their sets
  std::vector<double> seed_accuracies;  // [seeds evaluated], in the order of the heads
  OverSeeds accuracy;
  // The mean accuracy minus plain softmax's on the same sets; nothing for plain softmax itself.
  std::optional<double> gain;
  // The same, seed by seed.
  Answer<PairedT> against_plain;
  Answer<double> mcnemar_p;  // exact test, with all sets of all seeds in one table
  // Means over the seeds of the mean of each seed:
  double plain_entropy = 0;  // H of the plain weights, nats
  double entropy = 0;        // H of this transform's weights
  double weight_on_max = 0;
  double argmax_correct = 0;  // the largest logit sits on the largest priority
  double logit_spread = 0;
  double past_window = 0;  // share of sets whose entropy under softmax is above window_end
  // From the paper's Table 1, as printed, to 0.1 %; nothing for sizes and transforms that are not
  // in it. The gain is the paper's mean under adaptive temperature minus that under softmax.
  std::optional<double> paper_mean;
  std::optional<double> paper_gain;
  std::optional<double> paper_p_value;

  // Whether the paper's mean lies in the interval of `accuracy`, and its gain in that of
  // `against_plain`; nothing where either is missing.
  std::optional<bool> paper_inside() const;
  std::optional<bool> paper_gain_inside() const;
  // The same if each of the two means may be as far from the printed one as rounding allows.
  std::optional<bool> paper_gain_may_be_inside() const;
};

struct TableOne {
  std::vector<TableOneCell> cells;  // size by size, transform by transform; only those with sets
  int heads = 0;
  bool seeds_known = true;  // of all heads
  // Heads of the same seed are evaluated on the same sets. They are not independent, and there are
  // neither intervals nor tests over them.
  bool heads_share_sets = false;
  Precision precision = Precision::kFloat;  // that the heads were evaluated in
  double window_end = 0;                    // TableRun::window_end, nats
  double share_done = 0;

  // Null when there is no such cell.
  const TableOneCell* find(int items, TransformId transform) const;
};

// How many of several of the paper's values lie in our intervals.
struct InsideCount {
  int inside = 0;
  int compared = 0;
};

// Of the finished cells: the paper's means in our intervals, its gains in those of our gains, and
// those that may be, with what its rounding leaves open.
InsideCount means_inside(const TableOne& table);
InsideCount gains_inside(const TableOne& table);
InsideCount gains_that_may_be_inside(const TableOne& table);

// How many of the means that means_inside() compares would be inside on average if they were from
// the same experiment with other seeds: the sum of repeat_inside().
double repeats_expected_inside(const TableOne& table);

// How many of our means in finished cells lie above and below the paper's by more than its
// rounding, of how many that are in the paper's table.
struct SideCount {
  int above = 0;
  int below = 0;
  int compared = 0;
};
SideCount sides_of_paper(const TableOne& table);

// The results of a run at any stage.
TableOne summarise_table(const TableRun& run);

// The same, with the cells of `stored` that are those of the run's sizes, sets and transforms in
// place of cells that are not complete yet.
TableOne summarise_table(const TableRun& run, const TableRun& stored);

}  // namespace dispersion
