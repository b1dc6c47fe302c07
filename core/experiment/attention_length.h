#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/experiment/sequence_backend.h"
#include "core/progress.h"

namespace dispersion {

// What two-pass adaptive attention over random sequences of one length takes, and how right it is.
struct AttentionLength {
  int n = 0;
  AttentionNumbers numbers = AttentionNumbers::kFloat;  // that were really used
  double seconds = 0;
  std::size_t bytes = 0;         // of all arrays together
  std::size_t matrix_bytes = 0;  // what the weights, [heads, n, n], would have needed in floats
  double entropy = 0;            // nats, mean over the rows; as is
  double beta = 1;
  double sharpened = 0;  // share of rows with beta above 1
  // Largest distances from the definition in double.
  int checked_rows = 0;
  double entropy_error = 0;  // nats
  double beta_error = 0;
  double out_error = 0;  // of any channel of the output; values are at most 1.74 in size
};

struct LengthSettings {
  std::uint32_t seed = 1;
  double spread = 3;      // standard deviation of the logits
  int checked_rows = 64;  // at most, evenly over all heads' rows, the last one always among them
};

// Throws what attention_length() would throw for want of memory, and before anything is done.
void require_attention_room(const SequenceBackend& sequence_backend,
                            const SequenceAttention& attention);

// Nothing where `keep_going` says no. Throws as SequenceBackend::attend().
std::optional<AttentionLength> attention_length(SequenceBackend& sequence_backend,
                                                const SequenceAttention& attention,
                                                const LengthSettings& settings,
                                                const Progress& keep_going);

}  // namespace dispersion
