#pragma once

#include <csignal>

namespace dispersion {

// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP do not end the program but wait to be asked
// for, so that long work stops at a good place with what it has saved. Once one was seen, a second
// ends the program at once. Signals that the caller has told the program to ignore stay ignored.
//
// Nothing is interrupted in the middle: the signals are blocked for this thread and those it starts
// from now on, so make it before a backend. A signal handler would not do, because the kernels of
// oneDNN 2.6 keep data where the system puts a handler's frame, and lose it.
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
