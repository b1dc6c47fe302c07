#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "app/commands/options.h"
#include "core/backend.h"
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

}  // namespace dispersion
