#include <memory>
#include <stdexcept>
#include <string>

#include "benches.h"
#include "core/attention/transforms.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/size_table.h"
#include "figures.h"
#include "gpu/cuda_backend.h"

namespace dispersion {
namespace {

// Products and sums of the passes over n x n logits of d channels: q . k, and with it the values.
double flops(const SequenceAttention& attention) {
  const double matrix = 2.0 * attention.n * attention.n * attention.d;
  return (attention.transform.id == TransformId::kAdaptive ? 3 : 2) * matrix;
}

AttentionLength length(SequenceBackend& sequence_backend, const SequenceAttention& attention) {
  const auto row = attention_length(sequence_backend, attention, {}, {});
  if (!row) throw std::runtime_error("attention ended early");
  return *row;
}

std::string name_of(const SequenceAttention& attention) {
  return "attention_" + std::string(attention_numbers_name(attention.numbers)) + "_" +
         std::string(transform_name(attention.transform.id)) + "_" + std::to_string(attention.n) +
         "_";
}

void errors(const SequenceAttention& attention, const AttentionLength& row) {
  figure(name_of(attention) + "entropy_error", row.entropy_error);
  figure(name_of(attention) + "out_error", row.out_error);
}

double longest(SequenceBackend& sequence_backend, const SequenceAttention& attention) {
  const AttentionLength row = length(sequence_backend, attention);
  figure(name_of(attention) + "ms", 1e3 * row.seconds);
  figure(name_of(attention) + "tflops", 1e-12 * flops(attention) / row.seconds);
  figure(name_of(attention) + "mb", 1e-6 * static_cast<double>(row.bytes));
  errors(attention, row);
  return row.seconds;
}

}  // namespace

void attention_bench(const BenchSizes& sizes) {
  std::string reason;
  const auto sequence_backend = make_cuda_sequence_backend(0, DeviceUse::kForeground, reason);
  if (!sequence_backend) throw std::runtime_error(reason);
  for (const auto numbers : {AttentionNumbers::kBf16, AttentionNumbers::kFloat}) {
    SequenceAttention attention = {
        .heads = 1, .n = sizes.longest_sequence, .d = sizes.channels, .numbers = numbers};
    attention.transform.id = TransformId::kSoftmax;
    const double plain = longest(*sequence_backend, attention);
    attention.transform.id = TransformId::kAdaptive;
    const double adaptive = longest(*sequence_backend, attention);
    figure(name_of(attention) + "to_plain", adaptive / plain);
    for (const int n : doubling_sizes(sizes.shortest_sequence, sizes.longest_sequence / 2)) {
      attention.n = n;
      errors(attention, length(*sequence_backend, attention));
    }
  }
}

}  // namespace dispersion
