#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/progress.h"

namespace dispersion {

// 16, 32, ..., 16,384: the sizes of Table 1 and figures 2 and 7.
std::vector<int> doubling_sizes(int first = 16, int last = 16384);

// One size under one transform, over all sets evaluated so far. Sums, so that batches can be added.
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

  double accuracy() const;  // fractions; 0 without sets
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

// The sets of the shortest call: about 2^16 items (items >= 1), a power of two. The groups in which
// evaluators take sets are smaller powers of two, so that calls of any multiple of it cut the sets
// into the same groups and the last bits do not depend on how long the calls are.
int sets_per_piece(int items);

// Where an evaluation on many sets of one size stands.
struct NextSets {
  std::uint32_t seed = 0;
  int items = 0;
  std::int64_t done = 0;  // a multiple of sets_per_piece
  std::int64_t sets = 0;  // in all
};

// Evaluates the next few of them, one call as long as `slice` says; `labels` is set to theirs.
SetEvaluation evaluate_next(Backend& backend, const Parameters<float>& head, const NextSets& next,
                            std::span<const AttentionTransform> transforms,
                            const EvaluationSettings& settings, TimeSlice& slice,
                            std::vector<std::int32_t>& labels);

// Throws std::invalid_argument that says what is wrong unless every size is at least 1 and the
// number of sets lies in 1 .. 2^32.
void require_sizes(std::span<const int> sizes, std::int64_t sets);

// Evaluates `sets` sets of every size under every transform on sets drawn with `seed`; rows come
// size by size, transform by transform. `keep_going` is asked between calls with the share done in
// [0, 1]; on false the rows so far are returned.
std::vector<SizeRow> evaluate_sizes(Backend& backend, const Parameters<float>& head,
                                    std::uint32_t seed, std::span<const int> sizes,
                                    std::int64_t sets,
                                    std::span<const AttentionTransform> transforms,
                                    const Progress& keep_going,
                                    const EvaluationSettings& settings = {});

}  // namespace dispersion
