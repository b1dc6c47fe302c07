#pragma once

#include <memory>
#include <string>
#include <utility>

#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/progress_bar.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// The backends that the options of a command name. Each is made when it is first needed.
class CommandBackends : public ExperimentBackends {
 public:
  CommandBackends(std::string name, int threads) : name_(std::move(name)), threads_(threads) {}

  // Both throw as make_backend() does.
  Backend& backend() override;
  SequenceBackend& sequence_backend() override;

  // The description of the backend that was used; that of the CPU if none was needed.
  std::string used() const;

 private:
  std::string name_;
  int threads_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequence_backend_;
};

// Shows the progress of an experiment, and stops it after Ctrl-C.
class CommandProgress : public ExperimentProgress {
 public:
  CommandProgress(std::string what, InterruptGuard& interrupt)
      : what_(std::move(what)), interrupt_(interrupt) {}

  bool keep_going(double share) override;
  void show(Figure) override {}
  double share() const { return share_; }  // the share done that was reported last

 private:
  std::string what_;
  InterruptGuard& interrupt_;
  ProgressBar bar_;
  double share_ = 0;
};

}  // namespace dispersion
