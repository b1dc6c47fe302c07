#pragma once

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace dispersion {

// Two ways from one thread to another. No lock is held while anything is computed or drawn.

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

}  // namespace dispersion
