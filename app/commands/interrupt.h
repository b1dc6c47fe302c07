#pragma once

namespace dispersion {

// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP do not end the program but are noted, so that
// long work stops at a good place with what it has saved. A second signal of the same kind ends the
// program at once. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // The signal that came since construction, 0 for none.
  int signal() const;
  bool interrupted() const { return signal() != 0; }
  // What a shell expects of a program stopped by that signal: 130 for Ctrl-C.
  int exit_code() const { return 128 + signal(); }
};

}  // namespace dispersion
