#pragma once

#include <csignal>

namespace dispersion {

// While this object exists, Ctrl-C (SIGINT), SIGTERM and SIGHUP do not end the program. Long work
// calls interrupted() instead, saves, and stops. Once interrupted() has returned true, a second
// signal ends the program at once. Signals that the caller told the program to ignore stay
// ignored.
//
// The signals are blocked in this thread and in the threads that it starts from now on, so this
// object must be made before a backend. A signal handler cannot be used: the kernels of oneDNN 2.6
// keep data in the memory where the system puts the frame of a handler, and would lose them.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Whether one of the signals has come since construction.
  bool interrupted();
  // The exit code that a shell expects after this signal: 130 for Ctrl-C.
  int exit_code() const { return 128 + seen_; }

 private:
  sigset_t caught_;
  sigset_t mask_before_;
  int seen_ = 0;
};

}  // namespace dispersion
