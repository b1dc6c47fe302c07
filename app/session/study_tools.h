#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/session/backend_source.h"
#include "core/experiment/sequence_backend.h"

namespace dispersion {

// Where what studies compute with comes from; called on their own thread. Both throw
// std::runtime_error where the choice cannot be used.
struct StudySource {
  std::function<std::unique_ptr<Backend>(const BackendChoice&)> backend;
  std::function<std::unique_ptr<SequenceBackend>(const BackendChoice&)> sequence_backend;
};

// The CPU, whatever is chosen. threads: one beside a training; 0 for as many as there are.
StudySource cpu_studies(int threads);

// What a study computes with, each made when it is first asked for: what was chosen or, where that
// cannot be used, the CPU.
class StudyTools {
 public:
  StudyTools(StudySource source, const BackendChoice& choice)
      : source_(std::move(source)), choice_(choice) {}

  Backend& backend();
  SequenceBackend& sequence_backend();

  // For good: the device is gone, and with it what was made of it.
  void use_cpu(const std::string& why);
  bool on_cpu() const { return choice_.kind == BackendChoice::Kind::kCpu; }

  // What computed since begin_study(), in a line, and why it was not what was chosen; empty where
  // nothing was asked for.
  void begin_study() { used_.clear(); }
  std::string used() const;

 private:
  template <class Tool>
  Tool& make(const std::function<std::unique_ptr<Tool>(const BackendChoice&)>& factory,
             std::unique_ptr<Tool>& tool);

  StudySource source_;
  BackendChoice choice_;
  std::string why_cpu_;  // empty: as chosen
  std::string used_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequence_backend_;
};

}  // namespace dispersion
