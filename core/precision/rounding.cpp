#include "core/precision/rounding.h"

#include <algorithm>

namespace dispersion {

Rounding product_rounding(Precision precision) {
  switch (precision) {
    case Precision::kBf16:
      return Rounding::kBf16;
    case Precision::kFp16:
      return Rounding::kFp16;
    case Precision::kFloat:
    case Precision::kBf16Priorities:
    case Precision::kFp16Priorities:
      break;
  }
  return Rounding::kNone;
}

Rounding priority_rounding(Precision precision) {
  switch (precision) {
    case Precision::kBf16Priorities:
    case Precision::kBf16:
      return Rounding::kBf16;
    case Precision::kFp16Priorities:
    case Precision::kFp16:
      return Rounding::kFp16;
    case Precision::kFloat:
      break;
  }
  return Rounding::kNone;
}

void round_values(Rounding rounding, const float* from, float* to, std::size_t count) {
  if (rounding == Rounding::kNone && from == to) return;
  with_rounding(rounding, [&](auto round) {
    for (std::size_t i = 0; i < count; ++i)
      to[i] = round(from[i]);
  });
}

}  // namespace dispersion
