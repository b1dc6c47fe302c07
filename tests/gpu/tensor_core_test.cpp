// What the twins of tensor-core instructions find fault with.

#include "tensor_core.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace {

constexpr int kRowChunks = 8;
constexpr int kRows = 32;

// A warp reads four matrices, lane l row l, whose chunk lies `turn(l)` on.
template <class Turn>
void read_rows(Turn turn) {
  emulation::run_grid({{1, 1, 1}, {32, 1, 1}, kRows * kRowChunks * sizeof(uint4)}, [&] {
    const auto* rows = static_cast<const uint4*>(emulation::dynamic_shared());
    const int row = emulation::lane();
    emulation::load_matrices(rows + row * kRowChunks + turn(row), false);
  });
}

TEST(TensorCore, RowsOfAMatrixInTheSameBanksAreRefused) {
  EXPECT_NO_THROW(read_rows([](int row) { return row % 8; }));
  EXPECT_THROW(read_rows([](int) { return 0; }), std::logic_error);
  EXPECT_THROW(read_rows([](int row) { return row % 8 / 2; }), std::logic_error);
}

// Before, what lay there last is gone already.
TEST(TensorCore, ACopyHasComeWhenItWasWaitedFor) {
  const uint4 from = {1, 2, 3, 4};
  std::vector<unsigned> seen;
  emulation::run_grid({{1, 1, 1}, {1, 1, 1}, sizeof(uint4)}, [&] {
    auto* to = static_cast<uint4*>(emulation::dynamic_shared());
    *to = {5, 6, 7, 8};
    emulation::begin_copy(&from, true, to);
    emulation::end_batch();
    emulation::end_batch();
    emulation::wait_for_batches(2);
    seen.push_back(to->y);
    emulation::wait_for_batches(1);
    seen.push_back(to->y);
    emulation::begin_copy(&from, false, to);
    emulation::end_batch();
    emulation::wait_for_batches(0);
    seen.push_back(to->y);
  });
  EXPECT_EQ(seen, (std::vector<unsigned>{~0U, 2, 0}));
}

}  // namespace
