#include "core/experiment/size_table.h"
#include "core/io/text.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>

namespace dispersion {
namespace {

constexpr unsigned kItemsPerPiece = 1 << 16;

// The index of a set has 32 bits.
constexpr std::int64_t kMostSets = std::int64_t{1} << 32;

double share(double sum, std::int64_t sets) {
  return sets > 0 ? sum / static_cast<double>(sets) : 0;
}

std::int64_t items_in(std::span<const int> sizes, std::int64_t sets) {
  std::int64_t items = 0;
  for (const int size : sizes)
    items += size * sets;
  return items;
}

SetEvaluation no_sets(int items, std::span<const AttentionTransform> transforms) {
  SetEvaluation none;
  none.items = items;
  for (const AttentionTransform& transform : transforms)
    none.transforms.emplace_back().transform = transform;
  return none;
}

}  // namespace

std::vector<int> doubling_sizes(int first, int last) {
  if (first < 1) throw std::invalid_argument("the first size must be at least 1");
  std::vector<int> sizes;
  for (std::int64_t size = first; size <= last; size *= 2)
    sizes.push_back(static_cast<int>(size));
  return sizes;
}

double SizeRow::accuracy() const {
  return share(static_cast<double>(correct), sets);
}
double SizeRow::argmax_accuracy() const {
  return share(static_cast<double>(argmax_correct), sets);
}
double SizeRow::tied_share() const {
  return share(static_cast<double>(tied), sets);
}
double SizeRow::mean_entropy() const {
  return share(entropy_sum, sets);
}
double SizeRow::mean_weight_on_max() const {
  return share(weight_on_max_sum, sets);
}
double SizeRow::mean_logit_spread() const {
  return share(logit_spread_sum, sets);
}
double SizeRow::mean_theta() const {
  return share(theta_sum, sets);
}

// Adds the sets one by one and in order, so that the sums do not depend on how the sets were cut
// into batches.
void add_evaluation(const SetEvaluation& evaluation, std::span<const std::int32_t> labels,
                    int transform_index, SizeRow& row) {
  const TransformEvaluation& transform =
      evaluation.transforms.at(static_cast<std::size_t>(transform_index));
  if (transform.transform != row.transform)
    throw std::invalid_argument("a row takes one transform only");
  if (labels.size() != static_cast<std::size_t>(evaluation.sets)) {
    throw std::invalid_argument("one label per set is needed");
  }
  for (std::size_t set = 0; set < labels.size(); ++set) {
    row.correct += transform.predicted[set] == labels[set];
    row.argmax_correct += evaluation.argmax_logit[set] == evaluation.argmax_priority[set];
    row.tied += evaluation.largest_priorities[set] > 1;
    row.entropy_sum += transform.entropy[set];
    row.weight_on_max_sum += transform.weight_on_max[set];
    row.logit_spread_sum += static_cast<double>(evaluation.logit_max[set]) -
                            static_cast<double>(evaluation.logit_min[set]);
    row.theta_sum += transform.transform.theta / static_cast<double>(transform.beta[set]);
  }
  row.items = evaluation.items;
  row.sets += evaluation.sets;
}

void require_finite(const std::string& name, const SizeRow& row) {
  if (std::isfinite(row.entropy_sum + row.weight_on_max_sum + row.logit_spread_sum)) return;
  throw std::runtime_error(
      path_text(name) + ": gives attention that is not finite at n = " + std::to_string(row.items));
}

int sets_per_piece(int items) {
  return static_cast<int>(
      std::bit_floor(std::max(1U, kItemsPerPiece / static_cast<unsigned>(items))));
}

SetEvaluation evaluate_next(Backend& backend, const Parameters<float>& head, const NextSets& next,
                            std::span<const AttentionTransform> transforms,
                            const EvaluationSettings& settings, TimeSlice& slice,
                            std::vector<std::int32_t>& labels) {
  if (next.done == 0) slice = TimeSlice();
  const std::int64_t piece = std::int64_t{slice.pieces()} * sets_per_piece(next.items);
  const DrawnSets drawn = {.seed = next.seed,
                           .items = next.items,
                           .first_set = static_cast<std::uint32_t>(next.done),
                           .sets = static_cast<int>(std::min(piece, next.sets - next.done))};
  const auto start = std::chrono::steady_clock::now();
  SetEvaluation evaluation;
  try {
    evaluation = backend.evaluate_drawn(head, drawn, transforms, settings, labels);
  } catch (const Stopped&) {
    labels.clear();
    return no_sets(next.items, transforms);
  }
  slice.took(slice.pieces(),
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return evaluation;
}

void require_sizes(std::span<const int> sizes, std::int64_t sets) {
  for (const int size : sizes) {
    if (size < 1) {
      throw std::invalid_argument("a set needs at least 1 item, not " + std::to_string(size));
    }
  }
  if (sets < 1 || sets > kMostSets) {
    throw std::invalid_argument("the number of sets must be from 1 to " +
                                std::to_string(kMostSets) + ", not " + std::to_string(sets));
  }
}

std::vector<SizeRow> evaluate_sizes(Backend& backend, const Parameters<float>& head,
                                    std::uint32_t seed, std::span<const int> sizes,
                                    std::int64_t sets,
                                    std::span<const AttentionTransform> transforms,
                                    const Progress& keep_going,
                                    const EvaluationSettings& settings) {
  require_sizes(sizes, sets);
  const double all_items = static_cast<double>(items_in(sizes, sets));
  double items_done = 0;
  std::vector<SizeRow> rows;
  std::vector<std::int32_t> labels;
  TimeSlice slice;
  for (const int size : sizes) {
    const std::size_t first_row = rows.size();
    for (const AttentionTransform& transform : transforms)
      rows.push_back({.items = size, .transform = transform});
    for (std::int64_t done = 0; done < sets;) {
      const SetEvaluation evaluation =
          evaluate_next(backend, head, {.seed = seed, .items = size, .done = done, .sets = sets},
                        transforms, settings, slice, labels);
      for (std::size_t transform = 0; transform < transforms.size(); ++transform) {
        add_evaluation(evaluation, labels, static_cast<int>(transform),
                       rows[first_row + transform]);
      }
      done += evaluation.sets;
      items_done += static_cast<double>(evaluation.sets) * size;
      if (!keep_going(items_done / all_items) || evaluation.sets == 0) return rows;
    }
  }
  return rows;
}

}  // namespace dispersion
