#include "attention_bench.h"

#include <cuda_runtime_api.h>

#include <memory>
#include <stdexcept>

#include "core/experiment/attention_length.h"
#include "core/experiment/size_table.h"
#include "gpu/cuda_backend.h"
#include "gpu/runtime/cuda_error.h"

namespace dispersion {
namespace {

constexpr int kLongest = 131'072;
constexpr int kChannels = 128;

// Products and sums of the passes over n x n logits of d channels: q . k, and with it the values.
double flops(TransformId transform) {
  const double matrix = 2.0 * kLongest * kLongest * kChannels;
  return (transform == TransformId::kAdaptive ? 3 : 2) * matrix;
}

// Of fused multiply-adds in float, at the clock that the device is made for.
double float_flops_per_second() {
  int multiprocessors = 0;
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
        "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0), "cudaDeviceGetAttribute");
  constexpr double kLanes = 128;  // of a multiprocessor; 7.5 and 8.0 have 64
  return 2 * kLanes * multiprocessors * 1e3 * kilohertz;
}

AttentionLength length(SequenceBackend& sequence_backend, const SequenceAttention& attention) {
  const auto row = attention_length(sequence_backend, attention, {}, {});
  if (!row) throw std::runtime_error("attention ended early");
  return *row;
}

}  // namespace

void add_attention_figures(Figures& figures) {
  std::string reason;
  const auto sequence_backend = make_cuda_sequence_backend(0, DeviceUse::kForeground, reason);
  if (!sequence_backend) throw std::runtime_error(reason);
  for (const auto numbers : {AttentionNumbers::kBf16, AttentionNumbers::kFloat}) {
    SequenceAttention attention = {.heads = 1, .n = kLongest, .d = kChannels, .numbers = numbers};
    const std::string name = "attention_" + std::string(attention_numbers_name(numbers)) + "_";
    double seconds[2];
    for (const TransformId transform : {TransformId::kSoftmax, TransformId::kAdaptive}) {
      attention.transform.id = transform;
      const AttentionLength row = length(*sequence_backend, attention);
      const std::string of_map = name + std::string(transform_name(transform)) + "_131072_";
      double& time = seconds[transform == TransformId::kAdaptive ? 1 : 0];
      time = row.seconds;
      figures.emplace_back(of_map + "ms", 1e3 * time);
      figures.emplace_back(of_map + "tflops", 1e-12 * flops(transform) / time);
      figures.emplace_back(of_map + "mb", 1e-6 * static_cast<double>(row.bytes));
      if (row.numbers == AttentionNumbers::kFloat)
        figures.emplace_back(of_map + "to_floor",
                             time * float_flops_per_second() / flops(transform));
    }
    figures.emplace_back(name + "adaptive_to_plain", seconds[1] / seconds[0]);
    attention.transform.id = TransformId::kAdaptive;
    for (const int n : doubling_sizes(1024, kLongest)) {
      attention.n = n;
      const AttentionLength row = length(*sequence_backend, attention);
      const std::string of_n = name + "adaptive_" + std::to_string(n) + "_";
      figures.emplace_back(of_n + "entropy_error", row.entropy_error);
      figures.emplace_back(of_n + "out_error", row.out_error);
    }
  }
}

}  // namespace dispersion
