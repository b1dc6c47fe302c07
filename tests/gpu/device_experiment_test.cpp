// The streaming view's experiment on the sequence backend of an emulated machine.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "app/session/app_state.h"
#include "app/session/experiment_states.h"
#include "core/cpu/cpu_backend.h"
#include "faults.h"
#include "gpu/cuda_backend.h"
#include "tests/backend_choices.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

// Says no once the first length of attention is there.
class UntilAttention {
 public:
  bool keep_going() const { return lengths == 0; }
  void show(Figure figure) {
    ++lengths;
    partial = std::move(figure);
  }

  int lengths = 0;
  Figure partial;
};

class DeviceExperimentTest : public testing::Test {
 protected:
  void TearDown() override { emulation::reset_machine(); }

  ExperimentResult experiment() {
    app_.status.computing = kDevice0;
    app_.experiment_settings.of(kStreamingView).set("scale", 1);
    return make_request(kStreamingView, app_)
        .job(
            tools_, [this](double) { return progress_.keep_going(); },
            [this](Figure figure) { progress_.show(std::move(figure)); });
  }

  AppState app_;
  UntilAttention progress_;
  ChosenBackends tools_{{[](const BackendChoice&) { return make_cpu_backend(1); },
                         [](const BackendChoice& choice) -> std::unique_ptr<SequenceBackend> {
                           if (choice != kDevice0) return make_cpu_sequence_backend(1);
                           std::string reason;
                           return make_cuda_sequence_backend(0, DeviceUse::kBackground, reason);
                         }},
                        kDevice0};
};

std::string plot_titles(const Figure& figure) {
  std::string text;
  for (const LinePlot& plot : figure.plots)
    text += plot.title + " (" + plot.subtitle + ")\n";
  return text;
}

TEST_F(DeviceExperimentTest, AttendsOnTheDevice) {
  experiment();
  EXPECT_EQ(progress_.lengths, 1);
  EXPECT_EQ(tools_.used(), "CUDA device 0, Emulated device");
  EXPECT_NE(plot_titles(progress_.partial).find("Emulated device"), std::string::npos)
      << plot_titles(progress_.partial);
}

TEST_F(DeviceExperimentTest, SaysFromWhichLengthOnMemoryIsShort) {
  emulation::machine().other_bytes =
      emulation::machine().total_bytes - (std::size_t{64} << 20) - 200'000;
  const Figure figure = experiment().figure;
  EXPECT_EQ(progress_.lengths, 0);
  EXPECT_NE(figure.sentence.text().find("Attention over n = 256 needs "), std::string::npos)
      << figure.sentence.text();
  EXPECT_FALSE(figure.plots.empty());  // those of the entropy stand
}

TEST_F(DeviceExperimentTest, ALostDeviceIsLeftToWhoRunsTheExperiment) {
  emulation::machine().launches_to_loss = 1;
  EXPECT_THROW(experiment(), DeviceLost);
  tools_.use_cpu("the device was lost");
  experiment();
  EXPECT_EQ(progress_.lengths, 1);
  EXPECT_EQ(tools_.used(), "CPU: the device was lost");
}

}  // namespace
}  // namespace dispersion
