#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>

namespace dispersion {

struct HeadlessOptions {
  double seconds = 60;      // of training
  std::int64_t sets = 256;  // per size, for the curves
  std::uint32_t seed = 1;
  std::filesystem::path out = std::filesystem::path("runs") / "headless";
  int threads = 0;
};

// What the window shows first, without a window: trains a fresh head for a while and writes the
// dispersion figure of before and after, and the head, to a folder that it names.
int run_headless(const HeadlessOptions& options);

void add_headless_command(CLI::App& app, int& exit_code);

}  // namespace dispersion
