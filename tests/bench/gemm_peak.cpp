#include "tests/bench/gemm_peak.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include "core/math/eigen_product.h"
#include "core/math/product.h"

namespace dispersion::bench {
namespace {

constexpr int kRows = 336;  // a slice of a training batch: 32 sets of 10.5 items
constexpr int kWidth = 128;
constexpr int kTurns = 9;
constexpr int kRepeats = 40;

using Multiply = std::function<bool(bool, bool, int, int, int, const float*, const float*, float*)>;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kRepeats; ++i)
    work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Rate of the three products of a dense layer: forward, input gradient, kernel gradient.
double layer_gflops(const Multiply& multiply_once) {
  std::vector<float> rows(kRows * kWidth, 0.5f);
  std::vector<float> kernel(kWidth * kWidth, 0.25f);
  std::vector<float> out(kRows * kWidth);
  const double seconds = seconds_of([&] {
    multiply_once(false, false, kRows, kWidth, kWidth, rows.data(), kernel.data(), out.data());
    multiply_once(false, true, kRows, kWidth, kWidth, rows.data(), kernel.data(), out.data());
    multiply_once(true, false, kWidth, kWidth, kRows, rows.data(), out.data(), kernel.data());
    std::fill(kernel.begin(), kernel.end(), 0.25f);
  });
  return 3.0 * 2 * kRows * kWidth * kWidth * kRepeats / seconds / 1e9;
}

Transpose orientation(bool transposed) {
  return transposed ? Transpose::kYes : Transpose::kNo;
}

}  // namespace

std::vector<GemmRate> measure_gemm_rates() {
  const std::pair<std::string, Multiply> libraries[] = {
      {"Eigen",
       [](bool ta, bool tb, int m, int n, int k, const float* a, const float* b, float* c) {
         eigen_multiply(orientation(ta), orientation(tb), m, n, k, a, b, Into::kReplace, c);
         return true;
       }},
      {"OpenBLAS", openblas_multiply},
      {std::string(product_library()),
       [](bool ta, bool tb, int m, int n, int k, const float* a, const float* b, float* c) {
         multiply(orientation(ta), orientation(tb), m, n, k, a, b, Into::kReplace, c);
         return true;
       }},
  };
  std::vector<GemmRate> rates;
  for (const auto& [name, multiply_once] : libraries) {
    float one = 1;
    float out = 0;
    if (multiply_once(false, false, 1, 1, 1, &one, &one, &out)) rates.push_back({name, 0});
  }
  for (int turn = 0; turn < kTurns; ++turn) {
    std::size_t next = 0;
    for (const auto& [name, multiply_once] : libraries) {
      if (next < rates.size() && rates[next].name == name) {
        rates[next].gflops = std::max(rates[next].gflops, layer_gflops(multiply_once));
        ++next;
      }
    }
  }
  return rates;
}

}  // namespace dispersion::bench
