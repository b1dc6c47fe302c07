#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "core/experiment/experiment.h"

namespace dispersion {

// The backends that the options of a command name. Each is made when it is first needed.
class CommandBackends : public ExperimentBackends {
 public:
  CommandBackends(std::string name, int threads, std::stop_token stop = {})
      : name_(std::move(name)), threads_(threads), stop_(std::move(stop)) {}

  // Both throw as make_backend() does.
  Backend& backend() override;
  SequenceBackend& sequence_backend() override;

  // The description of the backend that was used; that of the CPU if none was needed.
  std::string used() const;

 private:
  std::string name_;
  int threads_;
  std::stop_token stop_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequence_backend_;
};

}  // namespace dispersion
