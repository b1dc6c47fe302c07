#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "app/session/messages.h"

namespace dispersion {

// Whether a snapshot's numbers of one size count as current. They do when they are of the open run
// and no older than some three seconds of training; one step is always allowed. When the device is
// lost, only those of the step that was kept do.

// How many training steps a picture may be behind the run.
std::int64_t allowed_lag(const RunStatus& status);

// `index`: of the size in snapshot.sizes. False where there is no frame or row.
bool frame_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index);
bool row_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index);

// How the head of the open run is computed, in a few words: "spectral, 24 + 12 points, error <
// 10⁻⁷", "direct", "direct, bf16", or why it is not the path that the recipe asks for.
std::string computation_text(const RunStatus& status);

}  // namespace dispersion
