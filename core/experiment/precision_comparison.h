#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/experiment/size_table.h"

namespace dispersion {

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
  // Of one who sees the rounded priorities and finds the largest (perfect_argmax.h), in [0, 1].
  double perfect_accuracy = 0;
};

// Rows size by size, precision by precision. `keep_going` is asked before every part of the sets
// with the share done in [0, 1] and the rows that are finished; on false those are returned. Throws
// std::invalid_argument without sizes, sets or precisions.
std::vector<PrecisionRow> compare_precisions(
    Backend& backend, const Parameters<float>& head, const PrecisionSettings& settings,
    const std::function<bool(double, std::span<const PrecisionRow>)>& keep_going);

}  // namespace dispersion
