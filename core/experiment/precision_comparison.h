#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/experiment/size_table.h"
#include "core/progress.h"

namespace dispersion {

// The accuracy, in [0, 1], of a reader who sees the priorities as the precision holds them, takes
// an item with the largest of them, at random where several tie, and answers its class. In closed
// form: with K tied items the answer is right with probability 1/K + (1 - 1/K) / classes, because
// classes are drawn independently; and the largest value is v with K items on it with probability
// binom(n, K) p^K F^(n-K), where p is the share of [0, 1) that rounds to v and F the share that
// rounds to less (item_sets.h draws on a grid of 2^-24, so both are exact). In fp32 nothing is
// rounded and only that grid makes ties: 0.986 at n = 2^20. Throws std::invalid_argument unless
// items and classes are at least 1.
double perfect_argmax_accuracy(Precision precision, int items, int classes = kClasses);

// What rounding does to one head: the same sets under plain softmax at theta = 1 in several
// precisions. Labels come from unrounded priorities.
struct PrecisionSettings {
  std::uint32_t seed = 1;  // of the sets
  std::vector<int> sizes = doubling_sizes();
  std::int64_t sets = 256;  // of every size
  std::vector<Precision> precisions = {Precision::kFloat, Precision::kBf16Priorities,
                                       Precision::kBf16, Precision::kFp16};

  bool operator==(const PrecisionSettings&) const = default;
};

struct PrecisionRow {
  Precision precision = Precision::kFloat;
  SizeRow measured;
  double perfect_accuracy = 0;  // perfect_argmax_accuracy() of this precision at this size
};

// Rows size by size, precision by precision. Calls `show` with the rows so far whenever a size is
// finished in all precisions. Asks `keep_going` before every part of the sets; on false returns the
// rows that are finished. Throws std::invalid_argument without sizes, sets or precisions.
std::vector<PrecisionRow> compare_precisions(
    Backend& backend, const Parameters<float>& head, const PrecisionSettings& settings,
    const Progress& keep_going = {},
    const std::function<void(std::span<const PrecisionRow>)>& show = nullptr);

}  // namespace dispersion
