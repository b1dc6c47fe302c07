#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace dispersion {

// Wakes a sleeping thread. A notification before the wait is not lost, several count as one.
class WakeSignal {
 public:
  void notify() {
    {
      std::lock_guard lock(mutex_);
      notified_ = true;
    }
    condition_.notify_one();
  }

  // Returns when it was notified or a stop is asked for.
  void wait(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, std::move(stop), [this] { return notified_; });
    notified_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any condition_;
  bool notified_ = false;
};

}  // namespace dispersion
