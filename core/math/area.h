#pragma once

#include <cstddef>

namespace dispersion {

// The number of elements of a matrix [rows, columns], which may exceed the range of int.
inline std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

}  // namespace dispersion
