#pragma once

#include <span>

namespace dispersion {

// The largest value; -infinity without values. NaN is passed over. For float and double.
template <class Scalar>
Scalar largest_value(std::span<const Scalar> values);

// How many values equal `value`.
int count_equal(std::span<const float> values, float value);

// Index of the first value >= least, from `first` on; values.size() when there is none.
int first_at_least(std::span<const float> values, float least, int first);

}  // namespace dispersion
