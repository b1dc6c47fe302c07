#pragma once

#include <cuda_runtime.h>

namespace dispersion {

// A sum of floats about as exact as one in double (two-sum, Knuth, "The Art of Computer
// Programming", volume 2, 4.2.2): the error of every addition is kept. Six additions, where one in
// double with its conversion takes as long as ten of them, and more than a hundred on devices with
// few units for double.
struct CompensatedSum {
  float sum = 0;
  float error = 0;

  __device__ void add(float x) {
    const float next = sum + x;
    const float added = next - sum;
    error += (sum - (next - added)) + (x - added);
    sum = next;
  }
  __device__ double value() const { return static_cast<double>(sum) + static_cast<double>(error); }
};

}  // namespace dispersion
