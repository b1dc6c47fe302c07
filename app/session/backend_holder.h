#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/backend_source.h"
#include "app/session/messages.h"

namespace dispersion {

// The backend in use, why it is this one, and how full its memory is. Lives on the worker's thread.
class BackendHolder {
 public:
  // Loads what is open into the backend; throws when it does not take it.
  using TakeOver = std::function<void(Backend&)>;

  explicit BackendHolder(BackendSource source) : source_(std::move(source)) {}

  // The first backend: the one chosen or, where that cannot be used, the CPU and the reason as a
  // note. Throws when there is none at all.
  void begin(const BackendChoice& choice, const TakeOver& take_over);

  // Another backend takes over, and the one before goes. Where a function throws, nothing changed.
  void change(const BackendChoice& choice, const TakeOver& take_over);
  // The CPU for the one chosen, whose choice stands; `why` becomes the note.
  void use_cpu_instead(const std::string& why, const TakeOver& take_over);

  explicit operator bool() const { return backend_ != nullptr; }
  Backend& operator*() const { return *backend_; }

  // Asks the device, unless it was asked a moment ago. Throws what the backend throws.
  void refresh_memory(double now);
  // Writes what there is to say about the backend into the status.
  void describe(RunStatus& status) const;

 private:
  void install(MadeBackend next, const TakeOver& take_over);

  BackendSource source_;
  std::unique_ptr<Backend> backend_;
  BackendChoice choice_;
  BackendChoice computing_ = {BackendChoice::Kind::kCpu, 0};
  std::string note_;
  std::vector<std::string> devices_;
  std::optional<DeviceMemory> memory_;
  double memory_at_ = 0;
};

}  // namespace dispersion
