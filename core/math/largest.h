#pragma once

#include <span>

namespace dispersion {

// The largest value; values.size() >= 1. NaN is passed over.
float largest_value(std::span<const float> values);

// Index of the first value >= least, from `first` on; values.size() when there is none.
int first_at_least(std::span<const float> values, float least, int first);

}  // namespace dispersion
