#pragma once

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

#include "app/session/backend_source.h"
#include "app/session/study_tools.h"

namespace dispersion {

// Adds --backend. `name` is "cpu" (the default), "cuda", "cuda:K", or "auto", which takes the first
// CUDA device where one can be used and the CPU elsewhere.
void add_backend_option(CLI::App& app, std::string& name);

// Throws UsageError for other names, and std::runtime_error that says why a CUDA device that was
// asked for cannot be used. threads: of the CPU backend.
std::unique_ptr<Backend> make_backend(const std::string& name, int threads);

// The backends that the window offers.
BackendSource window_backends();
// What its studies compute with, beside the training.
StudySource window_studies();

}  // namespace dispersion
