#pragma once

#include "core/attention/sequence_attention.h"
#include "core/head/recipe.h"
#include "tests/gpu/conformance/evaluation_cases.h"

namespace dispersion {

// What a device computed in cases that compared it with the definition. A row of a table may ask
// for what never reaches the device, such as a transform that only the CPU takes; so what did is
// noted, and when all cases have run every pair that reaches other code must be among it.

// The widths that a device takes.
inline constexpr int kSequenceWidths[] = {64, 128, 256};

void note_evaluated(const TransformMix& mix, HeadPath path, bool drawn);
void note_attended(const SequenceAttention& attention);

// Fails for each pair that was not noted: every one of device_mixes() with each path, and with
// given and drawn sets; every transform over sequences in every width, masked and not, in both
// kinds of numbers.
void expect_all_noted();

}  // namespace dispersion
