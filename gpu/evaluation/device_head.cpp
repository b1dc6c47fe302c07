#include "gpu/evaluation/device_head.h"

#include <algorithm>
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

}  // namespace

template <class T>
const T* DeviceHead::put(std::span<const T> numbers, Stream& stream) {
  buffers_.emplace_back(numbers.size_bytes());
  T* memory = reinterpret_cast<T*>(buffers_.back().data());
  stream.upload(numbers, memory);
  return memory;
}

DeviceHead::DeviceHead(const Parameters<float>& head, const SpectralPoints& points,
                       std::size_t block_shared_bytes, Stream& stream) {
  const std::vector<float> key = transposed(head.tensor(TensorId::kKeyKernel));
  SpectralTables tables;
  const WaitOnError wait(stream);
  view_.parameters = put<float>(head.values, stream);
  view_.key_transposed = put<float>(key, stream);
  if (points.spectral()) tables = make_spectral_tables(head, points);
  // Without cells the curves are too steep for cubics.
  const int cells = tables.cells.cells;
  if (cells > 0 && spectral_shared_bytes(cells) <= block_shared_bytes) {
    view_.items = node_table(tables.items);
    view_.queries = node_table(tables.queries);
    std::copy(tables.middle.begin(), tables.middle.end(), view_.middle);
    view_.node_logits = put<double>(tables.node_logits, stream);
    view_.embedding = put<float>(tables.embedding, stream);
    view_.cells = cells;
    view_.cell_logits = put<double>(tables.cell_logits, stream);
    view_.cell_matrix = put<float>(tables.cell_matrix, stream);
  }
  stream.synchronise();
}

}  // namespace dispersion
