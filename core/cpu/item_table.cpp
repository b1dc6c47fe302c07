#include "core/cpu/item_table.h"

#include <algorithm>
#include <atomic>

#include "core/math/area.h"

namespace dispersion {
namespace {

// Items that one task looks up.
constexpr std::size_t kItemsPerTask = 8192;

}  // namespace

void ItemTable::assign(const Parameters<float>& head, Rounding rounding) {
  if (head_.rounding == rounding && source_ == head) return;
  source_ = head;
  head_.assign(head, rounding);
  row_count_ = 0;
  chunks_.clear();
  const std::size_t patterns = std::size_t{short_bits(rounding, 1.0f)} + 1;
  row_of_cell_.assign(patterns * static_cast<std::size_t>(head.shape.classes), -1);
}

std::size_t ItemTable::cell(float priority, std::uint8_t item_class) const {
  const std::size_t classes = static_cast<std::size_t>(head_.parameters.shape.classes);
  return short_bits(head_.rounding, priority) * classes + item_class;
}

std::int32_t ItemTable::add_row(float priority, std::uint8_t item_class) {
  const std::size_t place = static_cast<std::size_t>(row_count_ % kChunkRows);
  if (place == 0) {
    Chunk& chunk = chunks_.emplace_back();
    chunk.priority.resize(kChunkRows);
    chunk.item_class.resize(kChunkRows);
  }
  chunks_.back().priority[place] = priority;
  chunks_.back().item_class[place] = item_class;
  return row_count_++;
}

// The chunk that was begun before is computed once more as a whole, to the same bits.
void ItemTable::compute(std::size_t first_chunk, ThreadPool& thread_pool) {
  spaces_.resize(static_cast<std::size_t>(thread_pool.threads()));
  const std::size_t size = 2 * area(kChunkRows, head_.parameters.shape.width);
  thread_pool.run(static_cast<int>(chunks_.size() - first_chunk), [&](int task, int thread) {
    Chunk& chunk = chunks_[first_chunk + static_cast<std::size_t>(task)];
    RoundedActivations& space = spaces_[static_cast<std::size_t>(thread)];
    rounded_items(head_, chunk.priority.data(), chunk.item_class.data(), kChunkRows, false, space);
    std::copy_n(space.key_value.data(), size, chunk.key_value.reserve(size));
  });
}

void ItemTable::find(std::span<const float> priority, std::span<const std::uint8_t> item_class,
                     ThreadPool& thread_pool, std::span<std::int32_t> rows) {
  std::atomic<bool> missing{false};
  const auto cell_of = [&](std::size_t i) {
    float rounded = 0;
    round_values(head_.rounding, &priority[i], &rounded, 1);
    return cell(rounded, item_class[i]);
  };
  const std::size_t tasks = (priority.size() + kItemsPerTask - 1) / kItemsPerTask;
  thread_pool.run(static_cast<int>(tasks), [&](int task, int) {
    const std::size_t begin = static_cast<std::size_t>(task) * kItemsPerTask;
    const std::size_t end = std::min(begin + kItemsPerTask, priority.size());
    bool all_there = true;
    for (std::size_t i = begin; i < end; ++i) {
      rows[i] = row_of_cell_[cell_of(i)];
      all_there = all_there && rows[i] >= 0;
    }
    if (!all_there) missing = true;
  });
  if (!missing) return;
  const std::size_t first_chunk = static_cast<std::size_t>(row_count_ / kChunkRows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= 0) continue;
    std::int32_t& row = row_of_cell_[cell_of(i)];
    if (row < 0) {
      float rounded = 0;
      round_values(head_.rounding, &priority[i], &rounded, 1);
      row = add_row(rounded, item_class[i]);
    }
    rows[i] = row;
  }
  compute(first_chunk, thread_pool);
}

}  // namespace dispersion
