#include "core/task/item_sets.h"

#include <algorithm>

#include "core/math/largest.h"
#include "core/task/philox_lanes.h"

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
  const int index = first_at_least(values, largest_value(values), 0);
  return index < static_cast<int>(values.size()) ? index : 0;  // nothing is a number
}

namespace {

// Items first .. first + kDrawn - 1 of a set, all at once. (The same numbers as draw_block; a test
// compares them.)
constexpr int kDrawn = PhiloxLanes::kCount;

void draw_lanes(PhiloxKey key, std::uint32_t step, std::uint32_t set, std::uint32_t first,
                float* priority, std::uint8_t* item_class) {
  PhiloxLanes lanes;
  for (int r = 0; r < PhiloxLanes::kRegisters; ++r) {
    const std::uint32_t index = first + static_cast<std::uint32_t>(r * kLanesOfRegister);
    lanes.word[0][r] = same_word(step);
    lanes.word[1][r] = same_word(set);
    lanes.word[2][r] = same_word(index) + WordLanes{0, 1, 2, 3};
    lanes.word[3][r] = same_word(static_cast<std::uint32_t>(Draw::kItem));
  }
  philox4x32_10(lanes, key);
  for (int l = 0; l < kDrawn; ++l)
    priority[l] = uniform_from_24_bits(lanes.at(0, l));
  for (int l = 0; l < kDrawn; ++l)
    item_class[l] = static_cast<std::uint8_t>(uniform_below(lanes.at(1, l), kClasses));
}

void draw_items(std::uint32_t seed, RandomPurpose purpose, std::uint32_t step, std::uint32_t set,
                int items, float* priority, std::uint8_t* item_class) {
  const PhiloxKey key = {{seed, static_cast<std::uint32_t>(purpose)}};
  int i = 0;
  for (; i + kDrawn <= items; i += kDrawn)
    draw_lanes(key, step, set, static_cast<std::uint32_t>(i), priority + i, item_class + i);
  if (i == items) return;
  float last_priority[kDrawn];
  std::uint8_t last_class[kDrawn];
  draw_lanes(key, step, set, static_cast<std::uint32_t>(i), last_priority, last_class);
  std::copy_n(last_priority, items - i, priority + i);
  std::copy_n(last_class, items - i, item_class + i);
}

}  // namespace

void draw_item_sets(std::uint32_t seed, RandomPurpose purpose, std::uint32_t step,
                    std::uint32_t first_set, ItemSets& sets) {
  for (int s = 0; s < sets.sets; ++s) {
    const std::uint32_t set = first_set + static_cast<std::uint32_t>(s);
    const std::size_t row = static_cast<std::size_t>(s) * static_cast<std::size_t>(sets.items);
    float* priority = sets.priority.data() + row;
    std::uint8_t* item_class = sets.item_class.data() + row;
    draw_items(seed, purpose, step, set, sets.items, priority, item_class);
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
