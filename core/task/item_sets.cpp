#include "core/task/item_sets.h"

namespace dispersion {

ItemSetsView ItemSetsView::slice(int first, int count) const {
  const std::size_t item_offset = static_cast<std::size_t>(first) * static_cast<std::size_t>(items);
  return {count,         items,        priority + item_offset, item_class + item_offset,
          query + first, label + first};
}

ItemSetsView ItemSets::view() const {
  return {sets, items, priority.data(), item_class.data(), query.data(), label.data()};
}

void ItemSets::resize(int set_count, int item_count) {
  sets = set_count;
  items = item_count;
  const std::size_t total = static_cast<std::size_t>(sets) * static_cast<std::size_t>(items);
  priority.resize(total);
  item_class.resize(total);
  query.resize(static_cast<std::size_t>(sets));
  label.resize(static_cast<std::size_t>(sets));
}

int first_largest(std::span<const float> values) {
  int best = 0;
  for (int i = 1; i < static_cast<int>(values.size()); ++i) {
    if (values[i] > values[best]) best = i;
  }
  return best;
}

void draw_item_sets(std::uint32_t seed, RandomPurpose purpose, std::uint32_t step,
                    std::uint32_t first_set, ItemSets& sets) {
  for (int s = 0; s < sets.sets; ++s) {
    const std::uint32_t set = first_set + static_cast<std::uint32_t>(s);
    const std::size_t row = static_cast<std::size_t>(s) * static_cast<std::size_t>(sets.items);
    float* priority = sets.priority.data() + row;
    std::uint8_t* item_class = sets.item_class.data() + row;
    for (int i = 0; i < sets.items; ++i) {
      const PhiloxBlock block =
          draw_block(seed, purpose, {step, set, static_cast<std::uint32_t>(i), Draw::kItem});
      priority[i] = uniform_from_24_bits(block.word[0]);
      item_class[i] = static_cast<std::uint8_t>(uniform_below(block.word[1], kClasses));
    }
    sets.query[s] =
        uniform_from_24_bits(draw_block(seed, purpose, {step, set, 0, Draw::kQuery}).word[0]);
    sets.label[s] = item_class[first_largest({priority, static_cast<std::size_t>(sets.items)})];
  }
}

int draw_batch_size(std::uint32_t seed, std::uint32_t step, int smallest, int largest) {
  const PhiloxBlock block =
      draw_block(seed, RandomPurpose::kTraining, {step, 0, 0, Draw::kBatchSize});
  return smallest + static_cast<int>(uniform_below(
                        block.word[0], static_cast<std::uint32_t>(largest - smallest + 1)));
}

}  // namespace dispersion
