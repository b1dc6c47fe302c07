#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace dispersion {

// What a command does after the first signal.
enum class AfterSignal {
  // Stops its work and prints what it has. Where the work does not ask interrupted() in time, the
  // process ends all the same, within a second: nothing is lost but what it would have printed.
  kEnds,
  // Saves first, however long that takes.
  kSaves,
};

// While this object exists, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP does not end the program:
// long work asks interrupted(), and stops. A second signal ends the program at once, whatever it is
// doing; so does a first one that the work has not asked for before this object is destroyed.
// Signals that the caller told the program to ignore stay ignored.
//
// A thread of its own waits for the signals, which are blocked in this thread and in the threads
// that it starts from now on; so this object must be made before a backend. A signal handler cannot
// be used: the kernels of oneDNN 2.6 keep data in the memory where the system puts the frame of a
// handler, and would lose them.
class InterruptGuard {
 public:
  explicit InterruptGuard(AfterSignal after = AfterSignal::kEnds);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Whether one of the signals has come since construction. Only the thread that made this object
  // may ask.
  bool interrupted();
  // The same for work inside a call that takes long; any thread may look at it.
  std::stop_token stop() const { return stop_.get_token(); }
  // The exit code that a shell expects after this signal: 130 for Ctrl-C.
  int exit_code() const { return 128 + seen_; }

 private:
  void watch();
  void end_unless_answered();
  bool ends_within(int milliseconds) const;

  AfterSignal after_;
  sigset_t caught_;
  sigset_t mask_before_;
  int signals_ = -1;  // file descriptors: the signals,
  int ending_ = -1;   // and that this object is being destroyed
  std::atomic<int> seen_{0};
  std::stop_source stop_;
  std::atomic_flag decided_ = ATOMIC_FLAG_INIT;  // whether the work or the watcher ends the command
  bool answered_ = false;                        // the work does
  std::thread watcher_;
};

}  // namespace dispersion
