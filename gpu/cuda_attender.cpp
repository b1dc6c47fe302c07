#include "gpu/cuda_attender.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/experiment/sequence_attender.h"
#include "gpu/attention/streaming_attention.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"

namespace dispersion {
namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& from) {
  std::vector<To> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    convert_number(from[i], to[i]);
  return to;
}

// The arrays of a request, on the device.
template <class Number>
class DeviceSequences {
 public:
  DeviceSequences(Stream& stream, const SequenceAttention& attention, const Sequences& sequences)
      : stream_(stream),
        attention_(attention),
        numbers_{DeviceBuffer<Number>(sequences.q.size()), DeviceBuffer<Number>(sequences.q.size()),
                 DeviceBuffer<Number>(sequences.q.size()),
                 DeviceBuffer<Number>(sequences.q.size())},
        figures_{DeviceBuffer<float>(rows()), DeviceBuffer<float>(rows()),
                 DeviceBuffer<float>(rows()), DeviceBuffer<float>(rows())} {
    upload(sequences.q, numbers_[0]);
    upload(sequences.k, numbers_[1]);
    upload(sequences.v, numbers_[2]);
  }

  // Attends, and waits for it.
  void attend() {
    stream_attention(stream_, StreamingAttention<Number>{.heads = attention_.heads,
                                                         .n = attention_.n,
                                                         .d = attention_.d,
                                                         .causal = attention_.causal,
                                                         .map = attention_.map,
                                                         .q = numbers_[0].data(),
                                                         .k = numbers_[1].data(),
                                                         .v = numbers_[2].data(),
                                                         .out = numbers_[3].data(),
                                                         .largest = figures_[0].data(),
                                                         .log_sum_exp = figures_[1].data(),
                                                         .entropy = figures_[2].data(),
                                                         .beta = figures_[3].data()});
    stream_.synchronise();
  }

  AttendedSequences download() {
    AttendedSequences attended = room_for(attention_);
    std::vector<Number> out(attended.out.size());
    stream_.download<Number>(numbers_[3].data(), out);
    stream_.download<float>(figures_[0].data(), attended.largest);
    stream_.download<float>(figures_[1].data(), attended.log_sum_exp);
    stream_.download<float>(figures_[2].data(), attended.entropy);
    stream_.download<float>(figures_[3].data(), attended.beta);
    stream_.synchronise();
    attended.out = converted<float>(out);
    return attended;
  }

 private:
  std::size_t rows() const {
    return static_cast<std::size_t>(attention_.heads) * static_cast<std::size_t>(attention_.n);
  }
  void upload(const std::vector<float>& from, const DeviceBuffer<Number>& to) {
    const std::vector<Number> numbers = converted<Number>(from);
    stream_.upload<Number>(numbers, to.data());
    stream_.synchronise();
  }

  Stream& stream_;
  const SequenceAttention& attention_;
  DeviceBuffer<Number> numbers_[4];  // q, k, v, out
  DeviceBuffer<float> figures_[4];
};

// Once to load the kernels, then timed several times; the median counts.
template <class Number>
bool time_attention(DeviceSequences<Number>& device, const KeepGoing& keep_going, double& seconds) {
  constexpr int kTimed = 3;
  double times[kTimed];
  for (int run = -1; run < kTimed; ++run) {
    if (!may_go_on(keep_going, (run + 1.0) / (kTimed + 1))) return false;
    const auto begin = std::chrono::steady_clock::now();
    device.attend();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (run >= 0) times[run] = time.count();
  }
  std::sort(times, times + kTimed);
  seconds = times[kTimed / 2];
  return true;
}

class CudaAttender : public SequenceAttender {
 public:
  explicit CudaAttender(const DeviceInfo& device) : device_(device) {
    select_device(device.index);
    stream_.emplace();
  }

  std::string description() const override {
    return "CUDA device " + std::to_string(device_.index) + ", " + device_.name;
  }

  void require_room(const SequenceAttention& attention) const override {
    validate(attention);
    select_device(device_.index);
    const std::size_t number_bytes = bytes_of(usable_numbers(attention.numbers));
    require_attention_fits(attention, number_bytes, available_memory(), "device memory");
  }

  std::optional<AttentionRun> attend(const SequenceAttention& attention, const Sequences& sequences,
                                     const KeepGoing& keep_going) override {
    require_room(attention);
    return usable_numbers(attention.numbers) == AttentionNumbers::kBf16
               ? attend_in<Bf16>(AttentionNumbers::kBf16, attention, sequences, keep_going)
               : attend_in<float>(AttentionNumbers::kFloat, attention, sequences, keep_going);
  }

 private:
  static std::size_t bytes_of(AttentionNumbers numbers) {
    return numbers == AttentionNumbers::kBf16 ? sizeof(Bf16) : sizeof(float);
  }

  template <class Number>
  std::optional<AttentionRun> attend_in(AttentionNumbers numbers,
                                        const SequenceAttention& attention,
                                        const Sequences& sequences, const KeepGoing& keep_going) {
    DeviceSequences<Number> device(*stream_, attention, sequences);
    AttentionRun run{.attended = {},
                     .numbers = numbers,
                     .seconds = 0,
                     .bytes = attention_bytes(attention, sizeof(Number))};
    if (!time_attention(device, keep_going, run.seconds)) return std::nullopt;
    run.attended = device.download();
    return run;
  }

  DeviceInfo device_;
  std::optional<Stream> stream_;  // made when the device is the thread's
};

}  // namespace

std::unique_ptr<SequenceAttender> make_cuda_attender(int device, std::string& reason) {
  try {
    return std::make_unique<CudaAttender>(usable_device(device));
  } catch (const std::runtime_error& error) {
    reason = error.what();
    return nullptr;
  }
}

}  // namespace dispersion
