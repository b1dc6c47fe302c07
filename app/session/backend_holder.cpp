#include "app/session/backend_holder.h"

#include <exception>
#include <utility>

namespace dispersion {
namespace {

constexpr double kMemoryInterval = 0.5;  // seconds between two readings of the device's memory
constexpr BackendChoice kCpu = {BackendChoice::Kind::kCpu, 0};

}  // namespace

void BackendHolder::begin(const BackendChoice& choice, const TakeOver& take_over) {
  devices_ = source_.devices();
  if (source_.facts) facts_ = source_.facts();
  choice_ = choice;
  try {
    install(source_.make(choice), take_over);
  } catch (const std::exception& error) {
    if (choice == kCpu) throw;
    use_cpu_instead(error.what(), take_over);
  }
}

void BackendHolder::change(const BackendChoice& choice, const TakeOver& take_over) {
  install(source_.make(choice), take_over);
  choice_ = choice;
}

void BackendHolder::use_cpu_instead(const std::string& why, const TakeOver& take_over) {
  install({source_.make(kCpu).backend, why, kCpu}, take_over);
}

// Keeps the old backend until the next one has taken over the run.
void BackendHolder::install(MadeBackend next, const TakeOver& take_over) {
  take_over(*next.backend);
  backend_ = std::move(next.backend);
  note_ = std::move(next.note);
  computing_ = next.computing;
  memory_.reset();
  memory_at_ = 0;
}

void BackendHolder::refresh_memory(double now) {
  if (now < memory_at_ + kMemoryInterval) return;
  memory_at_ = now;
  memory_.reset();  // until the new device reports its own
  memory_ = backend_->device_memory();
}

void BackendHolder::describe(RunStatus& status) const {
  status.choice = choice_;
  status.computing = computing_;
  status.devices = devices_;
  status.device_facts = facts_;
  status.backend_note = note_;
  if (backend_ && note_.empty()) status.backend_note = backend_->remark();
  status.memory = memory_;
}

}  // namespace dispersion
