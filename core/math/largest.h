#pragma once

#include <span>

namespace dispersion {

// The largest value; -infinity for an empty span. NaN is ignored. For float and double.
template <class Scalar>
Scalar largest_value(std::span<const Scalar> values);

// The number of values that equal `value`.
int count_equal(std::span<const float> values, float value);

// The index of the first value from index `first` on that is at least `least`; values.size() when
// there is none.
int first_at_least(std::span<const float> values, float least, int first);

}  // namespace dispersion
