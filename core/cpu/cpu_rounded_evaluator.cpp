#include "core/cpu/cpu_rounded_evaluator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/cpu/cpu_evaluator.h"
#include "core/head/forward.h"
#include "core/math/area.h"

namespace dispersion {
namespace {

// Items that one task draws.
constexpr int kItemsPerDraw = 4096;

int chunks_of(int sets) {
  constexpr int kChunk = CpuRoundedEvaluator::kSetsPerChunk;
  return (sets + kChunk - 1) / kChunk;
}

}  // namespace

SetEvaluation CpuRoundedEvaluator::evaluate(const Parameters<float>& head, const DrawnSets& drawn,
                                            std::span<const AttentionTransform> transforms,
                                            Precision precision, ThreadPool& thread_pool,
                                            std::vector<std::int32_t>& labels,
                                            const std::stop_token& stop) {
  spaces_.resize(static_cast<std::size_t>(thread_pool.threads()));
  draw(drawn, thread_pool);
  labels.assign(sets_.label.begin(), sets_.label.end());
  if (product_rounding(precision) != Rounding::kNone) {
    return evaluate_products(head, transforms, product_rounding(precision), thread_pool);
  }
  std::vector<float> rounded(sets_.priority.size());
  round_values(priority_rounding(precision), sets_.priority.data(), rounded.data(), rounded.size());
  ItemSetsView view = sets_.view();
  view.priority = rounded.data();
  return cpu_evaluate(
      head, view, {.transforms = transforms, .true_priority = sets_.priority.data(), .stop = stop},
      thread_pool);
}

void CpuRoundedEvaluator::draw(const DrawnSets& drawn, ThreadPool& thread_pool) {
  sets_.resize(drawn.sets, drawn.items);
  const int per_task = std::max(1, kItemsPerDraw / drawn.items);
  const int tasks = (drawn.sets + per_task - 1) / per_task;
  thread_pool.run(tasks, [&](int task, int thread) {
    const int first = task * per_task;
    ItemSets& own = spaces_[static_cast<std::size_t>(thread)].drawn;
    draw_evaluation_sets(drawn, first, std::min(per_task, drawn.sets - first), own);
    const auto place = static_cast<std::ptrdiff_t>(area(first, drawn.items));
    std::ranges::copy(own.priority, sets_.priority.begin() + place);
    std::ranges::copy(own.item_class, sets_.item_class.begin() + place);
    std::ranges::copy(own.query, sets_.query.begin() + first);
    std::ranges::copy(own.label, sets_.label.begin() + first);
  });
}

SetEvaluation CpuRoundedEvaluator::evaluate_products(const Parameters<float>& head,
                                                     std::span<const AttentionTransform> transforms,
                                                     Rounding rounding, ThreadPool& thread_pool) {
  SetEvaluation result = empty_evaluation(head.shape.classes, sets_.sets, sets_.items, transforms);
  table_.assign(head, rounding);
  rows_.resize(sets_.priority.size());
  table_.find(sets_.priority, sets_.item_class, thread_pool, rows_);
  const int chunks = chunks_of(sets_.sets);
  const int transform_count = static_cast<int>(transforms.size());
  queries_.reserve(area(chunks * kSetsPerChunk, head.shape.width));
  pooled_.reserve(area(transform_count * chunks * kSetsPerChunk, head.shape.width));
  const auto space = [this](int thread) -> Space& {
    return spaces_[static_cast<std::size_t>(thread)];
  };
  thread_pool.run(chunks, [&](int chunk, int thread) { prepare_queries(chunk, space(thread)); });
  thread_pool.run(sets_.sets,
                  [&](int set, int thread) { pool_set(set, transforms, space(thread), result); });
  thread_pool.run(transform_count * chunks, [&](int task, int thread) {
    classify(task / chunks, task % chunks, space(thread), result);
  });
  return result;
}

void CpuRoundedEvaluator::prepare_queries(int chunk, Space& space) {
  const int first = chunk * kSetsPerChunk;
  float query[kSetsPerChunk] = {};
  std::copy_n(sets_.query.begin() + first, std::min(kSetsPerChunk, sets_.sets - first), query);
  rounded_queries(table_.head(), query, kSetsPerChunk, space.activations);
  const int width = table_.head().parameters.shape.width;
  std::copy_n(space.activations.query.data(), area(kSetsPerChunk, width),
              queries_.data() + area(first, width));
}

// Logits of one set. In a large set most rows of the table come several times: each is scored once.
void CpuRoundedEvaluator::score_set(int set, Space& space, std::span<float> logits) const {
  const int width = table_.head().parameters.shape.width;
  const std::int32_t* rows = rows_.data() + area(set, sets_.items);
  const float* query = queries_.data() + area(set, width);
  const std::size_t row_count = static_cast<std::size_t>(table_.row_count());
  if (logits.size() < row_count / 4) {
    for (std::size_t i = 0; i < logits.size(); ++i)
      logits[i] = ordered_dot(query, table_.key_value(rows[i]), width);
    return;
  }
  float* row_logits = space.row_logits.reserve(row_count);
  std::fill_n(row_logits, row_count, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t i = 0; i < logits.size(); ++i) {
    float& logit = row_logits[rows[i]];
    if (std::isnan(logit)) logit = ordered_dot(query, table_.key_value(rows[i]), width);
    logits[i] = logit;
  }
}

// Weights and pooled values of one set. Items are pooled in order; one without weight adds
// exactly nothing.
void CpuRoundedEvaluator::pool_set(int set, std::span<const AttentionTransform> transforms,
                                   Space& space, SetEvaluation& result) {
  const RoundedHead& head = table_.head();
  const int width = head.parameters.shape.width;
  const std::size_t items = static_cast<std::size_t>(sets_.items);
  const std::size_t first = area(set, sets_.items);
  const std::int32_t* rows = rows_.data() + first;
  const std::span<float> logits(space.logits.reserve(items), items);
  score_set(set, space, logits);
  note_logits(logits, {sets_.priority.data() + first, items}, set, result);
  const int padded_sets = chunks_of(sets_.sets) * kSetsPerChunk;
  float* all_weights = space.weights.reserve(transforms.size() * items);
  space.results.resize(transforms.size());
  attention_weights<float>({logits.data(), 1, items, nullptr, head.parameters.learned()},
                           transforms, all_weights, space.results);
  note_transforms(space.results, all_weights, set, result);
  for (std::size_t m = 0; m < transforms.size(); ++m) {
    const std::span<float> weights(all_weights + m * items, items);
    round_values(head.rounding, weights.data(), weights.data(), items);
    float* sum = pooled_.data() + area(static_cast<int>(m) * padded_sets + set, width);
    std::fill_n(sum, width, 0.0f);
    for (std::size_t i = 0; i < items; ++i) {
      const float weight = weights[i];
      if (weight == 0) continue;
      const float* value = table_.key_value(rows[i]) + width;
      for (int j = 0; j < width; ++j)
        sum[j] = std::fma(weight, value[j], sum[j]);
    }
    round_values(head.rounding, sum, sum, static_cast<std::size_t>(width));
  }
}

void CpuRoundedEvaluator::classify(int transform, int chunk, Space& space, SetEvaluation& result) {
  const RoundedHead& head = table_.head();
  const int width = head.parameters.shape.width;
  const std::size_t classes = static_cast<std::size_t>(head.parameters.shape.classes);
  const int first = chunk * kSetsPerChunk;
  const int count = std::min(kSetsPerChunk, sets_.sets - first);
  float* pooled = space.activations.pooled.reserve(area(kSetsPerChunk, width));
  std::fill_n(pooled, area(kSetsPerChunk, width), 0.0f);
  std::copy_n(
      pooled_.data() + area(transform * chunks_of(sets_.sets) * kSetsPerChunk + first, width),
      area(count, width), pooled);
  rounded_readout(head, kSetsPerChunk, space.activations);
  TransformEvaluation& out = result.transforms[static_cast<std::size_t>(transform)];
  const float* logits = space.activations.class_logits.data();
  std::copy_n(logits, count * classes, out.class_logits.data() + first * classes);
  for (int s = 0; s < count; ++s) {
    out.predicted[first + s] =
        predicted_class(std::span<const float>(logits + s * classes, classes));
  }
}

}  // namespace dispersion
