#include "core/cpu/thread_pool.h"

#include <utility>

namespace dispersion {
namespace {

// How often a waiting thread looks before it goes to sleep. A training step has rounds of a few
// tens of microseconds, which is about what waking a sleeper costs; giving the processor away
// between looks keeps a busy machine from losing time to it.
constexpr int kSpins = 400;

}  // namespace

ThreadPool::ThreadPool(int threads) {
  for (int thread = 1; thread < threads; ++thread) {
    helpers_.emplace_back([this, thread] { help(thread); });
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    round_.fetch_add(1);
  }
  wake_.notify_all();
  for (std::thread& helper : helpers_)
    helper.join();
}

void ThreadPool::run(int count, const std::function<void(int, int)>& task) {
  {
    std::lock_guard lock(mutex_);
    count_ = count;
    task_ = &task;
    error_ = nullptr;
    next_.store(0);
    open_ = true;
    round_.fetch_add(1);
  }
  if (!helpers_.empty()) wake_.notify_all();
  work(0);
  {
    std::lock_guard lock(mutex_);
    open_ = false;
  }
  while (busy_.load() > 0)
    std::this_thread::yield();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void ThreadPool::help(int thread) {
  std::uint64_t seen = 0;
  while (true) {
    for (int spin = 0; spin < kSpins && round_.load() == seen; ++spin)
      std::this_thread::yield();
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return round_.load() != seen; });
      seen = round_.load();
      if (stop_) return;
      if (!open_) continue;
      busy_.fetch_add(1);
    }
    work(thread);
    busy_.fetch_sub(1);
  }
}

void ThreadPool::work(int thread) {
  for (int index = next_.fetch_add(1); index < count_; index = next_.fetch_add(1)) {
    try {
      (*task_)(index, thread);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
}

}  // namespace dispersion
