#pragma once

#include <csignal>

namespace dispersion {

// While this object exists, Ctrl-C (SIGINT), SIGTERM and SIGHUP do not end the program: long work
// asks interrupted() and stops after it has saved. Once interrupted() has returned true, a second
// signal ends the program at once. Signals that the caller has told the program to ignore stay
// ignored.
//
// The signals are blocked for this thread and for those that it starts from now on, so make this
// object before a backend. A signal handler would not do: the kernels of oneDNN 2.6 keep data where
// the system puts the frame of a handler, and lose it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Whether one of the signals has come since construction.
  bool interrupted();
  // What a shell expects of a program stopped by that signal: 130 for Ctrl-C.
  int exit_code() const { return 128 + seen_; }

 private:
  sigset_t caught_;
  sigset_t mask_before_;
  int seen_ = 0;
};

}  // namespace dispersion
