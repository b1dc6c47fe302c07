#include "tests/gpu/conformance/conformance.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "faults.h"
#include "gpu/cuda_backend.h"
#include "tests/gpu/conformance/coverage.h"
#include "tests/shipped_head.h"

namespace dispersion {
namespace {

struct Counts {
  CallCounts backend;
  CallCounts sequence_backend;
};

// They outlive the cases, and are read when all have run.
Counts& counts_of(Computes computes) {
  static Counts counts[2];
  return counts[static_cast<int>(computes)];
}

std::string source_text(const std::string& path) {
  std::ifstream file(DISPERSION_HEADS_DIR "/../../" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_calls(const CallCounts& calls, const std::string& header, const std::string& name,
                  Computes computes) {
  const std::vector<std::string> functions = virtual_functions(source_text(header), name);
  EXPECT_FALSE(functions.empty()) << header << " cannot be read";
  for (const std::string& function : functions) {
    EXPECT_GT(calls.of(function), 0)
        << backend_kind(computes) << ": no case calls " << name << "::" << function;
  }
}

enum class Share { kNone, kSome, kAll };

Share cases_to_run() {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  int run = 0;
  int cases = 0;
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    if (!std::string_view(suite.name()).starts_with("Conformance")) continue;
    run += suite.test_to_run_count();
    cases += suite.total_test_count();
  }
  if (run == 0) return Share::kNone;
  return run < cases ? Share::kSome : Share::kAll;
}

// A function that no case calls fails the suite; so does one that is added to an interface and that
// the counting backends do not forward; and so does what no case had the device compute.
class NothingIsLeftOut : public testing::Environment {
 public:
  void TearDown() override {
    const Share share = cases_to_run();
    if (share == Share::kSome) {
      std::puts(
          "Conformance: not all cases ran, so it was NOT looked whether they call every function "
          "and have the device compute every pair.");
    }
    if (share != Share::kAll) return;
    expect_all_noted();
    for (const Computes computes : kEveryBackend) {
      const Counts& counts = counts_of(computes);
      expect_calls(counts.backend, "core/backend.h", "Backend", computes);
      expect_calls(counts.sequence_backend, "core/experiment/sequence_backend.h", "SequenceBackend",
                   computes);
    }
  }
};
[[maybe_unused]] const testing::Environment* const kNothingIsLeftOut =
    testing::AddGlobalTestEnvironment(new NothingIsLeftOut);

template <class Made>
std::unique_ptr<Made> on_device(std::unique_ptr<Made> (*make)(int, DeviceUse, std::string&),
                                DeviceUse use) {
  std::string reason;
  auto made = make(0, use, reason);
  if (made == nullptr) throw std::runtime_error(reason);
  return made;
}

}  // namespace

std::string backend_kind(Computes computes) {
  return computes == Computes::kOnCpu ? "Cpu" : "Device";
}

std::unique_ptr<Backend> make_counted_backend(Computes computes, DeviceUse use) {
  return std::make_unique<CountingBackend>(
      computes == Computes::kOnCpu ? make_cpu_backend(1) : on_device(make_cuda_backend, use),
      counts_of(computes).backend);
}

std::unique_ptr<SequenceBackend> make_counted_sequence_backend(Computes computes) {
  return std::make_unique<CountingSequenceBackend>(
      computes == Computes::kOnCpu ? make_cpu_sequence_backend(1)
                                   : on_device(make_cuda_sequence_backend, DeviceUse::kForeground),
      counts_of(computes).sequence_backend);
}

std::unique_ptr<Backend> make_defining_backend() {
  return make_cpu_backend(2);
}

void expect_whole_memory() {
  EXPECT_EQ(emulation::take_guard_report(), "");
}

std::string head_kind(HeadKind kind) {
  constexpr const char* kNames[] = {"Shipped", "Fresh", "Steep", "Narrow"};
  return kNames[static_cast<int>(kind)];
}

const Parameters<float>& conformance_head(HeadKind kind) {
  static const std::vector<Parameters<float>> heads = [] {
    Parameters<float> steep = shipped_head();
    for (float& weight : steep.tensor(TensorId::kItem0Kernel))
      weight *= 8;
    return std::vector<Parameters<float>>{
        shipped_head(), initial_parameters({}, 9), steep,
        initial_parameters(HeadShape{.width = 16, .classes = 10}, 3)};
  }();
  return heads[static_cast<std::size_t>(kind)];
}

std::vector<AttentionTransform> every_transform() {
  std::vector<AttentionTransform> transforms;
  for (const TransformDefinition* definition : transform_definitions())
    transforms.push_back(usual_transform(definition->id));
  return transforms;
}

std::string transform_word(const AttentionTransform& transform) {
  std::string name(transform_name(transform.id));
  std::erase_if(name, [](char c) { return c == '-' || c == '.'; });
  return name;
}

}  // namespace dispersion
