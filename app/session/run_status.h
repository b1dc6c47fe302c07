#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "app/session/messages.h"

namespace dispersion {

// Whether what a snapshot has of one size may stand beside the newest. It may when it is of the run
// that is open and no older than some three seconds of training; one step is always allowed. When
// the device is lost, only pictures of the step that was kept may.

// Training steps that a picture may be behind the run.
std::int64_t allowed_lag(const RunStatus& status);

// `index`: of the size in snapshot.sizes. False where there is no frame or row.
bool frame_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index);
bool row_current(const ViewSnapshot& snapshot, const RunStatus& status, std::size_t index);

// How the head of the open run is computed, in a few words: "spectral, 24 + 12 points, error <
// 10⁻⁷", "direct", "direct, bf16", or why it is not the path that the recipe asks for.
std::string computation_text(const RunStatus& status);

}  // namespace dispersion
