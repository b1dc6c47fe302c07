#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// Adds `streaming`: the entropy of streamed logits against the exact one (appendix F).
void add_streaming_command(CLI::App& app, int& exit_code);

}  // namespace dispersion
