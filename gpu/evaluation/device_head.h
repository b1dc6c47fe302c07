#pragma once

#include <cstddef>

#include "core/head/parameters.h"
#include "core/spectral/points.h"
#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/kept_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// A head on the device, ready to be evaluated: its numbers, and the tables of the spectral path
// where `points` are spectral and a block may have the shared memory that the tables need. They lie
// in `memory`, which must stay and serve nothing else as long.
class DeviceHead {
 public:
  DeviceHead(const Parameters<float>& head, const SpectralPoints& points,
             std::size_t block_shared_bytes, KeptMemory& memory, Stream& stream);

  const EvaluationHead& view() const { return view_; }
  bool spectral() const { return view_.items.count > 0; }

 private:
  EvaluationHead view_{};
};

}  // namespace dispersion
