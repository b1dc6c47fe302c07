#pragma once

#include <functional>
#include <optional>

#include "core/attention/sequence_attention.h"
#include "core/progress.h"

namespace dispersion {

// The shortest call, in products of a query with a key's channels: some milliseconds of a slow
// device. A head of 8,192 tokens with 128 channels is taken in one.
inline constexpr double kShortestCall = 0x1p33;

// Attends for queries first .. first + queries - 1 of each head, and waits for it.
using AttendQueries = std::function<void(int first, int queries)>;

// The seconds that attention over the same sequences takes: once to load the kernels, then several
// times, of which the median counts. Every time all queries are taken in order, in calls between
// which `keep_going` is asked; nothing where it says no. The calls are longer than those of
// training, up to a tenth of a second where the work is: in the background they leave it room
// anyway, and a device is only full with many blocks of a call.
std::optional<double> time_attention(const SequenceAttention& attention,
                                     const AttendQueries& attend, const Progress& keep_going,
                                     double shortest_call = kShortestCall);

}  // namespace dispersion
