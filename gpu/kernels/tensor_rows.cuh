#pragma once

#include "gpu/kernels/tensor_tile.cuh"

namespace dispersion {

// A row's sums so far, of the thread's own columns: with x = exponent_scale q . k - centre, of 2^x
// and of 2^x x. The centre, exponent_scale times the largest logit, is the same in all lanes of a
// row; that it is rounded does not matter, as nothing else is used.
struct TensorSums {
  float largest = kMaskedLogit;
  float centre = 0;
  float sum = 0;
  float weighted_sum = 0;
};

// Moves the sums to the largest logit with the new ones. Returns what older sums are to be
// multiplied with.
__device__ inline float raise_centre(const float (&logits)[kPairs], float exponent_scale,
                                     TensorSums& row) {
  float largest = row.largest;
#pragma unroll
  for (int i = 0; i < kPairs; ++i)
    largest = fmaxf(largest, logits[i]);
  largest = row_largest(largest);
  if (largest == row.largest) return 1;
  const float centre = exponent_scale * largest;
  const float shift = row.sum > 0 ? row.centre - centre : 0.0f;
  const float factor = fast_exp2(shift);
  row.weighted_sum = factor * fmaf(shift, row.sum, row.weighted_sum);
  row.sum *= factor;
  row.largest = largest;
  row.centre = centre;
  return factor;
}

// Adds the logits and turns them into their weights.
__device__ inline void push_tensor_logits(float exponent_scale, float (&logits)[kPairs],
                                          TensorSums& row) {
  float sum = 0;
  float weighted_sum = 0;
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    const float x = fmaf(exponent_scale, logits[i], -row.centre);
    logits[i] = fast_exp2(x);
    sum += logits[i];
    weighted_sum = fmaf(logits[i], x, weighted_sum);
  }
  row.sum += sum;
  row.weighted_sum += weighted_sum;
}

__device__ inline void write_tensor_rows(const TensorTile& tile, const TensorSums (&sums)[2]) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    StreamingEntropy<double> whole;
    whole.max = kLog2 * static_cast<double>(sums[r].centre);
    whole.sum = static_cast<double>(row_sum(sums[r].sum));
    whole.weighted_sum = kLog2 * static_cast<double>(row_sum(sums[r].weighted_sum));
    if (tile.lane % 4 == 0 && tile.query(r) < tile.rows.n)
      write_row(tile.rows, sums[r].largest, whole, tile.row(tile.query(r)));
  }
}

}  // namespace dispersion
