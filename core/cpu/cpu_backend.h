#pragma once

#include <memory>

#include "core/backend.h"

namespace dispersion {

// Threads 0: as many as the machine has. The results are the same, bit for bit, for any number.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace dispersion
