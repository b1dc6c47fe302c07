#pragma once

#include <algorithm>

#include "core/spectral/chebyshev.h"
#include "gpu/kernels/group_memory.h"

namespace dispersion {

// At most kMostItemNodesPerClass points, as a kernel takes them.
inline NodeTable node_table(const InterpolationPoints& points) {
  NodeTable table;
  table.count = points.count();
  std::copy(points.point.begin(), points.point.end(), table.point);
  std::copy(points.weight.begin(), points.weight.end(), table.weight);
  return table;
}

}  // namespace dispersion
