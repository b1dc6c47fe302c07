#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "core/attention/transforms.h"

namespace dispersion {

// (e - largest) / theta of the items above -reach, in descending order: nothing below can get
// weight from sparsemax (reach 1) or entmax-1.5 (reach 2), so most of a long row is never sorted.
template <class Scalar>
std::vector<double> contenders(const LogitRow<Scalar>& row, double theta, double reach) {
  std::vector<double> values;
  for (const Scalar logit : row.logits) {
    const double value = (static_cast<double>(logit) - static_cast<double>(row.largest)) / theta;
    if (value > -reach) values.push_back(value);
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

// value where it is above 0, else 0; NaN stays NaN, so that logits which are not finite show.
inline double positive_part(double value) {
  return value <= 0 ? 0 : value;
}

}  // namespace dispersion
