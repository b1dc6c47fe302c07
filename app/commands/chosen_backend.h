#pragma once

#include <memory>
#include <stop_token>

#include "app/session/backend_source.h"
#include "app/session/experiment_backends.h"
#include "core/experiment/sequence_backend.h"
#include "gpu/cuda_backend.h"

namespace dispersion {

// The backends of a choice, of which kAutomatic is the first CUDA device that can be used, or else
// the CPU; `threads` and `stop` are for the CPU. They throw std::runtime_error, which gives the
// reason, if a device that was chosen cannot be used.
MadeBackend make_chosen(const BackendChoice& choice, int threads, std::stop_token stop = {});
std::unique_ptr<SequenceBackend> make_chosen_sequences(const BackendChoice& choice, int threads);

// What there is of CUDA here, for people: driver, runtime and devices with their compute capability
// and memory. Empty in a program without CUDA.
Facts cuda_fact_lines(const CudaFacts& facts);

// The backends from which the window lets the user choose.
BackendSource window_backends();
// The backends on which the window computes experiments while it trains.
BackendFactories experiment_backends();

}  // namespace dispersion
