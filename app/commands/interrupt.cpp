#include "app/commands/interrupt.h"

#include <ctime>
#include <initializer_list>

namespace dispersion {
namespace {

bool is_ignored(int signal) {
  struct sigaction action = {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  sigemptyset(&caught_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&caught_, signal);
  }
  pthread_sigmask(SIG_BLOCK, &caught_, &mask_before_);
}

InterruptGuard::~InterruptGuard() {
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

bool InterruptGuard::interrupted() {
  if (seen_ != 0) return true;
  const timespec at_once = {};
  const int signal = sigtimedwait(&caught_, nullptr, &at_once);
  if (signal <= 0) return false;
  seen_ = signal;
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  return true;
}

}  // namespace dispersion
