#include "core/experiment/attention_length.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/math/area.h"

namespace dispersion {
namespace {

// Shares of the work that are done after drawing and after attending; checking is the rest.
constexpr double kDrawn = 0.1;
constexpr double kAttended = 0.7;

double mean(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values)
    sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

// Keeps the larger error; NaN counts as larger than any number.
void raise(double error, double& largest) {
  if (!(error <= largest)) largest = error;
}

// Compares one row of the output with the same row computed by the definition.
void check_row(const SequenceAttention& attention, const Sequences& sequences,
               const AttendedSequences& attended, std::size_t row, AttentionLength& length) {
  const auto n = static_cast<std::size_t>(attention.n);
  const AttendedRow exact =
      attend_row(attention, sequences, static_cast<int>(row / n), static_cast<int>(row % n));
  raise(std::abs(static_cast<double>(attended.entropy[row]) - exact.entropy), length.entropy_error);
  raise(std::abs(static_cast<double>(attended.beta[row]) - exact.beta), length.beta_error);
  const float* out = attended.out.data() + row * exact.out.size();
  for (std::size_t c = 0; c < exact.out.size(); ++c)
    raise(std::abs(static_cast<double>(out[c]) - exact.out[c]), length.out_error);
  ++length.checked_rows;
}

}  // namespace

void require_attention_room(const SequenceBackend& sequence_backend,
                            const SequenceAttention& attention) {
  sequence_backend.require_room(attention);
  // Wherever the attention runs, the host draws the sequences and checks the output, in floats.
  require_attention_fits(attention, sizeof(float), available_host_memory(), "memory");
}

std::optional<AttentionLength> attention_length(SequenceBackend& sequence_backend,
                                                const SequenceAttention& attention,
                                                const LengthSettings& settings,
                                                const Progress& progress) {
  require_attention_room(sequence_backend, attention);
  if (!progress(0)) return std::nullopt;
  const Sequences sequences = draw_sequences(attention, settings.seed, settings.spread);
  const auto run = sequence_backend.attend(attention, sequences, progress.part(kDrawn, kAttended));
  if (!run) return std::nullopt;
  const std::size_t rows = area(attention.heads, attention.n);
  AttentionLength length{
      .n = attention.n,
      .adaptive = attention.transform.id == TransformId::kAdaptive,
      .numbers = run->numbers,
      .seconds = run->seconds,
      .bytes = run->bytes,
      .matrix_bytes = rows * static_cast<std::size_t>(attention.n) * sizeof(float),
      .entropy = mean(run->attended.entropy),
      .beta = mean(run->attended.beta),
      .sharpened = static_cast<double>(std::ranges::count_if(run->attended.beta,
                                                             [](float beta) { return beta > 1; })) /
                   static_cast<double>(rows),
      .rows = static_cast<std::int64_t>(rows)};
  const Progress checking = progress.part(kAttended, 1);
  const auto checks = std::min(rows, static_cast<std::size_t>(settings.checked_rows));
  for (std::size_t i = 1; i <= checks; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(checks);
    if (!checking(share)) return std::nullopt;
    check_row(attention, sequences, run->attended, i * rows / checks - 1, length);
  }
  return length;
}

}  // namespace dispersion
