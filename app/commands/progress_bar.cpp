#include "app/commands/progress_bar.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "app/commands/text.h"

namespace dispersion {
namespace {

constexpr int kBarWidth = 24;
constexpr auto kInterval = std::chrono::milliseconds(100);

void write_to_terminal(std::string_view text) {
  // If the bar cannot be drawn, the work goes on all the same.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

std::size_t terminal_width() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

}  // namespace

ProgressBar::ProgressBar() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) write_to_terminal("\r\x1b[K");
}

bool ProgressBar::due() const {
  return terminal_ && (!drawn_ || Clock::now() - last_drawn_ >= kInterval);
}

void ProgressBar::update(double share, std::string_view text) {
  if (!due()) return;
  const auto now = Clock::now();
  if (first_share_ < 0) {
    first_share_ = share;
    started_ = now;
  }
  share = std::clamp(share, 0.0, 1.0);
  const int filled = static_cast<int>(share * kBarWidth);
  std::string line = "\r[";
  line.append(static_cast<std::size_t>(filled), '#');
  line.append(static_cast<std::size_t>(kBarWidth - filled), '.');
  line += "] " + align_right(std::to_string(static_cast<int>(100 * share)), 3) + " %";
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  if (elapsed > 1 && share > first_share_) {
    line += "  " + duration_text(elapsed * (1 - share) / (share - first_share_)) + " left";
  }
  line += "  ";
  line += text;
  // The line is cut to the width of the terminal, since a wrapped line could not be erased. The
  // text is ASCII, so each byte takes one column.
  line.resize(std::min(line.size(), terminal_width()));
  write_to_terminal(line + "\x1b[K");
  drawn_ = true;
  last_drawn_ = now;
}

}  // namespace dispersion
