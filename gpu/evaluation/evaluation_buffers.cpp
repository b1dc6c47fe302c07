#include "gpu/evaluation/evaluation_buffers.h"

#include <algorithm>

#include "gpu/runtime/buffer.h"

namespace dispersion {
namespace {

std::size_t moment_count(const EvaluationHead& head, std::size_t rows) {
  return rows * static_cast<std::size_t>(kHeadClasses * head.cells * 4);
}

std::size_t lay_out(const EvaluationHead& head, std::byte* base, EvaluationMemory& memory) {
  Layout layout(base);
  const std::size_t sets = static_cast<std::size_t>(memory.sets.sets);
  const std::size_t rows = sets * static_cast<std::size_t>(memory.transforms.count);
  const std::size_t pieces =
      sets * static_cast<std::size_t>(chunks(is_spectral(head), memory.sets.items));
  layout.place(memory.chunk_scores, pieces);
  layout.place(memory.chunk_pools, pieces);
  layout.place(memory.set_scores, sets);
  layout.place(memory.weight_on_max, rows);
  layout.place(memory.weight_sums, rows);
  layout.place(memory.pooled, rows * kWidth);
  layout.place(memory.results, sets);
  layout.place(memory.transform_results, rows);
  if (is_spectral(head)) {
    const std::size_t cubics = kHeadClasses * static_cast<std::size_t>(head.cells) * 4;
    layout.place(memory.cubics, sets * cubics);
    layout.place(memory.node_logits,
                 sets * static_cast<std::size_t>(head.items.count) * kHeadClasses);
    layout.place(memory.constants, sets);
    layout.place(memory.moments, moment_count(head, rows));
  } else {
    layout.place(memory.score_vectors, sets * kWidth);
    layout.place(memory.score_offsets, sets);
    layout.place(memory.chunk_pooled,
                 pieces * static_cast<std::size_t>(memory.transforms.count) * kWidth);
  }
  return layout.bytes();
}

}  // namespace

int EvaluationBuffers::sets_at_once(int items) {
  return std::clamp(kMostItems / std::max(1, items), 1, kMostSets);
}

std::size_t EvaluationBuffers::bytes_of_set(const EvaluationHead& head, int items, int transforms) {
  EvaluationMemory memory{};
  memory.sets.sets = 1;
  memory.sets.items = items;
  memory.transforms.count = transforms;
  return lay_out(head, nullptr, memory);
}

EvaluationBuffers::EvaluationBuffers(const EvaluationHead& head, const EvaluationSets& sets,
                                     const EvaluationTransforms& transforms, KeptMemory& kept)
    : kept_(kept) {
  memory_.sets = sets;
  memory_.transforms = transforms;
  lay_out(head, kept_.begin_call(lay_out(head, nullptr, memory_)), memory_);
  const std::size_t rows =
      static_cast<std::size_t>(sets.sets) * static_cast<std::size_t>(transforms.count);
  if (memory_.moments != nullptr)
    moment_bytes_ = moment_count(head, rows) * sizeof(*memory_.moments);
  results_.resize(static_cast<std::size_t>(sets.sets));
  transform_results_.resize(rows);
}

void EvaluationBuffers::fetch(Stream& stream) {
  stream.download<SetResult>(memory_.results, results_);
  stream.download<TransformScore>(memory_.transform_results, transform_results_);
}

namespace {

struct GivenArrays {
  float* priority;
  std::uint8_t* item_class;
  float* query;
  float* logits;
};

std::size_t lay_out(std::size_t sets, std::size_t items, bool with_logits, std::byte* base,
                    GivenArrays& arrays) {
  Layout layout(base);
  layout.place(arrays.priority, sets * items);
  layout.place(arrays.item_class, sets * items);
  layout.place(arrays.query, sets);
  if (with_logits) layout.place(arrays.logits, sets * items);
  return layout.bytes();
}

}  // namespace

std::size_t GivenSets::bytes_of_set(int items, bool with_logits) {
  GivenArrays arrays{};
  return lay_out(1, static_cast<std::size_t>(items), with_logits, nullptr, arrays);
}

GivenSets::GivenSets(const ItemSetsView& given, bool with_logits, KeptMemory& kept, Stream& stream)
    : kept_(kept) {
  const std::size_t sets = static_cast<std::size_t>(given.sets);
  const std::size_t of_set = static_cast<std::size_t>(given.items);
  const std::size_t items = sets * of_set;
  GivenArrays arrays{};
  lay_out(sets, of_set, with_logits,
          kept_.begin_call(lay_out(sets, of_set, with_logits, nullptr, arrays)), arrays);
  stream.upload<float>({given.priority, items}, arrays.priority);
  stream.upload<std::uint8_t>({given.item_class, items}, arrays.item_class);
  stream.upload<float>({given.query, sets}, arrays.query);
  sets_.sets = given.sets;
  sets_.items = given.items;
  sets_.priority = arrays.priority;
  sets_.item_class = arrays.item_class;
  sets_.query = arrays.query;
  logits_ = arrays.logits;
}

void GivenSets::fetch_logits(std::span<float> to, Stream& stream) const {
  stream.download<float>(logits_, to);
  stream.synchronise();
}

}  // namespace dispersion
