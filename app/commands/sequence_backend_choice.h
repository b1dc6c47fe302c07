#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

#include "core/experiment/sequence_backend.h"

namespace dispersion {

// Adds --device: what attends over sequences, by the names of --backend (backend_choice.h).
CLI::Option* add_device_option(CLI::App& app, std::string& name);

// Throws as make_backend(). threads: of the CPU.
std::unique_ptr<SequenceBackend> make_sequence_backend(const std::string& name, int threads);

}  // namespace dispersion
