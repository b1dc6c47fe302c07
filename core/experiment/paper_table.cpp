#include "core/experiment/paper_table.h"

#include <algorithm>
#include <array>

namespace dispersion {
namespace {

constexpr std::array<PaperColumn, 11> kColumns = {{{16, 0.986, 0.986, 0.4},
                                                   {32, 0.971, 0.971, 0.4},
                                                   {64, 0.943, 0.945, 0.002},
                                                   {128, 0.897, 0.899, 2e-5},
                                                   {256, 0.813, 0.821, 2e-4},
                                                   {512, 0.701, 0.725, 3e-5},
                                                   {1024, 0.538, 0.577, 1e-4},
                                                   {2048, 0.357, 0.394, 6e-4},
                                                   {4096, 0.226, 0.249, 0.02},
                                                   {8192, 0.157, 0.175, 1e-3},
                                                   {16384, 0.124, 0.140, 4e-3}}};

}  // namespace

const PaperColumn* paper_column(int items) {
  const auto found = std::ranges::find(kColumns, items, &PaperColumn::items);
  return found == kColumns.end() ? nullptr : &*found;
}

}  // namespace dispersion
