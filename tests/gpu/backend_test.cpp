// The backend as the program sees it, and what it says when a device cannot be used.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/attention/transforms.h"
#include "core/backend.h"
#include "core/cpu/cpu_backend.h"
#include "faults.h"
#include "gpu/cuda_backend.h"
#include "gpu/kernels/group_memory.h"
#include "gpu/training/training_memory.h"
#include "tests/training_checks.h"

namespace dispersion {
namespace {

class CudaBackendTest : public testing::Test {
 protected:
  void TearDown() override {
    backend_.reset();
    EXPECT_EQ(emulation::take_guard_report(), "");
    EXPECT_EQ(emulation::bytes_held(), 0U);
    emulation::reset_machine();
  }

  std::string reason(int device = 0) {
    std::string text;
    backend_ = make_cuda_backend(device, DeviceUse::kForeground, text);
    EXPECT_EQ(backend_ == nullptr, !text.empty());
    return text;
  }

  Recipe small_recipe() const {
    Recipe recipe;
    recipe.batch_sets = 4;
    return recipe;
  }

  std::unique_ptr<Backend> backend_;
};

TEST_F(CudaBackendTest, NamesItsDevice) {
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(backend_->description(), "CUDA device 0, Emulated device");
  emulation::machine().devices = 2;
  EXPECT_EQ(cuda_device_names(), std::vector<std::string>(2, "Emulated device"));
  const CudaFacts facts = cuda_facts();
  EXPECT_EQ(facts.driver + ", " + facts.runtime, "13.0, 13.0");
  ASSERT_EQ(facts.devices.size(), 2U);
  const emulation::Machine& machine = emulation::machine();
  EXPECT_EQ(facts.devices[1].capability,
            std::to_string(machine.major) + "." + std::to_string(machine.minor));
  EXPECT_EQ(facts.devices[1].bytes, machine.total_bytes);
  emulation::machine().driver_version = 0;
  EXPECT_TRUE(cuda_device_names().empty());
  EXPECT_EQ(cuda_facts().driver, "");
  EXPECT_EQ(cuda_facts().runtime, "13.0");
}

// Whichever call fails, and how: no names, or one that is not known, and no throw.
TEST_F(CudaBackendTest, NamesOfDevicesThatFailAreLeftOut) {
  using emulation::Failure;
  const std::string name = "Emulated device";
  for (const Failure failure : {Failure::kOrdinary, Failure::kOutOfMemory, Failure::kSticky}) {
    int call = 0;
    for (;; ++call) {
      emulation::reset_machine();
      emulation::machine().calls_to_failure = call;
      emulation::machine().failure = failure;
      const std::vector<std::string> names = cuda_device_names();
      if (emulation::failed_call().empty()) break;
      EXPECT_TRUE(names.empty() || names == std::vector<std::string>{""})
          << emulation::failed_call();
      if (failure != Failure::kSticky) {
        EXPECT_EQ(cuda_device_names(), std::vector{name});
      }
    }
    EXPECT_GE(call, 2);
  }
}

TEST_F(CudaBackendTest, TellsHowFullTheDeviceIs) {
  ASSERT_EQ(reason(), "");
  backend_->load(small_recipe(), {start_training({}, 1)});
  emulation::machine().other_bytes = 1'000'000;
  const std::optional<DeviceMemory> memory = backend_->device_memory();
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->total_bytes, emulation::machine().total_bytes);
  EXPECT_EQ(memory->total_bytes - memory->free_bytes, emulation::bytes_held() + 1'000'000);
}

TEST_F(CudaBackendTest, SaysWhyThereIsNone) {
  emulation::machine().driver_version = 0;
  EXPECT_EQ(reason(), "No CUDA driver is installed.");
  emulation::machine().driver_version = 11040;
  EXPECT_EQ(reason(),
            "The CUDA driver is too old: it is for CUDA 11.4, and this program needs 13.0.");
  emulation::machine() = {};
  emulation::machine().devices = 0;
  EXPECT_EQ(reason(), "There is no CUDA device.");
  emulation::machine() = {};
  EXPECT_EQ(reason(3), "There is no CUDA device 3: this machine has one, 0.");
  EXPECT_EQ(reason(-1), "There is no CUDA device -1: this machine has one, 0.");
  emulation::machine().devices = 2;
  EXPECT_EQ(reason(2), "There is no CUDA device 2: this machine has 2, 0 to 1.");
  emulation::machine().major = 6;
  EXPECT_EQ(reason(), "Emulated device has compute capability 6.0; 7.5 or newer is needed.");
}

TEST_F(CudaBackendTest, Behaviour03_RefusesAGroupThatDoesNotFit) {
  ASSERT_EQ(reason(), "");
  emulation::machine().other_bytes = emulation::machine().total_bytes - (std::size_t{80} << 20);
  std::vector<TrainingState> heads;
  for (std::uint32_t seed = 1; seed <= 40; ++seed)
    heads.push_back(start_training({}, seed));
  try {
    backend_->load({}, heads);
    FAIL() << "40 heads in 80 MB";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("Training 40 heads needs "), std::string::npos) << text;
    EXPECT_NE(text.find("84 MB of 17180 MB are free. The largest number of heads that fits is "),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(backend_->head_count(), 0);
  backend_->load(small_recipe(), {heads[0]});
  EXPECT_EQ(backend_->head_count(), 1);
}

// What fits is what is then taken, and one more is not.
TEST_F(CudaBackendTest, TheLargestThatFitsDoesFit) {
  ASSERT_EQ(reason(), "");
  Recipe large;
  large.largest_set = 4096;
  emulation::machine().other_bytes = emulation::machine().total_bytes - (std::size_t{200} << 20);
  const auto refused = [&](const Recipe& recipe) -> std::string {
    try {
      backend_->load(recipe, {start_training({}, 1)});
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  const std::string text = refused(large);
  const std::string before = "The largest number of items a set that fits is ";
  ASSERT_NE(text.find(before), std::string::npos) << text;
  large.largest_set = std::stoi(text.substr(text.find(before) + before.size()));
  ASSERT_GT(large.largest_set, 16) << text;
  EXPECT_EQ(refused(large), "");
  ++large.largest_set;
  EXPECT_NE(refused(large), "");
}

TEST_F(CudaBackendTest, SaysWhichTransformsItLeavesToTheCpu) {
  ASSERT_EQ(reason(), "");
  std::vector<AttentionTransform> transforms;
  for (const TransformDefinition* definition : transform_definitions())
    transforms.push_back(usual_transform(definition->id));
  EXPECT_EQ(
      cpu_transforms_remark(*backend_, transforms),
      "The CPU computes log-n, top-k, sparsemax, entmax-1.5, which the device does not take.");
}

TEST_F(CudaBackendTest, EvaluatesFewerSetsAtATimeWhereMemoryIsScarce) {
  ASSERT_EQ(reason(), "");
  const Parameters<float> head = start_training({}, 1).parameters;
  const AttentionTransform plain = {TransformId::kSoftmax, 1, AdaptiveRule()};
  std::vector<std::int32_t> labels;
  const DrawnSets drawn{1, 300, 0, 40};
  const SetEvaluation roomy = backend_->evaluate_drawn(head, drawn, {&plain, 1}, {}, labels);
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  std::vector<float> roomy_logits;
  backend_->attention_logits(head, sets.view(), roomy_logits);
  // Another one, which keeps next to no memory from the call before.
  ASSERT_EQ(reason(), "");
  backend_->evaluate_drawn(head, {1, 1, 0, 1}, {&plain, 1}, {}, labels);
  const std::size_t total = emulation::machine().total_bytes;
  emulation::machine().other_bytes =
      total - emulation::bytes_held() - (std::size_t{64} << 20) - 400'000;
  const SetEvaluation tight = backend_->evaluate_drawn(head, drawn, {&plain, 1}, {}, labels);
  EXPECT_EQ(tight.logit_max, roomy.logit_max);
  EXPECT_EQ(tight.transforms[0].entropy, roomy.transforms[0].entropy);
  EXPECT_EQ(labels, sets.label);
  std::vector<float> logits;
  emulation::machine().other_bytes += 350'000;  // they take less
  backend_->attention_logits(head, sets.view(), logits);
  EXPECT_EQ(logits, roomy_logits);
  // Not even one set of this size, and what would do.
  const DrawnSets vast{1, 1 << 24, 0, 1};
  try {
    backend_->evaluate_drawn(head, vast, {&plain, 1}, {}, labels);
    FAIL() << "16 million items in 400 kB";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("Evaluating a set of 16777216 items needs "), std::string::npos) << text;
    EXPECT_NE(text.find("The largest number of items that fits is "), std::string::npos) << text;
  }
}

TEST_F(CudaBackendTest, GraphsAreShorterWhereKernelsHaveATimeLimit) {
  std::size_t longest[2];
  std::vector<Parameters<float>> parameters;
  for (const bool limited : {false, true}) {
    backend_.reset();
    emulation::reset_machine();
    emulation::machine().kernel_time_limit = limited;
    ASSERT_EQ(reason(), "");
    backend_->load(small_recipe(), {start_training({}, 1)});
    std::vector<StepRecord> records;
    EXPECT_EQ(backend_->train(6, records).steps_done, 6);
    parameters.push_back(backend_->state(0).parameters);
    longest[limited ? 1 : 0] = emulation::longest_graph();
  }
  EXPECT_EQ(longest[0], 8 * longest[1]);
  EXPECT_EQ(parameters[0], parameters[1]);
}

TEST_F(CudaBackendTest, SaysWhatIsTrainedOnTheCpu) {
  ASSERT_EQ(reason(), "");
  Recipe rounding = small_recipe();
  rounding.precision = Precision::kBf16;
  rounding.path = HeadPath::kDirect;
  backend_->load(rounding, {start_training({}, 3)});
  EXPECT_EQ(backend_->remark(),
            "This recipe rounds, which only the CPU does: the head is trained there.");
  EXPECT_EQ(backend_->description(), "CUDA device 0, Emulated device; trained on the CPU");
  backend_->load(small_recipe(), {start_training({.width = 16, .classes = 10}, 1)});
  EXPECT_EQ(backend_->remark(), "This head is not of the paper's shape: it is trained on the CPU.");
}

TEST_F(CudaBackendTest, GoesOnFromWhereTheCpuStopped) {
  ASSERT_EQ(reason(), "");
  const auto cpu = make_cpu_backend(1);
  std::vector<StepRecord> records;
  cpu->load(small_recipe(), {start_training({}, 1)});
  cpu->train(254, records);
  backend_->load(small_recipe(), {cpu->state(0)});
  records.clear();
  // Over step 256, where the points are chosen again.
  EXPECT_EQ(backend_->train(4, records).steps_done, 4);
  std::vector<StepRecord> expected;
  cpu->train(4, expected);
  expect_near_records(records, expected);
  EXPECT_EQ(backend_->state(0).item_points, cpu->state(0).item_points);
}

// A run of the CPU may have more points than the device has room for.
TEST_F(CudaBackendTest, TakesTheDirectPathWhereThePointsAreTooMany) {
  ASSERT_EQ(reason(), "");
  TrainingState start = start_training({}, 1);
  start.step = 1;
  start.item_points = 40;
  start.query_points = 12;
  backend_->load({}, {start});
  std::vector<StepRecord> records;
  EXPECT_EQ(backend_->train(1, records).steps_done, 1);
  EXPECT_EQ(backend_->state(0).item_points, 0);
  EXPECT_EQ(backend_->state(0).most_item_points, kMostTrainingItemPoints);
}

TEST_F(CudaBackendTest, ALostDeviceIsAnError) {
  ASSERT_EQ(reason(), "");
  backend_->load(small_recipe(), {start_training({}, 1)});
  emulation::machine().launches_to_loss = 12;
  std::vector<StepRecord> records;
  try {
    backend_->train(40, records);
    FAIL() << "trained on a lost device";
  } catch (const DeviceLost& error) {
    EXPECT_STREQ(error.what(), "CUDA device 0 was lost: unspecified launch failure");
  }
  // It stays lost, whatever is asked.
  EXPECT_THROW(backend_->state(0), DeviceLost);
  EXPECT_THROW(backend_->load(small_recipe(), {start_training({}, 1)}), DeviceLost);
  EXPECT_THROW(backend_->device_memory(), DeviceLost);
  // A new one is refused, with the reason.
  EXPECT_EQ(reason(), "CUDA device 0 cannot be used: unspecified launch failure.");
}

// Free when it was asked, taken when it was wanted.
TEST_F(CudaBackendTest, MemoryThatAnotherProgramTookMeanwhileIsNoLoss) {
  ASSERT_EQ(reason(), "");
  emulation::machine().allocations_to_failure = 0;
  try {
    backend_->load(small_recipe(), {start_training({}, 1)});
    FAIL() << "loaded without memory";
  } catch (const DeviceLost&) {
    FAIL() << "want of memory is no loss";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "CUDA device 0 has no memory left for this; other programs may hold it");
  }
  emulation::machine().allocations_to_failure = -1;
  backend_->load(small_recipe(), {start_training({}, 1)});
  std::vector<StepRecord> records;
  EXPECT_EQ(backend_->train(1, records).steps_done, 1);
}

TEST(HeadLayout, IsThatOfTheParameters) {
  const ParameterLayout layout = parameter_layout(kHeadShape);
  EXPECT_EQ(static_cast<std::size_t>(kParameters), parameter_count(kHeadShape));
  int squares = 0;
  for (int id = 0; id < kTensorCount; ++id) {
    const TensorSlot& slot = layout[static_cast<std::size_t>(id)];
    const TensorId tensor = static_cast<TensorId>(id);
    EXPECT_EQ(static_cast<std::size_t>(tensor_offset(tensor)), slot.offset) << slot.name;
    EXPECT_EQ(tensor_rows(tensor), slot.rows) << slot.name;
    EXPECT_EQ(tensor_columns(tensor), slot.cols) << slot.name;
    const bool square = slot.rows == kWidth && slot.cols == kWidth;
    EXPECT_EQ(square_kernel(tensor), square ? squares++ : -1) << slot.name;
  }
  EXPECT_EQ(squares, kSquareKernels);
}

}  // namespace
}  // namespace dispersion
