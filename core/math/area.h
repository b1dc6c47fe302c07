#pragma once

#include <cstddef>

namespace dispersion {

// Number of elements of [rows, columns], without the overflow of int.
inline std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

}  // namespace dispersion
