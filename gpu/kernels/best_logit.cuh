#pragma once

#include <cuda_runtime.h>

#include "gpu/kernels/evaluation_memory.h"

namespace dispersion {

// The largest logit so far and its item; of equal ones the first.
struct BestLogit {
  double logit;
  int item;
};

__device__ inline BestLogit no_logit(const EvaluationSets& sets) {
  return {-static_cast<double>(INFINITY), sets.items};
}

__device__ inline BestLogit join_best(const BestLogit& a, const BestLogit& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.item < b.item) ? a : b;
}

}  // namespace dispersion
