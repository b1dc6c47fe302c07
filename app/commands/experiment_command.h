#pragma once

#include <memory>
#include <string>
#include <utility>

#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/progress_bar.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// What a command computes with: what its options name, made when it is first asked for.
class CommandBackends : public ExperimentBackends {
 public:
  CommandBackends(std::string name, int threads) : name_(std::move(name)), threads_(threads) {}

  // Both throw as make_backend().
  Backend& backend() override;
  SequenceBackend& sequence_backend() override;

  // What has computed, as it describes itself; the CPU where nothing was asked for.
  std::string used() const;

 private:
  std::string name_;
  int threads_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequence_backend_;
};

// Shows how far an experiment is, and stops it on Ctrl-C.
class CommandProgress : public ExperimentProgress {
 public:
  CommandProgress(std::string what, InterruptGuard& interrupt)
      : what_(std::move(what)), interrupt_(interrupt) {}

  bool keep_going(double share) override;
  void show(Figure) override {}
  double share() const { return share_; }  // done when it was asked last

 private:
  std::string what_;
  InterruptGuard& interrupt_;
  ProgressBar bar_;
  double share_ = 0;
};

}  // namespace dispersion
