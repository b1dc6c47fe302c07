#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend.h"

namespace dispersion {

// What is asked to compute.
struct BackendChoice {
  enum class Kind { kAutomatic, kCpu, kCuda };
  Kind kind = Kind::kAutomatic;
  int device = 0;  // of kCuda

  bool operator==(const BackendChoice&) const = default;
};

inline constexpr int kLargestDevice = 1023;

// "auto", "cpu" or "cuda:K", as settings and command line have it; of the latter "cuda" is device 0
// too. Nothing for any other text.
std::string backend_name(const BackendChoice& choice);
std::optional<BackendChoice> parse_backend_name(std::string_view name);

struct MadeBackend {
  std::unique_ptr<Backend> backend;
  std::string note;  // one sentence: why CUDA is not used; empty where it is, or was not asked for
  // What it is: kCpu, or the device by its index.
  BackendChoice computing = {BackendChoice::Kind::kCpu, 0};
};

using BackendFactory = std::function<std::unique_ptr<Backend>()>;

// Where the worker's backends come from; both are called on its own thread.
struct BackendSource {
  // Throws std::runtime_error with a sentence that says why what was chosen cannot be used.
  std::function<MadeBackend(const BackendChoice&)> make;
  // Names of the CUDA devices there are, in their order.
  std::function<std::vector<std::string>()> devices;
};

// A source that makes this backend for every choice.
BackendSource only_backend(BackendFactory factory);

}  // namespace dispersion
