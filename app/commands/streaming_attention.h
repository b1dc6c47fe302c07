#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/options.h"

namespace dispersion {

// What `streaming --device` was asked for: adaptive attention itself over random sequences, along
// their length.
struct StreamingAttentionOptions {
  std::string device;  // empty: not asked for
  int heads = 1;
  int channels = 64;
  bool causal = false;
  std::string numbers = "fp32";
  std::string transform = "adaptive";
  double spread = 3;
};

// Adds --device and the options that need it.
void add_streaming_attention_options(Subcommand& command, StreamingAttentionOptions& options);

enum class OutputForm { kTable, kJson, kCsv };

// sizes: empty for those that suit the device. Returns the exit code. Throws as
// make_sequence_backend() and attention_length().
int run_streaming_attention(const StreamingAttentionOptions& options, std::vector<int> sizes,
                            std::uint32_t seed, int threads, OutputForm form);

}  // namespace dispersion
