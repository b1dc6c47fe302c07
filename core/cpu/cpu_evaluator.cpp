#include "core/cpu/cpu_evaluator.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

#include "core/head/activations.h"
#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/math/largest.h"
#include "core/progress.h"

namespace dispersion {
namespace {

// Rows embedded at once: 1,024 rows of 128 floats fit the second-level cache together with the
// kernel.
constexpr int kChunkRows = 1024;

// Embeddings of a set are kept between the two passes up to this many items (16 MiB); beyond, the
// second pass computes them again.
constexpr int kKeptItems = 32768;

// A call on sets of no more items ends soon by itself, and its results are kept.
constexpr int kStoppedItems = 1 << 17;

// Work space of one thread.
struct Space {
  Activations<float> activations;
  AlignedBuffer<float> logits;
  AlignedBuffer<float> weights;          // [transforms, items of the group]
  AlignedBuffer<float> pooled;           // [transforms, sets of the group, width]
  std::vector<TransformResult> results;  // [transforms], of one set
};

struct Job {
  const Parameters<float>& head;
  const ItemSetsView& sets;
  const EvaluationRequest& request;
  SetEvaluation& result;
};

void embed_chunk(const Job& job, std::size_t first_row, int rows, Space& space, float* embedding) {
  float* hidden = space.activations.item_hidden.reserve(area(kChunkRows, job.head.shape.width));
  embed_items<float>(job.head, job.sets.priority + first_row, job.sets.item_class + first_row, rows,
                     hidden, nullptr, embedding, nullptr);
}

// Calls use(first, count) for the items of one set, chunk by chunk, in order. Throws Stopped.
template <class Use>
void for_each_chunk(const Job& job, Use use) {
  const int items = job.sets.items;
  for (int first = 0; first < items; first += kChunkRows) {
    if (items > kStoppedItems && job.request.stop.stop_requested()) throw Stopped();
    use(first, std::min(kChunkRows, items - first));
  }
}

void note_logits(const Job& job, int s, std::span<const float> logits) {
  const float* priority =
      job.request.true_priority != nullptr ? job.request.true_priority : job.sets.priority;
  note_logits(logits, {priority + area(s, job.sets.items), logits.size()}, s, job.result);
}

// Weights of every transform for set `s`; weights [transforms, items].
void weigh(const Job& job, int s, std::span<const float> logits, float* weights, Space& space) {
  space.results.resize(job.request.transforms.size());
  attention_weights<float>({logits.data(), 1, logits.size(), nullptr, job.head.learned()},
                           job.request.transforms, weights, space.results);
  note_transforms(space.results, weights, s, job.result);
}

// Logits, weights and pooled embeddings of sets first .. first+count-1, all of them in one chunk.
void pool_short_sets(const Job& job, int first, int count, Space& space) {
  const int width = job.head.shape.width;
  const int items = job.sets.items;
  const std::size_t row_length = static_cast<std::size_t>(items);
  float* embedding = space.activations.item_embedding.reserve(area(kChunkRows, width));
  embed_chunk(job, area(first, items), count * items, space, embedding);
  float* logits = space.logits.reserve(row_length);
  float* weights = space.weights.reserve(job.request.transforms.size() * row_length);
  for (int s = 0; s < count; ++s) {
    const float* rows = embedding + area(s * items, width);
    score_items(rows, items, width, space.activations.score_vector.data() + area(s, width),
                space.activations.score_offset.data()[s], logits);
    const std::span<const float> row(logits, row_length);
    note_logits(job, first + s, row);
    weigh(job, first + s, row, weights, space);
    for (std::size_t m = 0; m < job.request.transforms.size(); ++m) {
      pool_items(weights + m * row_length, rows, items, width, false,
                 space.pooled.data() + (m * static_cast<std::size_t>(count) + s) * width);
    }
    if (job.request.logits != nullptr) {
      std::copy_n(logits, row_length, job.request.logits->data() + area(first + s, items));
    }
  }
}

// The same for one set that is longer than a chunk.
void pool_long_set(const Job& job, int s, Space& space) {
  const int width = job.head.shape.width;
  const int items = job.sets.items;
  const std::size_t row_length = static_cast<std::size_t>(items);
  const std::size_t first_row = area(s, items);
  const bool kept = items <= kKeptItems;
  float* embedding =
      space.activations.item_embedding.reserve(area(kept ? items : kChunkRows, width));
  float* logits = job.request.logits != nullptr ? job.request.logits->data() + first_row
                                                : space.logits.reserve(row_length);
  for_each_chunk(job, [&](int first, int count) {
    float* rows = embedding + (kept ? area(first, width) : 0);
    embed_chunk(job, first_row + static_cast<std::size_t>(first), count, space, rows);
    score_items(rows, count, width, space.activations.score_vector.data(),
                space.activations.score_offset.data()[0], logits + first);
  });
  const std::span<const float> row(logits, row_length);
  note_logits(job, s, row);
  float* weights = space.weights.reserve(job.request.transforms.size() * row_length);
  weigh(job, s, row, weights, space);
  for_each_chunk(job, [&](int first, int count) {
    float* rows = embedding + (kept ? area(first, width) : 0);
    if (!kept) embed_chunk(job, first_row + static_cast<std::size_t>(first), count, space, rows);
    for (std::size_t m = 0; m < job.request.transforms.size(); ++m) {
      pool_items(weights + m * row_length + first, rows, count, width, first > 0,
                 space.pooled.data() + m * static_cast<std::size_t>(width));
    }
  });
}

// Class logits and predictions from the pooled embeddings of the group.
void classify(const Job& job, int first, int count, Space& space) {
  const std::size_t size = area(count, job.head.shape.width);
  const std::size_t classes = static_cast<std::size_t>(job.head.shape.classes);
  float* pooled = space.activations.pooled_embedding.reserve(size);
  for (std::size_t m = 0; m < job.request.transforms.size(); ++m) {
    std::copy_n(space.pooled.data() + m * size, size, pooled);
    read_out(job.head, count, space.activations);
    TransformEvaluation& transform = job.result.transforms[m];
    const float* class_logits = space.activations.class_logits.data();
    std::copy_n(class_logits, count * classes, transform.class_logits.data() + first * classes);
    for (int s = 0; s < count; ++s) {
      transform.predicted[first + s] =
          predicted_class(std::span<const float>(class_logits + s * classes, classes));
    }
  }
}

void evaluate_group(const Job& job, int first, int count, Space& space) {
  embed_queries(job.head, job.sets.query + first, count, space.activations);
  space.pooled.reserve(job.request.transforms.size() * area(count, job.head.shape.width));
  if (job.sets.items <= kChunkRows) {
    pool_short_sets(job, first, count, space);
  } else {
    pool_long_set(job, first, space);
  }
  classify(job, first, count, space);
}

}  // namespace

SetEvaluation empty_evaluation(int classes, int sets, int items,
                               std::span<const AttentionTransform> transforms) {
  SetEvaluation result;
  const std::size_t count = static_cast<std::size_t>(sets);
  result.sets = sets;
  result.items = items;
  result.logit_max.resize(count);
  result.logit_min.resize(count);
  result.argmax_logit.resize(count);
  result.argmax_priority.resize(count);
  result.largest_priorities.resize(count);
  for (const AttentionTransform& transform : transforms) {
    validate(transform);
    TransformEvaluation& entry = result.transforms.emplace_back();
    entry.transform = transform;
    entry.entropy.resize(count);
    entry.weight_on_max.resize(count);
    entry.beta.resize(count);
    entry.class_logits.resize(count * static_cast<std::size_t>(classes));
    entry.predicted.resize(count);
  }
  return result;
}

void note_logits(std::span<const float> logits, std::span<const float> true_priority, int s,
                 SetEvaluation& evaluation) {
  float lowest = std::numeric_limits<float>::infinity();
  for (const float logit : logits)
    lowest = logit < lowest ? logit : lowest;
  const int top = first_largest(logits);
  evaluation.argmax_logit[s] = top;
  evaluation.logit_max[s] = logits[static_cast<std::size_t>(top)];
  evaluation.logit_min[s] = lowest;
  const int first = first_largest(true_priority);
  evaluation.argmax_priority[s] = first;
  evaluation.largest_priorities[s] =
      count_equal(true_priority, true_priority[static_cast<std::size_t>(first)]);
}

void note_transforms(std::span<const TransformResult> results, const float* weights, int s,
                     SetEvaluation& evaluation) {
  const auto largest_priority = static_cast<std::size_t>(evaluation.argmax_priority[s]);
  for (std::size_t t = 0; t < results.size(); ++t) {
    TransformEvaluation& transform = evaluation.transforms[t];
    transform.entropy[s] = static_cast<float>(results[t].entropy);
    transform.beta[s] = static_cast<float>(results[t].beta);
    transform.weight_on_max[s] =
        weights[t * static_cast<std::size_t>(evaluation.items) + largest_priority];
  }
}

SetEvaluation cpu_evaluate(const Parameters<float>& head, const ItemSetsView& sets,
                           const EvaluationRequest& request, ThreadPool& thread_pool) {
  SetEvaluation result =
      empty_evaluation(head.shape.classes, sets.sets, sets.items, request.transforms);
  if (request.logits != nullptr) request.logits->resize(area(sets.sets, sets.items));
  const Job job{head, sets, request, result};
  std::vector<Space> spaces(static_cast<std::size_t>(thread_pool.threads()));
  // A power of two, so that longer calls cut the same groups as shorter ones.
  const int per_group =
      static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(1, kChunkRows / sets.items))));
  const int groups = (sets.sets + per_group - 1) / per_group;
  thread_pool.run(groups, [&](int group, int thread) {
    const int first = group * per_group;
    evaluate_group(job, first, std::min(per_group, sets.sets - first),
                   spaces[static_cast<std::size_t>(thread)]);
  });
  return result;
}

}  // namespace dispersion
