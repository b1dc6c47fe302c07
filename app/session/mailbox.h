#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace dispersion {

// Two kinds of mailboxes between threads. No lock is held while anything is computed or drawn.

// Keeps the newest value only.
template <class T>
class Latest {
 public:
  void put(T value) {
    std::lock_guard lock(mutex_);
    value_ = std::move(value);
  }
  std::optional<T> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(value_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<T> value_;
};

// Keeps every value until all are taken at once.
template <class T>
class Drain {
 public:
  void put(T value) {
    std::lock_guard lock(mutex_);
    values_.push_back(std::move(value));
  }
  void put_all(const std::vector<T>& values) {
    std::lock_guard lock(mutex_);
    values_.insert(values_.end(), values.begin(), values.end());
  }
  std::vector<T> take_all() {
    std::lock_guard lock(mutex_);
    return std::exchange(values_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<T> values_;
};

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
