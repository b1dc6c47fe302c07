#include "gpu/attention/timed_attention.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "gpu/attention/streaming_attention.h"

namespace dispersion {
namespace {

constexpr int kTimed = 3;  // times that count
constexpr double kCallSeconds = 0.06;

int queries_of_shortest_call(const SequenceAttention& attention, double shortest_call) {
  const double of_query = 1.0 * attention.heads * attention.n * attention.d;
  const double tiles = std::clamp(shortest_call / of_query / kQueriesTogether, 1.0,
                                  std::ceil(1.0 * attention.n / kQueriesTogether));
  return static_cast<int>(tiles) * kQueriesTogether;
}

// All queries once.
std::optional<double> once(int n, int shortest, TimeSlice& slice, const AttendQueries& attend,
                           const Progress& keep_going) {
  double seconds = 0;
  for (int first = 0; first < n;) {
    if (!keep_going(static_cast<double>(first) / n)) return std::nullopt;
    const auto queries = static_cast<int>(
        std::min<std::int64_t>(n - first, std::int64_t{shortest} * slice.pieces()));
    const auto begin = std::chrono::steady_clock::now();
    attend(first, queries);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    slice.took(slice.pieces(), time.count());
    seconds += time.count();
    first += queries;
  }
  return seconds;
}

}  // namespace

std::optional<double> time_attention(const SequenceAttention& attention,
                                     const AttendQueries& attend, const Progress& keep_going,
                                     double shortest_call) {
  const int shortest = queries_of_shortest_call(attention, shortest_call);
  TimeSlice slice(kCallSeconds);
  std::array<double, kTimed> times{};
  for (int run = -1; run < kTimed; ++run) {
    const Progress one_run =
        keep_going.part((run + 1.0) / (kTimed + 1), (run + 2.0) / (kTimed + 1));
    const std::optional<double> seconds = once(attention.n, shortest, slice, attend, one_run);
    if (!seconds) return std::nullopt;
    if (run >= 0) times[static_cast<std::size_t>(run)] = *seconds;
  }
  std::sort(times.begin(), times.end());
  return times[kTimed / 2];
}

}  // namespace dispersion
