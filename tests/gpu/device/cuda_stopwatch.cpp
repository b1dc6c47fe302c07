#include <cuda_runtime.h>

#include <cctype>
#include <cstdio>
#include <utility>

#include "gpu/runtime/cuda_error.h"
#include "stopwatch.h"

namespace dispersion {

struct Stopwatch::Points {
  Points() {
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
  }
  Points(const Points&) = delete;
  Points& operator=(const Points&) = delete;
  ~Points() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
};

Stopwatch::Stopwatch() : points_(std::make_unique<Points>()) {}
Stopwatch::Stopwatch(Stopwatch&&) noexcept = default;
Stopwatch::~Stopwatch() = default;

void Stopwatch::begin(Stream& stream) {
  check(cudaEventRecord(points_->begin, stream.get()), "cudaEventRecord");
}

void Stopwatch::end(Stream& stream) {
  check(cudaEventRecord(points_->end, stream.get()), "cudaEventRecord");
}

double Stopwatch::seconds() const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, points_->begin, points_->end), "cudaEventElapsedTime");
  return 1e-3 * static_cast<double>(milliseconds);
}

namespace {

cudaGraph_t latest_graph = nullptr;  // a copy: the program keeps only what it launches

// "networks" of _ZN10dispersion..15networks_kernelE..., which has the name with its length before.
std::string plain_name(const std::string& mangled) {
  const std::string suffix = "_kernel";
  const std::size_t end = mangled.find(suffix);
  if (end == std::string::npos) return mangled;
  std::size_t begin = end;
  while (begin > 0 && (std::islower(static_cast<unsigned char>(mangled[begin - 1])) != 0 ||
                       mangled[begin - 1] == '_'))
    --begin;
  return mangled.substr(begin, end - begin);
}

RecordedKernel recorded_kernel(const cudaKernelNodeParams& node) {
  const char* name = nullptr;
  check(cudaFuncGetName(&name, node.func), "cudaFuncGetName");
  return {plain_name(name), [node](Stream& stream) {
            check(cudaLaunchKernel(node.func, node.gridDim, node.blockDim, node.kernelParams,
                                   node.sharedMemBytes, stream.get()),
                  "cudaLaunchKernel");
          }};
}

}  // namespace

std::vector<RecordedKernel> recorded_kernels() {
  std::size_t count = 0;
  check(cudaGraphGetNodes(latest_graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(latest_graph, nodes.data(), &count), "cudaGraphGetNodes");
  std::vector<RecordedKernel> kernels;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type;
    check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    if (type != cudaGraphNodeTypeKernel) continue;
    cudaKernelNodeParams params = {};
    check(cudaGraphKernelNodeGetParams(node, &params), "cudaGraphKernelNodeGetParams");
    kernels.push_back(recorded_kernel(params));
  }
  if (kernels.size() < count)
    std::printf("%zu nodes of the graph are no kernels and are left out\n", count - kernels.size());
  return kernels;
}

}  // namespace dispersion

// The linker leads the program's own calls of cudaGraphInstantiate here (--wrap).
extern "C" {
cudaError_t __real_cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long);
cudaError_t __wrap_cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        unsigned long long flags) {
  using dispersion::latest_graph;
  if (latest_graph != nullptr) cudaGraphDestroy(latest_graph);
  latest_graph = nullptr;
  const cudaError_t code = cudaGraphClone(&latest_graph, graph);
  return code == cudaSuccess ? __real_cudaGraphInstantiate(executable, graph, flags) : code;
}
}
