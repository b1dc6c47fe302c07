#include "app/commands/interrupt.h"

#include <array>
#include <csignal>

namespace dispersion {
namespace {

constexpr std::array kCaught = {SIGINT, SIGTERM, SIGHUP};

// A handler can reach nothing but a global.
volatile std::sig_atomic_t noted_signal = 0;

void note_signal(int signal) {
  noted_signal = signal;
}

void set_handlers(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  for (const int signal : kCaught)
    sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted_signal = 0;
  set_handlers(note_signal, static_cast<int>(SA_RESETHAND | SA_RESTART));
}

InterruptGuard::~InterruptGuard() {
  set_handlers(SIG_DFL, 0);
}

int InterruptGuard::signal() const {
  return noted_signal;
}

}  // namespace dispersion
