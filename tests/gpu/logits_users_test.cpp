// What asks a backend for logits without transforms, on the (emulated) device: the fit of the rule,
// the entropy surface, and live frames whose transforms change before they are done.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/live_view.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/entropy_surface.h"
#include "core/experiment/temperature_fit.h"
#include "faults.h"
#include "gpu/cuda_backend.h"
#include "tests/gpu/conformance/counting_backend.h"
#include "tests/shipped_head.h"

namespace dispersion {
namespace {

// As between the paths of the CPU: tests/gpu/evaluation_parity_test.cpp derives the second from the
// first.
constexpr double kLogitTolerance = 2e-4;
constexpr double kEntropyTolerance = 3e-4;

class LogitsUsers : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    auto cuda = make_cuda_backend(0, DeviceUse::kForeground, reason);
    ASSERT_TRUE(cuda) << reason;
    device_ = std::make_unique<CountingBackend>(std::move(cuda), counts_);
  }
  void TearDown() override {
    // Each of them went this way.
    EXPECT_GT(counts_.of("attention_logits"), 0);
    device_.reset();
    EXPECT_EQ(emulation::take_guard_report(), "");
    emulation::reset_machine();
  }

  CallCounts counts_;
  std::unique_ptr<CountingBackend> device_;
  std::unique_ptr<Backend> cpu_ = make_cpu_backend(1);
  // The second has curves too steep for tables and takes the direct path.
  std::vector<TrainingState> heads_ = {
      shipped_state(1), [] {
        TrainingState steep = start_training({}, 3);
        for (float& w : steep.parameters.tensor(TensorId::kItem0Kernel))
          w *= 60;
        return steep;
      }()};
};

TEST_F(LogitsUsers, TheFitOfTheRule) {
  for (const TrainingState& head : heads_) {
    FitRun run = start_fit({.sizes = {3, 20, 70}, .sets = 5});
    FitRun expected = run;
    while (advance_fit(run, head.parameters, *device_)) {
    }
    while (advance_fit(expected, head.parameters, *cpu_)) {
    }
    EXPECT_EQ(run.generated, expected.generated);
    EXPECT_EQ(run.dropped, expected.dropped);
    ASSERT_EQ(run.samples.size(), expected.samples.size());
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
      EXPECT_EQ(run.samples[i].items, expected.samples[i].items);
      EXPECT_NEAR(run.samples[i].entropy, expected.samples[i].entropy, kEntropyTolerance);
    }
  }
}

TEST_F(LogitsUsers, TheEntropySurface) {
  const std::vector<int> sizes = {5, 300};
  const std::vector<double> theta = {0.5, 1, 4};
  for (const TrainingState& head : heads_) {
    const HeadSurface surface = head_entropy_surface(*device_, head.parameters, 1, sizes, theta, 4);
    const HeadSurface expected = head_entropy_surface(*cpu_, head.parameters, 1, sizes, theta, 4);
    ASSERT_EQ(surface.entropy.size(), 6U);
    for (std::size_t i = 0; i < surface.entropy.size(); ++i)
      EXPECT_NEAR(surface.entropy[i], expected.entropy[i], kEntropyTolerance);
  }
}

TEST_F(LogitsUsers, LiveFramesWhoseTransformsChangeBeforeTheyAreDone) {
  const HeadVersion head{.version = 1, .state = std::make_shared<TrainingState>(heads_[0])};
  const auto finished = [&](Backend& backend) {
    constexpr double kSlice = 1e-7;  // so short that each takes one set
    LiveView view;
    ViewRequest request;
    request.revision = 1;
    request.sizes = {16, 64};
    request.transforms = {usual_transform(TransformId::kSoftmax)};
    view.accept(request);
    view.work_paused(backend, head, kSlice, false);
    ++request.revision;
    request.transforms.push_back(usual_transform(TransformId::kAdaptive));
    view.accept(request);
    while (view.work_paused(backend, head, kSlice, false)) {
    }
    return view.snapshot(0, 1);
  };
  const auto found = finished(*device_);
  const auto expected = finished(*cpu_);
  EXPECT_TRUE(found->complete);
  for (std::size_t size = 0; size < 2; ++size) {
    const std::vector<float>& logits = found->logits[size]->logits;
    ASSERT_EQ(logits.size(), expected->logits[size]->logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i)
      EXPECT_NEAR(logits[i], expected->logits[size]->logits[i], kLogitTolerance);
    for (std::size_t t = 0; t < 2; ++t) {
      EXPECT_EQ(found->rows[2 * size + t].sets, expected->rows[2 * size + t].sets);
      EXPECT_NEAR(found->transforms[t].frames[size].mean_entropy,
                  expected->transforms[t].frames[size].mean_entropy, kEntropyTolerance);
    }
  }
}

}  // namespace
}  // namespace dispersion
