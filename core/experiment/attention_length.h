#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/experiment/sequence_backend.h"
#include "core/progress.h"

namespace dispersion {

// Time, memory and errors of attention over random sequences of one length.
struct AttentionLength {
  int n = 0;
  bool adaptive = true;                                 // in two passes; otherwise softmax alone
  AttentionNumbers numbers = AttentionNumbers::kFloat;  // those that the backend really used
  double seconds = 0;                                   // 0: not timed
  std::size_t bytes = 0;                                // of the arrays of all heads
  std::size_t matrix_bytes = 0;  // that all weights, [heads, n, n], would take as floats
  double entropy = 0;            // nats, mean over the rows
  double beta = 1;               // mean over the rows
  double sharpened = 0;          // share of rows with beta above 1
  // Largest distances of the checked rows from the same rows computed in double by the definition.
  std::int64_t rows = 0;  // of all heads
  int checked_rows = 0;
  double entropy_error = 0;  // nats
  double beta_error = 0;
  double out_error = 0;  // of any channel of the output, whose values are at most 1.74 in size

  bool operator==(const AttentionLength&) const = default;
};

struct LengthSettings {
  std::uint32_t seed = 1;
  double spread = 3;      // standard deviation of the logits
  int checked_rows = 64;  // at most; evenly over the rows of all heads, with the last one
  // What of the heads is in memory at a time, but for one that is larger.
  std::size_t piece_bytes = std::size_t{256} << 20;
};

// Throws what attention_length() would throw if the memory were too small, without computing
// anything.
void require_attention_room(const SequenceBackend& sequence_backend,
                            const SequenceAttention& attention,
                            std::size_t piece_bytes = LengthSettings().piece_bytes);

// Draws sequences, attends over them and checks some rows, some heads at a time. Returns nothing
// after a stop. Throws as SequenceBackend::attend().
std::optional<AttentionLength> attention_length(SequenceBackend& sequence_backend,
                                                const SequenceAttention& attention,
                                                const LengthSettings& settings,
                                                const Progress& progress);

}  // namespace dispersion
