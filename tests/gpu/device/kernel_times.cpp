#include "benches.h"
#include "figures.h"
#include "gpu/runtime/buffer.h"
#include "probes.h"
#include "stopwatch.h"

namespace dispersion {
double median_device_seconds(Stream& stream, int repetitions, const std::function<void()>& work) {
  std::vector<double> times;
  Stopwatch watch;
  for (int r = -1; r < repetitions; ++r) {
    watch.begin(stream);
    work();
    watch.end(stream);
    stream.synchronise();
    if (r >= 0) times.push_back(watch.seconds());
  }
  return median(times);
}

std::vector<double> kernel_seconds(const std::vector<RecordedKernel>& kernels,
                                   const BenchSizes& sizes) {
  Stream stream;
  const DeviceBuffer<std::byte> ballast(sizes.copied_bytes);
  std::vector<Stopwatch> watches(kernels.size());
  std::vector<std::vector<double>> times(kernels.size());
  for (int r = -1; r < sizes.kernel_repetitions; ++r) {
    // Some 300 us of work, in which the host queues all that follows: a device that waits for the
    // host between two events would count its waiting.
    stream.fill_zero(ballast.data(), ballast.size());
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      watches[k].begin(stream);
      kernels[k].launch(stream);
      watches[k].end(stream);
    }
    stream.synchronise();
    for (std::size_t k = 0; k < kernels.size() && r >= 0; ++k)
      times[k].push_back(watches[k].seconds());
  }
  std::vector<double> medians;
  for (const std::vector<double>& of_kernel : times)
    medians.push_back(median(of_kernel));
  return medians;
}

double empty_kernel_seconds(const BenchSizes& sizes) {
  return kernel_seconds({{"nothing", launch_nothing}}, sizes).front();
}

}  // namespace dispersion
