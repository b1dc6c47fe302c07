#include "gpu/evaluation/device_head.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/spectral/spectral_tables.h"
#include "gpu/kernels/evaluation_kernels.h"
#include "gpu/kernels/node_table.h"

namespace dispersion {
namespace {

std::vector<float> transposed(std::span<const float> kernel) {
  std::vector<float> result(kernel.size());
  for (std::size_t i = 0; i < kWidth; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j)
      result[j * kWidth + i] = kernel[i * kWidth + j];
  }
  return result;
}

// The arrays of a head, [kWidth * kWidth] for the matrix; the tables empty on the direct path.
struct HeadArrays {
  std::span<const float> parameters;
  std::span<const float> key_transposed;
  SpectralTables tables;
};

// Lays the arrays out from `base` on and copies them there, for `view` to name; with a null base it
// only counts. Returns their bytes.
std::size_t put_arrays(const HeadArrays& arrays, std::byte* base, Stream& stream,
                       EvaluationHead& view) {
  Layout layout(base);
  const auto put = [&]<class T>(std::span<const T> from, const T*& to) {
    T* memory = nullptr;
    layout.place(memory, from.size());
    if (base == nullptr || from.empty()) return;
    stream.upload(from, memory);
    to = memory;
  };
  const SpectralTables& tables = arrays.tables;
  put(arrays.parameters, view.parameters);
  put(arrays.key_transposed, view.key_transposed);
  put(std::span<const double>(tables.node_logits), view.node_logits);
  put(std::span<const float>(tables.embedding), view.embedding);
  put(std::span<const double>(tables.cell_logits), view.cell_logits);
  put(std::span<const float>(tables.cell_matrix), view.cell_matrix);
  return layout.bytes();
}

}  // namespace

DeviceHead::DeviceHead(const Parameters<float>& head, const SpectralPoints& points,
                       std::size_t block_shared_bytes, KeptMemory& memory, Stream& stream) {
  const std::vector<float> key = transposed(head.tensor(TensorId::kKeyKernel));
  HeadArrays arrays{head.values, key, {}};
  if (points.spectral()) arrays.tables = make_spectral_tables(head, points);
  // Without cells the curves are too steep for cubics.
  const int cells = arrays.tables.cells.cells;
  if (cells > 0 && spectral_shared_bytes(cells) <= block_shared_bytes) {
    view_.items = node_table(arrays.tables.items);
    view_.queries = node_table(arrays.tables.queries);
    std::copy(arrays.tables.middle.begin(), arrays.tables.middle.end(), view_.middle);
    view_.cells = cells;
  } else {
    arrays.tables = {};
  }
  std::byte* const base = memory.begin_call(put_arrays(arrays, nullptr, stream, view_));
  const WaitOnError wait(stream);
  put_arrays(arrays, base, stream, view_);
  stream.synchronise();
}

}  // namespace dispersion
