#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/attention/sequence_attention.h"
#include "core/progress.h"

namespace dispersion {

// What attending took.
struct AttentionRun {
  AttendedSequences attended;
  // What was really used, where that is not what was asked for: a device without tensor cores for
  // bf16 takes floats.
  AttentionNumbers numbers = AttentionNumbers::kFloat;
  double seconds = 0;     // without copies to and from a device
  std::size_t bytes = 0;  // memory of the sequences, the output and the rows' figures
};

// Something that attends over sequences: the CPU, or a CUDA device (gpu/cuda_backend.h).
class SequenceBackend {
 public:
  virtual ~SequenceBackend() = default;

  // "CPU, 2 threads" or "CUDA device 0, NAME".
  virtual std::string description() const = 0;

  // Throws std::invalid_argument where the request cannot be meant, and std::runtime_error with the
  // bytes needed, the bytes free and the largest n that fits unless the memory holds it. Cheap: to
  // be asked before the sequences are drawn.
  virtual void require_room(const SequenceAttention& attention) const = 0;

  // Nothing where `keep_going` says no. Throws as above.
  virtual std::optional<AttentionRun> attend(const SequenceAttention& attention,
                                             const Sequences& sequences,
                                             const Progress& keep_going) = 0;
};

// threads: 0 for as many as the machine has. Results do not depend on it.
std::unique_ptr<SequenceBackend> make_cpu_sequence_backend(int threads);

// Bytes of the machine's memory that can be had without swapping; no limit where the system does
// not say.
std::size_t available_host_memory();

// Throws the std::runtime_error of require_room() unless `bytes_free` hold the attention in numbers
// of this size. where: "of memory", say.
void require_attention_fits(const SequenceAttention& attention, std::size_t number_bytes,
                            std::size_t bytes_free, const std::string& where);

}  // namespace dispersion
