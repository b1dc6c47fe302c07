#include "core/experiment/attention_length.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/attention/sequence_pieces.h"
#include "core/math/area.h"

namespace dispersion {
namespace {

// Shares of the work of a piece that are done after drawing and after attending; checking is the
// rest.
constexpr double kDrawn = 0.1;
constexpr double kAttended = 0.7;

// As many heads as fit.
SequenceAttention piece_of(SequenceAttention attention, std::size_t bytes) {
  const auto heads = static_cast<std::size_t>(std::exchange(attention.heads, 1));
  const std::size_t fit = bytes / attention_bytes(attention, sizeof(float));
  attention.heads = static_cast<int>(std::clamp(fit, std::size_t{1}, heads));
  return attention;
}

void add_up(const std::vector<float>& values, double& sum) {
  for (const float value : values)
    sum += static_cast<double>(value);
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

// Those rows of the piece that are among the checked ones of all heads. Returns whether it was not
// stopped.
bool check_rows(const SequenceAttention& piece, int first_head, const Sequences& sequences,
                const AttendedSequences& attended, int checked_rows, const Progress& progress,
                AttentionLength& length) {
  const std::size_t first = area(first_head, piece.n);
  const std::size_t end = first + area(piece.heads, piece.n);
  const auto rows = static_cast<std::size_t>(length.rows);
  const auto checks = std::min(rows, static_cast<std::size_t>(checked_rows));
  for (std::size_t i = 1; i <= checks; ++i) {
    const std::size_t row = i * rows / checks - 1;
    if (row < first || row >= end) continue;
    if (!progress(static_cast<double>(i) / static_cast<double>(checks))) return false;
    check_row(piece, sequences, attended, row - first, length);
  }
  return true;
}

// Attends over a piece of the heads, from `first_head` on, and adds its rows up in `length`.
// Returns whether it was not stopped.
bool add_heads(SequenceBackend& sequence_backend, const SequenceAttention& piece, int first_head,
               const LengthSettings& settings, const Progress& progress, AttentionLength& length) {
  const Sequences sequences =
      draw_heads(piece, settings.seed, settings.spread, first_head, progress.part(0, kDrawn));
  if (progress.stopped()) return false;
  const auto run = sequence_backend.attend(piece, sequences, progress.part(kDrawn, kAttended));
  if (!run) return false;
  const AttendedSequences& attended = run->attended;
  length.numbers = run->numbers;
  length.seconds += run->seconds;
  length.bytes += run->bytes;
  add_up(attended.entropy, length.entropy);
  add_up(attended.beta, length.beta);
  length.sharpened += static_cast<double>(
      std::ranges::count_if(attended.beta, [](float beta) { return beta > 1; }));
  return check_rows(piece, first_head, sequences, attended, settings.checked_rows,
                    progress.part(kAttended, 1), length);
}

}  // namespace

void require_attention_room(const SequenceBackend& sequence_backend,
                            const SequenceAttention& attention, std::size_t piece_bytes) {
  validate(attention);
  const SequenceAttention piece = piece_of(attention, piece_bytes);
  sequence_backend.require_room(piece);
  // Wherever the attention runs, the host draws the sequences and checks the output, in floats.
  require_attention_fits(piece, sizeof(float), available_host_memory(), "memory");
}

std::optional<AttentionLength> attention_length(SequenceBackend& sequence_backend,
                                                const SequenceAttention& attention,
                                                const LengthSettings& settings,
                                                const Progress& progress) {
  require_attention_room(sequence_backend, attention, settings.piece_bytes);
  if (!progress(0)) return std::nullopt;
  const std::size_t rows = area(attention.heads, attention.n);
  AttentionLength length{
      .n = attention.n,
      .adaptive = attention.transform.id == TransformId::kAdaptive,
      .matrix_bytes = rows * static_cast<std::size_t>(attention.n) * sizeof(float),
      .beta = 0,
      .rows = static_cast<std::int64_t>(rows)};
  SequenceAttention piece = piece_of(attention, settings.piece_bytes);
  for (int head = 0; head < attention.heads; head += piece.heads) {
    piece.heads = std::min(piece.heads, attention.heads - head);
    const double share = static_cast<double>(head) / attention.heads;
    const double share_after = static_cast<double>(head + piece.heads) / attention.heads;
    if (!add_heads(sequence_backend, piece, head, settings, progress.part(share, share_after),
                   length))
      return std::nullopt;
  }
  const auto count = static_cast<double>(rows);
  length.entropy /= count;
  length.beta /= count;
  length.sharpened /= count;
  return length;
}

}  // namespace dispersion
