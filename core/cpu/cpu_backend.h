#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/backend.h"

namespace dispersion {

// What the bits of results depend on: "AVX-512", or "AVX-512, products by AVX2" where the library
// of the products uses another instruction set than the program.
std::string cpu_instruction_set();

// Threads 0: as many as the machine has. The results are the same, bit for bit, for any number.
// After a request to `stop`, evaluations of very large sets throw Stopped (core/progress.h), and
// training with very large batches leaves out the step that it is in.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0, std::stop_token stop = {});

}  // namespace dispersion
