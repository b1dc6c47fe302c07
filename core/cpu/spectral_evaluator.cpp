#include "core/cpu/spectral_evaluator.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/math/largest.h"
#include "core/math/product.h"

namespace dispersion {
namespace {

// A group of sets shares the products of its readout. It is a power of two that depends on the
// number of items alone, so that longer calls cut the same groups as shorter ones.
constexpr unsigned kItemsPerGroup = 1 << 16;
constexpr unsigned kSetsPerGroup = 32;

int sets_per_group(int items) {
  const unsigned sets = kItemsPerGroup / static_cast<unsigned>(std::max(1, items));
  return static_cast<int>(std::bit_floor(std::clamp(sets, 1U, kSetsPerGroup)));
}

float smallest_value(std::span<const float> values) {
  float lanes[16];
  std::fill_n(lanes, 16, values[0]);
  std::size_t i = 0;
  for (; i + 16 <= values.size(); i += 16) {
    for (std::size_t l = 0; l < 16; ++l)
      lanes[l] = values[i + l] < lanes[l] ? values[i + l] : lanes[l];
  }
  for (; i < values.size(); ++i)
    lanes[0] = values[i] < lanes[0] ? values[i] : lanes[0];
  return *std::min_element(lanes, lanes + 16);
}

}  // namespace

void SpectralEvaluator::prepare(const Parameters<float>& head) {
  if (head_ && same_bits(*head_, head)) return;
  head_.reset();
  tables_.reset();
  points_ = choose_points(head, Spare::kNone);
  if (points_.spectral()) tables_ = make_spectral_tables(head, points_);
  head_ = head;
}

SpectralPoints SpectralEvaluator::points(const Parameters<float>& head) {
  prepare(head);
  return points_;
}

// Set `s` of a group.
void SpectralEvaluator::evaluate_set(const Job& job, const Group& group, int s,
                                     Space& space) const {
  const ItemSetsView& sets = group.sets;
  const std::size_t count = static_cast<std::size_t>(sets.items);
  const std::size_t first_item = area(s, sets.items);
  const int set = group.first + s;
  float* row = job.logits != nullptr ? job.logits->data() + area(set, sets.items)
                                     : space.logits.reserve(count);
  space.items.begin(*tables_, sets.priority + first_item, sets.item_class + first_item, sets.items,
                    sets.query[s]);
  space.items.compute(row);
  const std::span<const float> logits(row, count);
  SetEvaluation& result = job.result;
  const float top = largest_value(logits);
  const double constant = space.items.constant();
  result.argmax_logit[set] = space.items.argmax(row, top);
  result.logit_max[set] = static_cast<float>(static_cast<double>(top) + constant);
  result.logit_min[set] =
      static_cast<float>(static_cast<double>(smallest_value(logits)) + constant);
  const std::span<const float> priority(group.true_priority + first_item, count);
  const int largest_priority = first_largest(priority);
  result.argmax_priority[set] = largest_priority;
  result.largest_priorities[set] =
      count_equal(priority, priority[static_cast<std::size_t>(largest_priority)]);

  float* weights = space.weights.reserve(job.transforms.size() * count);
  space.transform_results.resize(job.transforms.size());
  attention_weights<float>({row, 1, count, &top, job.head.learned()}, job.transforms, weights,
                           space.transform_results);
  note_transforms(space.transform_results, weights, set, result);
  pool(job, count, space);
  if (job.logits != nullptr) {
    const float shift = static_cast<float>(constant);
    for (std::size_t i = 0; i < count; ++i)
      row[i] += shift;
  }
}

// Adds the rows of a set to those of the group.
void SpectralEvaluator::pool(const Job& job, std::size_t items, Space& space) const {
  space.pooled.clear();
  const std::size_t of_set = space.row_of.size();
  for (std::size_t m = 0; m < job.transforms.size(); ++m) {
    if (const int same = space.transform_results[m].repeats; same >= 0) {
      space.row_of.push_back(space.row_of[of_set + static_cast<std::size_t>(same)]);
      continue;
    }
    const float* weights = space.weights.data() + m * items;
    float* node_weights = space.node_weights.data() + area(space.rows, tables_->nodes());
    space.row_of.push_back(space.rows++);
    if (transform_definition(job.transforms[m].id).is_sparse) {
      space.items.pool_few(weights, node_weights);
    } else {
      space.pooled.push_back({weights, node_weights});
    }
  }
  space.items.pool(space.pooled);
}

// Class logits and predictions of all rows of the group at once.
void SpectralEvaluator::classify(const Job& job, int first, int count, Space& space) const {
  const int width = tables_->shape.width;
  if (space.rows == 0) return;
  multiply(Transpose::kNo, Transpose::kNo, space.rows, width, tables_->nodes(),
           space.node_weights.data(), tables_->readout.data(), Into::kReplace,
           space.activations.readout_hidden.reserve(area(space.rows, width)));
  space.activations.shape = tables_->shape;
  classify_hidden(job.head, space.rows, space.activations);
  const int classes = tables_->shape.classes;
  auto row = space.row_of.begin();
  for (int set = first; set < first + count; ++set) {
    for (TransformEvaluation& transform : job.result.transforms) {
      const std::span<const float> logits(
          space.activations.class_logits.data() + area(*row++, classes),
          static_cast<std::size_t>(classes));
      std::copy(logits.begin(), logits.end(), transform.class_logits.begin() + area(set, classes));
      transform.predicted[set] = predicted_class(logits);
    }
  }
}

void SpectralEvaluator::evaluate_group(const Job& job, const Group& group, Space& space) const {
  const int sets = group.sets.sets;
  space.node_weights.reserve(job.transforms.size() * area(sets, tables_->nodes()));
  space.rows = 0;
  space.row_of.clear();
  for (int s = 0; s < sets; ++s)
    evaluate_set(job, group, s, space);
  classify(job, group.first, sets, space);
}

SetEvaluation SpectralEvaluator::evaluate(const Parameters<float>& head, const ItemSetsView& sets,
                                          const EvaluationRequest& request,
                                          ThreadPool& thread_pool) {
  prepare(head);
  SetEvaluation result =
      empty_evaluation(head.shape.classes, sets.sets, sets.items, request.transforms);
  if (request.logits != nullptr) request.logits->resize(area(sets.sets, sets.items));
  const Job job{head, request.transforms, request.logits, result};
  spaces_.resize(static_cast<std::size_t>(thread_pool.threads()));
  const int per_group = sets_per_group(sets.items);
  const float* true_priority =
      request.true_priority != nullptr ? request.true_priority : sets.priority;
  thread_pool.run((sets.sets + per_group - 1) / per_group, [&](int group, int thread) {
    const int first = group * per_group;
    evaluate_group(job,
                   {sets.slice(first, std::min(per_group, sets.sets - first)),
                    true_priority + area(first, sets.items), first},
                   spaces_[static_cast<std::size_t>(thread)]);
  });
  return result;
}

SetEvaluation SpectralEvaluator::evaluate_drawn(const Parameters<float>& head,
                                                const DrawnSets& drawn,
                                                std::span<const AttentionTransform> transforms,
                                                Rounding priority_rounding, ThreadPool& thread_pool,
                                                std::vector<std::int32_t>& labels) {
  prepare(head);
  SetEvaluation result = empty_evaluation(head.shape.classes, drawn.sets, drawn.items, transforms);
  labels.resize(static_cast<std::size_t>(drawn.sets));
  const Job job{head, transforms, nullptr, result};
  spaces_.resize(static_cast<std::size_t>(thread_pool.threads()));
  const int per_group = sets_per_group(drawn.items);
  thread_pool.run((drawn.sets + per_group - 1) / per_group, [&](int group, int thread) {
    const int first = group * per_group;
    Space& space = spaces_[static_cast<std::size_t>(thread)];
    draw_evaluation_sets(drawn, first, std::min(per_group, drawn.sets - first), space.drawn);
    std::copy(space.drawn.label.begin(), space.drawn.label.end(), labels.begin() + first);
    ItemSetsView seen = space.drawn.view();
    if (priority_rounding != Rounding::kNone) {
      space.rounded.resize(space.drawn.priority.size());
      round_values(priority_rounding, seen.priority, space.rounded.data(), space.rounded.size());
      seen.priority = space.rounded.data();
    }
    evaluate_group(job, {seen, space.drawn.priority.data(), first}, space);
  });
  return result;
}

}  // namespace dispersion
