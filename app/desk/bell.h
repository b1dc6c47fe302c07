#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace dispersion {

// Wakes a sleeping thread. A ring before the wait is not lost, several rings count as one.
class Bell {
 public:
  void ring() {
    {
      std::lock_guard lock(mutex_);
      rung_ = true;
    }
    condition_.notify_one();
  }

  // Returns when the bell was rung or a stop is asked for.
  void wait(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, std::move(stop), [this] { return rung_; });
    rung_ = false;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any condition_;
  bool rung_ = false;
};

}  // namespace dispersion
