#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dispersion {

using Figures = std::vector<std::pair<std::string, double>>;

// Streaming attention on the first device: plain and adaptive at d = 128 and n = 131,072 in bf16
// and float, each beside its floor, and the error against double along n.
void add_attention_figures(Figures& figures);

}  // namespace dispersion
