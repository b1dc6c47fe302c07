#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dispersion {

// A few threads that share the tasks of one loop. Which thread gets which task is left to chance,
// so a task must write to places of its own, and sums over tasks are taken afterwards, in order:
// then the results are the same for any number of threads. (Own code and not OpenMP's or TBB's,
// because those cannot be watched by the thread sanitizer.)
class ThreadPool {
 public:
  // threads >= 1, the calling thread included.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  // task(index, thread) for index 0 .. count-1, thread in 0 .. threads()-1; returns when all are
  // done. The first exception of a task is thrown again here, after the others have ended.
  void run(int count, const std::function<void(int index, int thread)>& task);

 private:
  void help(int thread);
  void work(int thread);

  std::vector<std::thread> helpers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<int> next_{0};
  std::atomic<int> busy_{0};  // helpers at work on this round
  bool open_ = false;         // a helper that wakes too late does not join
  bool stop_ = false;
  int count_ = 0;
  const std::function<void(int, int)>* task_ = nullptr;
  std::exception_ptr error_;
};

}  // namespace dispersion
