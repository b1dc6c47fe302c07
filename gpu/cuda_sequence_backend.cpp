#include "gpu/cuda_backend.h"

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/attention/transforms.h"
#include "core/experiment/sequence_backend.h"
#include "gpu/attention/streaming_attention.h"
#include "gpu/attention/timed_attention.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/most_blocks.h"

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
  DeviceSequences(Stream& stream, int most_blocks, const SequenceAttention& attention,
                  const Sequences& sequences)
      : stream_(stream),
        most_blocks_(most_blocks),
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

  // Attends for these queries of each head, and waits for it.
  void attend(int first_query, int queries) {
    stream_attention(stream_, StreamingAttention<Number>{.heads = attention_.heads,
                                                         .n = attention_.n,
                                                         .d = attention_.d,
                                                         .causal = attention_.causal,
                                                         .transform = attention_.transform,
                                                         .first_query = first_query,
                                                         .queries = queries,
                                                         .most_blocks = most_blocks_,
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
  int most_blocks_;
  const SequenceAttention& attention_;
  DeviceBuffer<Number> numbers_[4];  // q, k, v, out
  DeviceBuffer<float> figures_[4];
};

// In the background a quarter of the multiprocessors stays free of blocks, which a device spreads
// over as many as it can: every kernel of a training step then begins at once, whatever it needs,
// where else it would wait for milliseconds. Parts of the keys for each block, which are joined
// after, would not do as well: blocks of 0.1 ms are four steps long, and partial sums of 32 parts
// take 32 times the memory of the output.
constexpr double kBackgroundShare = 0.75;

class CudaSequenceBackend : public SequenceBackend {
 public:
  CudaSequenceBackend(DeviceInfo device, DeviceUse use) : device_(std::move(device)) {
    open_device(device_.info());
    most_blocks_ = most_blocks(use, kBackgroundShare);
    stream_.emplace(use);
  }

  std::string description() const override { return device_.description(); }

  void require_room(const SequenceAttention& attention) const override {
    validate(attention);
    if (!transform_definition(attention.transform.id).on_device) {
      throw std::invalid_argument("attention over sequences: the CUDA device does not take " +
                                  std::string(transform_name(attention.transform.id)));
    }
    device_.run([&] {
      const std::size_t number_bytes = bytes_of(usable_numbers(attention.numbers));
      require_attention_fits(attention, number_bytes, available_memory(), "device memory");
    });
  }

  std::optional<AttentionRun> attend(const SequenceAttention& attention, const Sequences& sequences,
                                     const Progress& keep_going) override {
    require_room(attention);
    return device_.run([&] {
      return usable_numbers(attention.numbers) == AttentionNumbers::kBf16
                 ? attend_in<Bf16>(AttentionNumbers::kBf16, attention, sequences, keep_going)
                 : attend_in<float>(AttentionNumbers::kFloat, attention, sequences, keep_going);
    });
  }

 private:
  static std::size_t bytes_of(AttentionNumbers numbers) {
    return numbers == AttentionNumbers::kBf16 ? sizeof(Bf16) : sizeof(float);
  }

  template <class Number>
  std::optional<AttentionRun> attend_in(AttentionNumbers numbers,
                                        const SequenceAttention& attention,
                                        const Sequences& sequences, const Progress& keep_going) {
    DeviceSequences<Number> device(*stream_, most_blocks_, attention, sequences);
    const auto seconds = time_attention(
        attention, [&](int first, int queries) { device.attend(first, queries); }, keep_going);
    if (!seconds) return std::nullopt;
    return AttentionRun{.attended = device.download(),
                        .numbers = numbers,
                        .seconds = *seconds,
                        .bytes = attention_bytes(attention, sizeof(Number))};
  }

  GuardedDevice device_;
  int most_blocks_ = kAnyBlocks;
  std::optional<Stream> stream_;  // made when the device is the thread's
};

}  // namespace

std::unique_ptr<SequenceBackend> make_cuda_sequence_backend(int device, DeviceUse use,
                                                            std::string& reason) {
  try {
    return std::make_unique<CudaSequenceBackend>(usable_device(device), use);
  } catch (const CudaError& error) {
    reason = "CUDA device " + std::to_string(device) + " cannot be used: " + error.reason() + ".";
    return nullptr;
  } catch (const std::runtime_error& error) {
    reason = error.what();
    return nullptr;
  }
}

}  // namespace dispersion
