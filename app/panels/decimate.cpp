#include "app/panels/decimate.h"

#include <algorithm>
#include <cmath>

namespace dispersion {

Decimated decimate(std::span<const StepRecord> records, std::size_t buckets,
                   double (*value)(const StepRecord&)) {
  Decimated result;
  const std::size_t count = std::min(std::max<std::size_t>(buckets, 1), records.size());
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    const std::size_t begin = records.size() * bucket / count;
    const std::size_t end = records.size() * (bucket + 1) / count;
    double low = 0;
    double high = 0;
    double sum = 0;
    std::size_t used = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double y = value(records[i]);
      if (!std::isfinite(y)) {
        ++result.not_finite;
        continue;
      }
      low = used == 0 ? y : std::min(low, y);
      high = used == 0 ? y : std::max(high, y);
      sum += y;
      ++used;
    }
    if (used == 0) continue;
    const double first = static_cast<double>(records[begin].step);
    const double last = static_cast<double>(records[end - 1].step);
    result.x.push_back((first + last) / 2);
    result.low.push_back(low);
    result.high.push_back(high);
    result.mean.push_back(sum / static_cast<double>(used));
  }
  return result;
}

}  // namespace dispersion
