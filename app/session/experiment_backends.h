#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/session/backend_source.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// Makes the backends of experiments. Both functions are called on the thread of the experiments,
// and throw std::runtime_error where the choice cannot be used.
struct BackendFactories {
  std::function<std::unique_ptr<Backend>(const BackendChoice&)> backend;
  std::function<std::unique_ptr<SequenceBackend>(const BackendChoice&)> sequence_backend;
};

// Makes CPU backends for every choice. threads: 0 for as many as the machine has; use 1 while the
// CPU trains too.
BackendFactories cpu_backends(int threads);

// The backends of the user's choice or, where that cannot be used, of the CPU; each is made at the
// first call.
class ChosenBackends : public ExperimentBackends {
 public:
  ChosenBackends(BackendFactories factories, const BackendChoice& choice)
      : factories_(std::move(factories)), choice_(choice) {}

  Backend& backend() override;
  SequenceBackend& sequence_backend() override;

  // Uses the CPU from now on, because the device is lost with the backends on it.
  void use_cpu(const std::string& why);
  bool on_cpu() const { return choice_.kind == BackendChoice::Kind::kCpu; }

  // The backend that was used since begin(), in one line, with the reason if it is not the chosen
  // one; empty when none was used.
  void begin() { used_.clear(); }
  std::string used() const;

 private:
  template <class Made>
  Made& make(const std::function<std::unique_ptr<Made>(const BackendChoice&)>& factory,
             std::unique_ptr<Made>& made);

  BackendFactories factories_;
  BackendChoice choice_;
  std::string why_cpu_;  // why not the chosen backend; empty: it is the chosen one
  std::string used_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequence_backend_;
};

}  // namespace dispersion
