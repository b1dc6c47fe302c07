#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/session/backend_source.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// What makes the backends that experiments compute with; called on the thread of the experiments.
// Both throw std::runtime_error where the choice cannot be used.
struct BackendFactories {
  std::function<std::unique_ptr<Backend>(const BackendChoice&)> backend;
  std::function<std::unique_ptr<SequenceBackend>(const BackendChoice&)> sequence_backend;
};

// The CPU, whatever is chosen. threads: one beside a training; 0 for as many as there are.
BackendFactories cpu_backends(int threads);

// What an experiment computes with, each made when it is first asked for: what was chosen or, where
// that cannot be used, the CPU.
class ChosenBackends : public ExperimentBackends {
 public:
  ChosenBackends(BackendFactories factories, const BackendChoice& choice)
      : factories_(std::move(factories)), choice_(choice) {}

  Backend& backend() override;
  SequenceBackend& sequence_backend() override;

  // For good: the device is gone, and with it what was made of it.
  void use_cpu(const std::string& why);
  bool on_cpu() const { return choice_.kind == BackendChoice::Kind::kCpu; }

  // What computed since begin(), in a line, and why it was not what was chosen; empty where
  // nothing was asked for.
  void begin() { used_.clear(); }
  std::string used() const;

 private:
  template <class Made>
  Made& make(const std::function<std::unique_ptr<Made>(const BackendChoice&)>& factory,
             std::unique_ptr<Made>& made);

  BackendFactories factories_;
  BackendChoice choice_;
  std::string why_cpu_;  // empty: as chosen
  std::string used_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequence_backend_;
};

}  // namespace dispersion
