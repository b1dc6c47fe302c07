#pragma once

#include <chrono>
#include <string_view>

namespace dispersion {

// One line on standard error that shows how far long work is, if that is a terminal; otherwise
// nothing. The line is erased at the end.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Whether update() would draw now (at most ten times a second): saves making the text.
  bool due() const;
  // share in [0, 1]; the time left follows from how fast it has grown since the first update.
  void update(double share, std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool drawn_ = false;
  double first_share_ = -1;  // below 0: no update yet
  Clock::time_point started_;
  Clock::time_point last_drawn_;
};

}  // namespace dispersion
