#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/backend.h"

namespace dispersion {

// The backend that the user selected.
struct BackendChoice {
  enum class Kind { kAutomatic, kCpu, kCuda };
  Kind kind = Kind::kAutomatic;
  int device = 0;  // of kCuda

  bool operator==(const BackendChoice&) const = default;
};

inline constexpr int kLargestDevice = 1023;

// "auto", "cpu" or "cuda:K", as in the settings and on the command line. When read, "cuda" is
// device 0 too, and any other text gives nothing.
std::string backend_name(const BackendChoice& choice);
std::optional<BackendChoice> parse_backend_name(std::string_view name);

// "CUDA driver", "for CUDA 13.0"
using Facts = std::vector<std::pair<std::string, std::string>>;

struct MadeBackend {
  std::unique_ptr<Backend> backend;
  std::string note;  // why CUDA is not used, in a sentence; empty when it is or was not selected
  // The kind of the backend that was made: kCpu, or kCuda with its device.
  BackendChoice computing = {BackendChoice::Kind::kCpu, 0};
};

using BackendFactory = std::function<std::unique_ptr<Backend>()>;

// Makes the backends of the worker. The functions are called on the worker's thread.
struct BackendSource {
  // Throws std::runtime_error with a sentence that says why the choice cannot be used.
  std::function<MadeBackend(const BackendChoice&)> make;
  // Returns the names of the CUDA devices in the order of their indices.
  std::function<std::vector<std::string>()> devices;
  // Returns what there is to be told of them in a report: names and values. May be null.
  std::function<Facts()> facts = nullptr;
};

// A source that makes this backend for every choice.
BackendSource only_backend(BackendFactory factory);

}  // namespace dispersion
