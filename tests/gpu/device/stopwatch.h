#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/stream.h"

namespace dispersion {

struct BenchSizes;

// The device's own time between two points of a stream: events. On the emulation, which has none,
// the host's (stand_ins/emulated_stopwatch.cpp).
class Stopwatch {
 public:
  Stopwatch();
  Stopwatch(Stopwatch&&) noexcept;
  ~Stopwatch();
  void begin(Stream& stream);
  void end(Stream& stream);
  double seconds() const;  // of work that has been waited for

 private:
  struct Points;
  std::unique_ptr<Points> points_;
};

// Of `repetitions` times after one that does not count. The work is only queued.
double median_device_seconds(Stream& stream, int repetitions, const std::function<void()>& work);

// A kernel as a graph has it: launched on a stream, with the arguments that it was recorded with.
struct RecordedKernel {
  std::string name;  // "networks"; "flash_attention" of a template
  std::function<void(Stream&)> launch;
};

// Those of the graph that this program made last, in their order. On the emulation, whose graphs
// cannot be looked into, one that does nothing.
std::vector<RecordedKernel> recorded_kernels();

// The median time of each, launched one after another outside of a graph, all queued before the
// first begins. Each includes what an empty kernel takes.
std::vector<double> kernel_seconds(const std::vector<RecordedKernel>& kernels,
                                   const BenchSizes& sizes);

double empty_kernel_seconds(const BenchSizes& sizes);

}  // namespace dispersion
