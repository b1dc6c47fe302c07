#pragma once

#include <string>
#include <vector>

#include "core/experiment/depth.h"
#include "core/figure/figure.h"

namespace dispersion {

// A stack on one kind of sequence at growing lengths.
struct DepthRun {
  TokenPattern pattern = TokenPattern::kFirst;
  DepthOptions options;
  std::vector<int> items;                        // ascending
  std::vector<std::vector<LayerSpread>> layers;  // [sizes, layers]
};

// "{a, b, b, …}, BERT-style, no residual".
std::string depth_run_name(const DepthRun& run);

// Spread and entropy of every layer against n, and, for half a's and half b's, the erratum: weights
// that vanish while outputs stay apart.
Figure depth_figure(const DepthRun& run);

}  // namespace dispersion
