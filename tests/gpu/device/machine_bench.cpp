#include <cstddef>

#include "benches.h"
#include "figures.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"
#include "probes.h"
#include "stopwatch.h"

namespace dispersion {
namespace {

// Idle time between the kernels of a graph.
double graph_gap_seconds(const BenchSizes& sizes) {
  Stream stream;
  const Graph graph = stream.record([&] {
    for (int k = 0; k < sizes.chain; ++k)
      launch_nothing(stream);
  });
  const double seconds = median_seconds(sizes.repetitions, [&] {
    stream.launch(graph);
    stream.synchronise();
  });
  return seconds / sizes.chain;
}

double copied_bytes_per_second(const BenchSizes& sizes) {
  Stream stream;
  const DeviceBuffer<std::byte> from(sizes.copied_bytes);
  const DeviceBuffer<std::byte> to(sizes.copied_bytes);
  stream.fill_zero(from.data(), from.size());
  const double seconds = median_device_seconds(stream, sizes.repetitions, [&] {
    stream.copy_on_device<std::byte>(from.data(), from.size(), to.data());
  });
  return 2.0 * static_cast<double>(from.size()) / seconds;  // each byte is read and written
}

using Probe = void (*)(Stream&, unsigned, int, float*);
using ProbeFlops = double (*)(unsigned, int);

double flops_per_second(const BenchSizes& sizes, Probe probe, ProbeFlops flops) {
  const unsigned blocks = sizes.probe_blocks_of_multiprocessor *
                          static_cast<unsigned>(usable_device(0).multiprocessors);
  Stream stream;
  const DeviceBuffer<float> out(std::size_t{blocks} * kProbeThreads);
  const double seconds = median_device_seconds(
      stream, sizes.repetitions, [&] { probe(stream, blocks, sizes.probe_repeats, out.data()); });
  return flops(blocks, sizes.probe_repeats) / seconds;
}

}  // namespace

void machine_bench(const BenchSizes& sizes) {
  figure("graph_gap_us", 1e6 * graph_gap_seconds(sizes));
  figure("empty_kernel_us", 1e6 * empty_kernel_seconds(sizes));
  figure("copy_gb_per_s", 1e-9 * copied_bytes_per_second(sizes));
  figure("bf16_mma_tflops",
         1e-12 * flops_per_second(sizes, launch_tensor_probe, tensor_probe_flops));
  figure("float_fma_tflops",
         1e-12 * flops_per_second(sizes, launch_float_probe, float_probe_flops));
}

}  // namespace dispersion
