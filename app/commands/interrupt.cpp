#include "app/commands/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <initializer_list>

#include "app/commands/output.h"

namespace dispersion {
namespace {

// How long work may take to ask whether it was interrupted; a command then has until the end of the
// second to print what it has.
constexpr int kPatienceMilliseconds = 700;

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void close_if_open(int descriptor) {
  if (descriptor >= 0) ::close(descriptor);
}

}  // namespace

InterruptGuard::InterruptGuard(AfterSignal after) : after_(after) {
  sigemptyset(&caught_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&caught_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &caught_, &mask_before_);
  signals_ = ::signalfd(-1, &caught_, SFD_CLOEXEC);
  ending_ = ::eventfd(0, EFD_CLOEXEC);
  if (signals_ >= 0 && ending_ >= 0) {
    watcher_ = std::thread([this] { watch(); });
  } else {
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);  // the first signal ends the program
  }
}

InterruptGuard::~InterruptGuard() {
  if (watcher_.joinable()) {
    const std::uint64_t one = 1;
    while (::write(ending_, &one, sizeof one) < 0 && errno == EINTR) {
    }
    watcher_.join();
  }
  close_if_open(signals_);
  close_if_open(ending_);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  // One that came after the last question is not lost.
  if (seen_ != 0 && !answered_) ::raise(seen_);
}

bool InterruptGuard::interrupted() {
  if (seen_ == 0) return false;
  if (!answered_) {
    answered_ = true;
    if (decided_.test_and_set()) {
      for (;;)
        ::pause();  // the watcher is ending the process
    }
  }
  return true;
}

// Waits for the first signal. From then on the signals are no longer blocked in this thread, so
// that the next one does what it does by default: it ends the process.
void InterruptGuard::watch() {
  pollfd waits[] = {{signals_, POLLIN, 0}, {ending_, POLLIN, 0}};
  while (::poll(waits, 2, -1) < 0 && errno == EINTR) {
  }
  signalfd_siginfo signal = {};
  if ((waits[0].revents & POLLIN) == 0 ||
      ::read(signals_, &signal, sizeof signal) != static_cast<ssize_t>(sizeof signal))
    return;
  seen_ = static_cast<int>(signal.ssi_signo);
  stop_.request_stop();
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  if (after_ == AfterSignal::kEnds && !ends_within(kPatienceMilliseconds)) end_unless_answered();
  ends_within(-1);
}

// Whether this object is destroyed within that time; -1: waits until it is.
bool InterruptGuard::ends_within(int milliseconds) const {
  pollfd wait = {ending_, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&wait, 1, milliseconds)) < 0 && errno == EINTR) {
  }
  return ready != 0;
}

void InterruptGuard::end_unless_answered() {
  if (decided_.test_and_set()) return;
  // Erases the line of a progress bar.
  if (::isatty(STDERR_FILENO) == 1) static_cast<void>(!::write(STDERR_FILENO, "\r\x1b[K", 4));
  print_error("interrupted");
  ::_exit(exit_code());
}

}  // namespace dispersion
