#include "core/experiment/precision_comparison.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/experiment/perfect_argmax.h"

namespace dispersion {
namespace {

// Few enough that a call is short on the direct path too.
constexpr int kItemsPerCall = 1 << 14;

}  // namespace

std::vector<PrecisionRow> compare_precisions(
    Backend& backend, const Parameters<float>& head, const PrecisionSettings& settings,
    const std::function<bool(double, std::span<const PrecisionRow>)>& keep_going) {
  require_sizes(settings.sizes, settings.sets);
  if (settings.sizes.empty()) throw std::invalid_argument("a comparison needs at least one size");
  if (settings.precisions.empty()) {
    throw std::invalid_argument("a comparison needs at least one precision");
  }
  const std::array<AttentionTransform, 1> transforms = {AttentionTransform()};
  double items = 0;
  for (const int size : settings.sizes)
    items += static_cast<double>(size * settings.sets);
  items *= static_cast<double>(settings.precisions.size());
  double items_done = 0;
  std::vector<PrecisionRow> rows;
  std::vector<std::int32_t> labels;
  for (const int size : settings.sizes) {
    for (const Precision precision : settings.precisions) {
      PrecisionRow row{
          precision, {.items = size}, perfect_argmax_accuracy(precision, size, head.shape.classes)};
      while (row.measured.sets < settings.sets) {
        if (keep_going && !keep_going(std::min(items_done / items, 1.0), rows)) return rows;
        const std::int64_t count = std::min<std::int64_t>(std::max(1, kItemsPerCall / size),
                                                          settings.sets - row.measured.sets);
        const DrawnSets drawn = {.seed = settings.seed,
                                 .items = size,
                                 .first_set = static_cast<std::uint32_t>(row.measured.sets),
                                 .sets = static_cast<int>(count)};
        const SetEvaluation evaluation =
            backend.evaluate_drawn(head, drawn, transforms, {.precision = precision}, labels);
        add_evaluation(evaluation, labels, 0, row.measured);
        items_done += static_cast<double>(count * size);
      }
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace dispersion
