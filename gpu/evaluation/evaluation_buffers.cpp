#include "gpu/evaluation/evaluation_buffers.h"

#include <algorithm>

#include "gpu/runtime/buffer.h"

namespace dispersion {
namespace {

constexpr int kMostSets = 2048;
constexpr int kMostItems = 1 << 24;  // of one call

std::size_t moment_count(const EvaluationHead& head, std::size_t rows) {
  return rows * static_cast<std::size_t>(kHeadClasses * head.cells * 4);
}

std::size_t lay_out(const EvaluationHead& head, std::byte* base, EvaluationMemory& memory) {
  Layout layout(base);
  const std::size_t sets = static_cast<std::size_t>(memory.sets.sets);
  const std::size_t rows = sets * static_cast<std::size_t>(memory.transforms.count);
  const std::size_t pieces = sets * static_cast<std::size_t>(chunks(memory.sets.items));
  layout.place(memory.chunk_scores, pieces);
  layout.place(memory.chunk_pools, pieces);
  layout.place(memory.set_scores, sets);
  layout.place(memory.weight_on_max, rows);
  layout.place(memory.pooled, rows * kWidth);
  layout.place(memory.results, sets);
  layout.place(memory.transform_results, rows);
  if (head.items.count > 0) {
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
                                     const EvaluationTransforms& transforms) {
  memory_.sets = sets;
  memory_.transforms = transforms;
  device_ = DeviceBuffer<std::byte>(lay_out(head, nullptr, memory_));
  lay_out(head, device_.data(), memory_);
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

std::size_t GivenSets::bytes_of_set(int items, bool with_logits) {
  const std::size_t of_item =
      sizeof(float) + sizeof(std::uint8_t) + (with_logits ? sizeof(float) : 0);
  return sizeof(float) + static_cast<std::size_t>(items) * of_item;
}

GivenSets::GivenSets(const ItemSetsView& given, bool with_logits, Stream& stream) {
  const std::size_t sets = static_cast<std::size_t>(given.sets);
  const std::size_t items = sets * static_cast<std::size_t>(given.items);
  priority_ = DeviceBuffer<float>(items);
  item_class_ = DeviceBuffer<std::uint8_t>(items);
  query_ = DeviceBuffer<float>(sets);
  if (with_logits) logits_ = DeviceBuffer<float>(items);
  stream.upload<float>({given.priority, items}, priority_.data());
  stream.upload<std::uint8_t>({given.item_class, items}, item_class_.data());
  stream.upload<float>({given.query, sets}, query_.data());
  sets_.sets = given.sets;
  sets_.items = given.items;
  sets_.priority = priority_.data();
  sets_.item_class = item_class_.data();
  sets_.query = query_.data();
}

void GivenSets::fetch_logits(std::span<float> to, Stream& stream) const {
  stream.download<float>(logits_.data(), to);
  stream.synchronise();
}

}  // namespace dispersion
