#include "app/session/experiment_backends.h"

#include <stdexcept>

#include "core/cpu/cpu_backend.h"

namespace dispersion {
namespace {

constexpr BackendChoice kCpu = {BackendChoice::Kind::kCpu, 0};

}  // namespace

BackendFactories cpu_backends(int threads) {
  return {[threads](const BackendChoice&) { return make_cpu_backend(threads); },
          [threads](const BackendChoice&) { return make_cpu_sequence_backend(threads); }};
}

void ChosenBackends::use_cpu(const std::string& why) {
  backend_.reset();
  sequence_backend_.reset();
  choice_ = kCpu;
  why_cpu_ = why;
}

template <class Made>
Made& ChosenBackends::make(
    const std::function<std::unique_ptr<Made>(const BackendChoice&)>& factory,
    std::unique_ptr<Made>& made) {
  if (!made && !on_cpu()) {
    try {
      made = factory(choice_);
    } catch (const std::runtime_error& error) {
      use_cpu(error.what());
    }
  }
  if (!made) made = factory(choice_);
  if (!made) throw std::runtime_error("nothing can be computed: there is no backend");
  used_ = made->description();
  return *made;
}

Backend& ChosenBackends::backend() {
  return make(factories_.backend, backend_);
}

SequenceBackend& ChosenBackends::sequence_backend() {
  return make(factories_.sequence_backend, sequence_backend_);
}

std::string ChosenBackends::used() const {
  return used_.empty() || why_cpu_.empty() ? used_ : used_ + ": " + why_cpu_;
}

}  // namespace dispersion
