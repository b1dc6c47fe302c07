#pragma once

#include <cstdint>

namespace dispersion {

// Exact two-sided McNemar test of two classifiers on the same sets: b only the first got right, c
// only the second. p = min(1, 2 P(X <= min(b, c))), X ~ Bin(b + c, 1/2); 1 when they never differ.
// Throws std::invalid_argument for negative counts.
double mcnemar_p(std::int64_t b, std::int64_t c);

}  // namespace dispersion
