#pragma once

#include <span>
#include <vector>

#include "core/backend.h"

namespace dispersion {

// A long series in as many buckets as there are pixels: what a line through all points would cover,
// and its middle. Values that are not finite are left out and counted.
struct Decimated {
  std::vector<double> x;  // step in the middle of the bucket
  std::vector<double> low;
  std::vector<double> high;
  std::vector<double> mean;
  std::size_t not_finite = 0;
};

// value: of a record. buckets >= 1.
Decimated decimate(std::span<const StepRecord> records, std::size_t buckets,
                   double (*value)(const StepRecord&));

}  // namespace dispersion
