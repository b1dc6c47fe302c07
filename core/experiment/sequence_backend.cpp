#include "core/experiment/sequence_backend.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/attention/sequence_pieces.h"
#include "core/cpu/thread_pool.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

std::string megabytes(std::size_t bytes) {
  return fixed_text(static_cast<double>(bytes) / 1e6, bytes < 10'000'000 ? 2 : 0) + " MB";
}

class CpuSequenceBackend : public SequenceBackend {
 public:
  explicit CpuSequenceBackend(int threads) : thread_pool_(threads) {}

  std::string description() const override { return "CPU"; }

  std::string description_with_threads() const override {
    const int threads = thread_pool_.threads();
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  }

  void require_room(const SequenceAttention& attention) const override {
    validate(attention);
    require_attention_fits(attention, sizeof(float), available_host_memory(), "memory");
  }

  std::optional<AttentionRun> attend(const SequenceAttention& attention, const Sequences& sequences,
                                     const Progress& keep_going) override {
    validate(attention);
    const int tiles_of_head = (attention.n + kTileQueries - 1) / kTileQueries;
    const int tiles = attention.heads * tiles_of_head;
    AttentionRun run{.attended = room_for(attention),
                     .numbers = attention.numbers,
                     .bytes = attention_bytes(attention, sizeof(float))};
    std::atomic<int> done = 0;
    std::atomic<bool> stopped = false;
    const auto attend_one = [&](int tile, int thread) {
      // Thread 0 is the calling thread, and a Progress is called on no other.
      const std::function<bool()> go_on = [&] {
        if (thread == 0 && !keep_going(static_cast<double>(done) / tiles)) stopped = true;
        return !stopped;
      };
      return attend_tile(attention, sequences, tile / tiles_of_head,
                         tile % tiles_of_head * kTileQueries, go_on, run.attended);
    };
    // The first products of a shape generate their code; that is not timed.
    if (!attend_one(0, 0) || !attend_one(tiles_of_head - 1, 0)) return std::nullopt;
    const auto begin = std::chrono::steady_clock::now();
    thread_pool_.run(tiles, [&](int tile, int thread) {
      if (stopped || !attend_one(tile, thread)) return;
      ++done;
      if (thread == 0 && !keep_going(static_cast<double>(done) / tiles)) stopped = true;
    });
    if (stopped) return std::nullopt;
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return run;
  }

 private:
  ThreadPool thread_pool_;
};

}  // namespace

std::size_t available_host_memory() {
  // Another program may need some; where all is taken, the system ends programs.
  constexpr std::size_t kShareForOthers = 8;
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::size_t kilobytes = 0;
  std::string unit;
  while (file >> name >> kilobytes) {
    if (name == "MemAvailable:") return (kilobytes - kilobytes / kShareForOthers) * 1024;
    std::getline(file, unit);
  }
  return std::numeric_limits<std::size_t>::max();
}

std::unique_ptr<SequenceBackend> make_cpu_sequence_backend(int threads) {
  if (threads < 0) throw std::invalid_argument("the number of threads must be at least 0");
  const int machine = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::make_unique<CpuSequenceBackend>(threads == 0 ? machine : threads);
}

void require_attention_fits(const SequenceAttention& attention, std::size_t number_bytes,
                            std::size_t bytes, const std::string& where) {
  const std::size_t needed = attention_bytes(attention, number_bytes);
  if (needed <= bytes) return;
  throw std::runtime_error(
      "Attention over n = " + std::to_string(attention.n) + " needs " + megabytes(needed) + " of " +
      where + "; " + megabytes(bytes) + " of what is free may be used, enough for n = " +
      std::to_string(longest_attention(attention, number_bytes, bytes)) + " at most.");
}

}  // namespace dispersion
