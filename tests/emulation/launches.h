#pragma once

namespace emulation {

// No kernel has asked for more shared memory than it has anyway, as at the start of a program.
// Under runtime_lock().
void forget_asked_shared();

}  // namespace emulation
