#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "core/attention/sequence_attention.h"
#include "core/progress.h"

namespace dispersion {

// The output of attention over sequences, with its time and memory.
struct AttentionRun {
  AttendedSequences attended;
  // The numbers that were really used: a device without tensor cores for bf16 uses floats instead.
  AttentionNumbers numbers = AttentionNumbers::kFloat;
  double seconds = 0;     // without copies to and from a device
  std::size_t bytes = 0;  // memory of the sequences, the output and the rows' figures
};

// Computes attention over sequences, on the CPU or on a CUDA device (gpu/cuda_backend.h).
class SequenceBackend {
 public:
  virtual ~SequenceBackend() = default;

  // "CPU" or "CUDA device 0, NAME".
  virtual std::string description() const = 0;

  // The same with the number of threads, on which times depend: "CPU, 2 threads".
  virtual std::string description_with_threads() const { return description(); }

  // Throws std::invalid_argument for a request that is not valid or whose transform this backend
  // does not take (TransformDefinition::on_device), and std::runtime_error with the
  // bytes needed, the bytes free and the largest n that fits when the memory is too small. Cheap,
  // so that it can be called before the sequences are drawn.
  virtual void require_room(const SequenceAttention& attention) const = 0;

  // Returns nothing after a stop. Throws as require_room().
  virtual std::optional<AttentionRun> attend(const SequenceAttention& attention,
                                             const Sequences& sequences,
                                             const Progress& keep_going) = 0;
};

// threads: 0 for as many as the machine has. Results do not depend on their number.
std::unique_ptr<SequenceBackend> make_cpu_sequence_backend(int threads);

// Bytes of memory that can be allocated without swapping, less a share for other programs; the
// largest number where the system does not report it.
std::size_t available_host_memory();

// Throws the std::runtime_error of require_room() unless the attention, with numbers of
// `number_bytes`, fits into `bytes`. `where` names the memory in the message: "memory".
void require_attention_fits(const SequenceAttention& attention, std::size_t number_bytes,
                            std::size_t bytes, const std::string& where);

}  // namespace dispersion
