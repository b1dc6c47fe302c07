#pragma once

#include <cstdint>

namespace dispersion {

// A bfloat16 number: the upper half of a float.
struct Bf16 {
  std::uint16_t bits;
};

}  // namespace dispersion
