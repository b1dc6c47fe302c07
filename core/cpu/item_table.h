#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cpu/thread_pool.h"
#include "core/precision/rounded_head.h"

namespace dispersion {

// Keys and values of items of one rounded head. A rounded priority from [0, 1] is one of under
// 16,400 numbers (bf16) or 15,400 (fp16), far fewer of them likely, and classes are few: so an item
// is looked up, and computed only when its like has not been seen before. What is computed does not
// depend on what was asked for before: the network runs on a fixed number of rows at a time, and a
// row's bits do not depend on the rows beside it (tested).
class ItemTable {
 public:
  // Rows that go through the network at once. Products take 4, 6 or 8 rows together, by library and
  // instruction set, and those left over in another way: so there must be none left over.
  static constexpr int kChunkRows = 144;

  // Makes it the table of a head; what it has is kept when it is that head's already. `rounding`
  // must round.
  void assign(const Parameters<float>& head, Rounding rounding);

  const RoundedHead& head() const { return head_; }

  // rows[i]: where the key and the value of item i are, for priorities in [0, 1]. Computes what is
  // missing. All of one length.
  void find(std::span<const float> priority, std::span<const std::uint8_t> item_class,
            ThreadPool& thread_pool, std::span<std::int32_t> rows);

  // A key, then a value, rounded: [2 width].
  const float* key_value(std::int32_t row) const {
    const std::size_t stride = 2 * static_cast<std::size_t>(head_.parameters.shape.width);
    return chunks_[static_cast<std::size_t>(row / kChunkRows)].key_value.data() +
           static_cast<std::size_t>(row % kChunkRows) * stride;
  }

  int row_count() const { return row_count_; }

 private:
  struct Chunk {
    std::vector<float> priority;           // [kChunkRows]; 0 where no row is yet
    std::vector<std::uint8_t> item_class;  // [kChunkRows]
    AlignedBuffer<float> key_value;        // [kChunkRows, 2 width]
  };

  std::size_t cell(float priority, std::uint8_t item_class) const;
  std::int32_t add_row(float priority, std::uint8_t item_class);
  void compute(std::size_t first_chunk, ThreadPool& thread_pool);

  Parameters<float> source_;
  RoundedHead head_;
  int row_count_ = 0;
  std::vector<std::int32_t> row_of_cell_;  // [16-bit pattern of the priority, class]; -1: none
  std::vector<Chunk> chunks_;
  std::vector<RoundedActivations> spaces_;  // [threads]
};

}  // namespace dispersion
