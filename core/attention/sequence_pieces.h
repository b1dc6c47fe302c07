#pragma once

#include <cstdint>
#include <functional>

#include "core/attention/sequence_attention.h"
#include "core/progress.h"

namespace dispersion {

// The work of sequence_attention.h in pieces, so that it takes little memory and can be stopped.

// The sequences that draw_sequences() draws for a larger number of heads: of those from
// `first_head` on, as many as the attention has. After a stop the rest is missing.
Sequences draw_heads(const SequenceAttention& attention, std::uint32_t seed, double spread,
                     int first_head, const Progress& keep_going);

// attend_tile(), which asks between some blocks of keys whether to go on. Returns whether it came
// to the end.
bool attend_tile(const SequenceAttention& attention, const Sequences& sequences, int head,
                 int first_query, const std::function<bool()>& go_on, AttendedSequences& to);

}  // namespace dispersion
