#pragma once

#include <chrono>
#include <string_view>

namespace dispersion {

// Shows the progress of long work in one line on standard error, if that is a terminal. The line is
// erased at the end.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Whether update() would draw now, which it does at most ten times a second. Callers ask first to
  // avoid making a text that is not drawn.
  bool due() const;
  // Draws the share done, in [0, 1], and the text. The time left is estimated from how fast the
  // share has grown since the first update.
  void update(double share, std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool drawn_ = false;
  double first_share_ = -1;  // below 0 before the first update
  Clock::time_point started_;
  Clock::time_point last_drawn_;
};

}  // namespace dispersion
