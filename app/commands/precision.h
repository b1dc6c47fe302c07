#pragma once

#include <CLI/CLI.hpp>

namespace dispersion {

// `precision`: one head on the same sets in fp32, bf16 and fp16.
void add_precision_command(CLI::App& app, int& exit_code);

}  // namespace dispersion
