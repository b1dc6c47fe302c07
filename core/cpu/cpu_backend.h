#pragma once

#include <memory>
#include <stop_token>

#include "core/backend.h"

namespace dispersion {

// Threads 0: as many as the machine has. The results are the same, bit for bit, for any number.
// After a request to `stop`, evaluations of very large sets throw Stopped (core/progress.h).
std::unique_ptr<Backend> make_cpu_backend(int threads = 0, std::stop_token stop = {});

}  // namespace dispersion
