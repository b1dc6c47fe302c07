#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "app/commands/options.h"
#include "app/session/backend_source.h"
#include "app/session/experiment_backends.h"
#include "core/experiment/sequence_backend.h"

namespace dispersion {

// Adds --backend. `name` is "cpu" (the default), "cuda", "cuda:K", or "auto", which takes the first
// CUDA device that can be used, or else the CPU.
void add_backend_option(Subcommand& command, std::string& name);

// Adds --threads, the number of threads of the CPU backend; 0 means as many as the machine has.
void add_threads_option(Subcommand& command, int& threads);

// The backend that has this name; `threads` and `stop` are for the CPU backend. Throws UsageError
// for an unknown name, and std::runtime_error, which gives the reason, if a CUDA device cannot be
// used.
std::unique_ptr<Backend> make_backend(const std::string& name, int threads,
                                      std::stop_token stop = {});
std::unique_ptr<SequenceBackend> make_sequence_backend(const std::string& name, int threads);

// The backends from which the window lets the user choose.
BackendSource window_backends();
// The backends on which the window computes experiments while it trains.
BackendFactories experiment_backends();

}  // namespace dispersion
