#pragma once

#include <memory>
#include <string>

#include "app/commands/options.h"
#include "app/session/backend_source.h"
#include "app/session/experiment_backends.h"
#include "core/experiment/sequence_backend.h"

namespace dispersion {

// Adds --backend. `name` is "cpu" (the default), "cuda", "cuda:K", or "auto", which takes the first
// CUDA device where one can be used and the CPU elsewhere.
void add_backend_option(Subcommand& command, std::string& name);

// Adds --threads: of the CPU backend; 0 for as many as the machine has.
void add_threads_option(Subcommand& command, int& threads);

// Throws UsageError for other names, and std::runtime_error that says why a CUDA device that was
// asked for cannot be used. threads: of the CPU backend.
std::unique_ptr<Backend> make_backend(const std::string& name, int threads);
std::unique_ptr<SequenceBackend> make_sequence_backend(const std::string& name, int threads);

// The backends from which the window lets the user choose.
BackendSource window_backends();
// What its experiments compute with, beside the training.
BackendFactories experiment_backends();

}  // namespace dispersion
