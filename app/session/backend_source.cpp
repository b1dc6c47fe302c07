#include "app/session/backend_source.h"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace dispersion {

std::string backend_name(const BackendChoice& choice) {
  switch (choice.kind) {
    case BackendChoice::Kind::kAutomatic:
      return "auto";
    case BackendChoice::Kind::kCpu:
      return "cpu";
    case BackendChoice::Kind::kCuda:
      break;
  }
  return "cuda:" + std::to_string(choice.device);
}

std::optional<BackendChoice> parse_backend_name(std::string_view name) {
  using Kind = BackendChoice::Kind;
  if (name == "auto") return BackendChoice{Kind::kAutomatic, 0};
  if (name == "cpu") return BackendChoice{Kind::kCpu, 0};
  if (name == "cuda") return BackendChoice{Kind::kCuda, 0};
  constexpr std::string_view kPrefix = "cuda:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  int device = -1;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), device);
  if (read.ec != std::errc() || read.ptr != name.data() + name.size()) return std::nullopt;
  if (device < 0 || device > kLargestDevice) return std::nullopt;
  return BackendChoice{Kind::kCuda, device};
}

BackendSource only_backend(BackendFactory factory) {
  return {[factory = std::move(factory)](const BackendChoice&) {
            MadeBackend made{factory(), "", {BackendChoice::Kind::kCpu, 0}};
            if (!made.backend) throw std::runtime_error("there is no backend");
            return made;
          },
          [] { return std::vector<std::string>(); }};
}

}  // namespace dispersion
