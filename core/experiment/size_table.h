#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/progress.h"

namespace dispersion {

// 16, 32, ..., 16,384: the sizes of Table 1 and figures 2 and 7.
std::vector<int> doubling_sizes(int first = 16, int last = 16384);

// The results at one size under one transform, summed over all sets evaluated so far, so that more
// batches can be added.
struct SizeRow {
  int items = 0;
  AttentionTransform transform = {};
  std::int64_t sets = 0;
  std::int64_t correct = 0;         // predicted class = label
  std::int64_t argmax_correct = 0;  // the largest logit sits on the largest priority
  std::int64_t tied = 0;            // several items share the largest priority
  double entropy_sum = 0;           // nats
  double weight_on_max_sum = 0;
  double logit_spread_sum = 0;  // delta = max e - min e
  double theta_sum = 0;         // effective temperature theta / beta

  bool operator==(const SizeRow&) const = default;  // to the last bit

  // Means over the sets, shares as fractions; 0 without sets.
  double accuracy() const;
  double argmax_accuracy() const;
  double tied_share() const;
  double mean_entropy() const;
  double mean_weight_on_max() const;
  double mean_logit_spread() const;
  double mean_theta() const;
};

// Adds a batch; `row.transform` must be that of evaluation.transforms[transform_index].
void add_evaluation(const SetEvaluation& evaluation, std::span<const std::int32_t> labels,
                    int transform_index, SizeRow& row);

// Throws std::runtime_error that begins with `name`, the head's, if a sum is not finite: a
// temperature or a precision can make attention overflow where require_finite_attention
// (experiment.h) finds nothing wrong with the head itself.
void require_finite(const std::string& name, const SizeRow& row);

// The number of sets in the shortest call: a power of two, with about 2^16 items in all (items >=
// 1). Evaluators take sets in groups, whose sizes are smaller powers of two. So calls with any
// multiple of this number cut the sets into the same groups, and the last bits do not depend on the
// calls.
int sets_per_piece(int items);

// How far an evaluation on many sets of one size is.
struct NextSets {
  std::uint32_t seed = 0;
  int items = 0;
  std::int64_t done = 0;  // a multiple of sets_per_piece
  std::int64_t sets = 0;  // in all
};

// Evaluates the next sets in one call, as many as `slice` says, and sets `labels` to their labels.
// A call that a backend stops in the middle (Stopped in core/progress.h) gives no sets.
SetEvaluation evaluate_next(Backend& backend, const Parameters<float>& head, const NextSets& next,
                            std::span<const AttentionTransform> transforms,
                            const EvaluationSettings& settings, TimeSlice& slice,
                            std::vector<std::int32_t>& labels);

// Throws std::invalid_argument unless every size is at least 1 and the number of sets is from 1 to
// 2^32.
void require_sizes(std::span<const int> sizes, std::int64_t sets);

// Evaluates `sets` sets of every size under every transform on sets drawn with `seed`; rows come
// size by size, transform by transform. After a stop, returns the rows so far.
std::vector<SizeRow> evaluate_sizes(Backend& backend, const Parameters<float>& head,
                                    std::uint32_t seed, std::span<const int> sizes,
                                    std::int64_t sets,
                                    std::span<const AttentionTransform> transforms,
                                    const Progress& keep_going,
                                    const EvaluationSettings& settings = {});

}  // namespace dispersion
