#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/backend_source.h"
#include "app/session/messages.h"

namespace dispersion {

// Owns the backend in use, and knows why it was chosen and how full its memory is. Belongs to the
// worker's thread.
class BackendHolder {
 public:
  // Loads the open run into the backend; throws when the backend refuses it.
  using TakeOver = std::function<void(Backend&)>;

  explicit BackendHolder(BackendSource source) : source_(std::move(source)) {}

  // Makes the first backend: the one that the user selected or, where that cannot be used, the CPU
  // with the reason as a note. Throws when no backend can be made.
  void begin(const BackendChoice& choice, const TakeOver& take_over);

  // Replaces the backend. When a function throws, nothing has changed.
  void change(const BackendChoice& choice, const TakeOver& take_over);
  // Uses the CPU although the user's selection stays as it is; `why` becomes the note.
  void use_cpu_instead(const std::string& why, const TakeOver& take_over);

  explicit operator bool() const { return backend_ != nullptr; }
  Backend& operator*() const { return *backend_; }

  // Reads how much memory the device has free, at most once in a while. Throws what the backend
  // throws.
  void refresh_memory(double now);
  // Writes the backend's description, note, devices and memory into the status.
  void describe(RunStatus& status) const;

 private:
  void install(MadeBackend next, const TakeOver& take_over);

  BackendSource source_;
  std::unique_ptr<Backend> backend_;
  BackendChoice choice_;
  BackendChoice computing_ = {BackendChoice::Kind::kCpu, 0};
  std::string note_;
  std::vector<std::string> devices_;
  Facts facts_;
  std::optional<DeviceMemory> memory_;
  double memory_at_ = 0;
};

}  // namespace dispersion
