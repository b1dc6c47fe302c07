// A transform that nobody knows, given to everything that takes one: each refuses it by name, and
// none computes softmax in its place.

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/sequence_attention.h"
#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/sequence_backend.h"
#include "core/experiment/size_table.h"
#include "core/experiment/table_summary.h"
#include "core/figure/figures.h"
#include "core/head/backward.h"
#include "core/head/forward.h"
#include "core/precision/rounded_backward.h"
#include "core/spectral/spectral_step.h"

namespace dispersion {
namespace {

const AttentionTransform kUnknown = {static_cast<TransformId>(99), 1, {}};

// Does it, which has to throw what names the transform.
template <class Do>
void expect_refused(const char* what, Do&& act) {
  try {
    act();
    ADD_FAILURE() << what << " took it";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("no attention transform 99"), std::string::npos)
        << what << ": " << error.what();
  }
}

Parameters<float> small_head() {
  return initial_parameters({.width = 16, .classes = 10}, 3);
}

TEST(UnknownTransform, HasNoNameWeightsOrGradient) {
  const std::vector<double> logits = {1, 2, 3};
  std::vector<double> weights(3);
  std::vector<double> gradient(3);
  expect_refused("name", [] { transform_name(kUnknown.id); });
  expect_refused("usual", [] { usual_transform(kUnknown.id); });
  expect_refused("label", [] { transform_label(kUnknown); });
  expect_refused("text", [] { transform_text(kUnknown); });
  expect_refused("validate", [] { validate(kUnknown); });
  expect_refused("beta", [] { softmax_beta(kUnknown, 1, 3); });
  expect_refused("weights", [&] { attention_weights<double>(logits, kUnknown, weights); });
  expect_refused("gradient", [&] {
    attention_weights_backward<double>(kUnknown, {logits, weights, {}}, BetaGradient::kThrough,
                                       logits, gradient);
  });
  EXPECT_EQ(weights, std::vector<double>(3));
}

TEST(ParseTransform, SaysWhatItExpected) {
  const auto refused = [](const char* text) -> std::string {
    try {
      parse_transform(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused("top-k:k=3"), "");
  EXPECT_NE(refused("softmx").find("not 'softmx'"), std::string::npos);
  EXPECT_NE(refused("softmx").find("entmax-1.5"), std::string::npos);
  EXPECT_EQ(refused("softmax:k=3"), "softmax has no settings, not 'k=3'");
  EXPECT_EQ(refused("top-k:n=3"), "top-k: expected k=NUMBER, not 'n=3'");
  EXPECT_EQ(refused("top-k:k"), "top-k: expected k=NUMBER, not 'k'");
  EXPECT_EQ(refused("top-k:"), "top-k: expected k=NUMBER, not ''");
  EXPECT_EQ(refused("top-k:k=0"), "top-k: k should be a whole number from 1 to 16777216, not '0'");
  EXPECT_EQ(refused("top-k:k=1.5"),
            "top-k: k should be a whole number from 1 to 16777216, not '1.5'");
  EXPECT_EQ(refused("log-n:n0=1"), "log-n: n0 should be a number from 2 to 16777216, not '1'");
  EXPECT_EQ(refused("log-n:n0=nan"), "log-n: n0 should be a number from 2 to 16777216, not 'nan'");
  EXPECT_NE(refused(""), "");
}

TEST(UnknownTransform, IsRefusedByTheHead) {
  const Parameters<float> head = small_head();
  const ItemSets sets = frame_sets(1, 16);
  Activations<float> activations;
  BackwardWorkspace<float> workspace;
  Parameters<float> gradient(head.shape);
  expect_refused("forward", [&] { forward(head, sets.view(), kUnknown, activations); });
  forward(head, sets.view(), AttentionTransform(), activations);
  expect_refused("backward", [&] {
    backward(head, sets.view(), kUnknown, BetaGradient::kStopped, 0.1f, activations, workspace,
             gradient);
  });
  RoundedHead rounded;
  rounded.assign(initial_parameters({}, 3), Rounding::kBf16);
  RoundedActivations rounded_activations;
  expect_refused("rounded forward",
                 [&] { rounded_forward(rounded, sets.view(), kUnknown, rounded_activations); });
}

TEST(UnknownTransform, IsRefusedByEveryEvaluation) {
  const auto backend = make_cpu_backend(2);
  const std::vector<AttentionTransform> transforms = {AttentionTransform(), kUnknown};
  const ItemSets sets = frame_sets(1, 16);
  std::vector<float> logits;
  std::vector<std::int32_t> labels;
  expect_refused("takes", [&] { static_cast<void>(backend->takes(kUnknown)); });
  for (const HeadShape shape : {HeadShape{.width = 16, .classes = 10}, HeadShape{}}) {
    const Parameters<float> head = initial_parameters(shape, 3);
    expect_refused("evaluate", [&] { backend->evaluate(head, sets.view(), transforms); });
    expect_refused("with logits",
                   [&] { backend->evaluate_with_logits(head, sets.view(), transforms, logits); });
  }
  for (const HeadPath path : {HeadPath::kDirect, HeadPath::kSpectral}) {
    expect_refused("drawn", [&] {
      backend->evaluate_drawn(initial_parameters({}, 3), {.items = 16, .sets = 4}, transforms,
                              {.path = path}, labels);
    });
  }
  for (const Precision precision :
       {Precision::kBf16, Precision::kFp16, Precision::kBf16Priorities}) {
    expect_refused("rounded", [&] {
      backend->evaluate_drawn(initial_parameters({}, 3), {.items = 16, .sets = 4}, transforms,
                              {.path = HeadPath::kDirect, .precision = precision}, labels);
    });
  }
}

TEST(UnknownTransform, IsRefusedByExperimentsAndFigures) {
  const auto backend = make_cpu_backend(1);
  const std::vector<AttentionTransform> transforms = {AttentionTransform(), kUnknown};
  const std::vector<int> sizes = {16};
  expect_refused("size table",
                 [&] { evaluate_sizes(*backend, small_head(), 1, sizes, 4, transforms, {}); });
  const std::vector<TableHead> heads = {{1, small_head()}};
  expect_refused(
      "table", [&] { start_table(heads, {.sizes = sizes, .sets = 4, .transforms = transforms}); });
  const ItemSets sets = frame_sets(1, 16);
  const FrameLogits logits = make_frame_logits(sets, std::vector<float>(sets.priority.size()));
  expect_refused("frame", [&] { apply_transform(logits, kUnknown); });
  const std::vector<TransformFrames> frames = {
      {kUnknown, {apply_transform(logits, AttentionTransform())}}};
  expect_refused("grid", [&] { dispersion_grid(frames, ColourScale::kLinear); });
  expect_refused("animation", [&] { dispersion_animation(frames, ColourScale::kLinear); });
  expect_refused("size figure", [&] { size_figure({}, transforms); });
  TableOne table;
  table.cells.emplace_back().transform = kUnknown;
  expect_refused("table figure", [&] { table_figure(table); });
}

TEST(UnknownTransform, IsRefusedBySequences) {
  const SequenceAttention attention = {.n = 64, .transform = kUnknown};
  expect_refused("validate", [&] { validate(attention); });
  const auto sequence_backend = make_cpu_sequence_backend(1);
  expect_refused("room", [&] { sequence_backend->require_room(attention); });
  const Sequences sequences = draw_sequences(attention, 1, 1);
  expect_refused("attend", [&] { sequence_backend->attend(attention, sequences, {}); });
  expect_refused("row", [&] { attend_row(attention, sequences, 0, 3); });
  AttendedSequences room = room_for(attention);
  expect_refused("tile", [&] { attend_tile(attention, sequences, 0, 0, room); });
}

// A backend that takes no sparse transform says so, and the CPU does what it does not take.
class Device : public Backend {
 public:
  std::string description() const override { return "device"; }
  void load(const Recipe&, std::vector<TrainingState>) override {}
  TrainOutcome train(int, std::vector<StepRecord>&) override { return {}; }
  int head_count() const override { return 0; }
  TrainingState state(int) const override { return {}; }
  void attention_logits(const Parameters<float>&, ItemSetsView, std::vector<float>&) override {}
  SetEvaluation evaluate(const Parameters<float>&, ItemSetsView,
                         std::span<const AttentionTransform>) override {
    return {};
  }
  bool takes(const AttentionTransform& transform) const override {
    return Backend::takes(transform) && transform_definition(transform.id).on_device;
  }
};

TEST(EvaluateSplit, LeavesToTheCpuWhatTheDeviceDoesNotTake) {
  const Device device;
  const auto marked = [](int mark) {
    return [mark](std::span<const AttentionTransform> transforms) {
      SetEvaluation result;
      result.sets = mark;
      for (const AttentionTransform& transform : transforms) {
        TransformEvaluation& evaluation = result.transforms.emplace_back();
        evaluation.transform = transform;
        evaluation.predicted = {mark};
      }
      return result;
    };
  };
  const auto split = [&](const std::vector<TransformId>& ids) {
    std::vector<AttentionTransform> transforms;
    for (const TransformId id : ids)
      transforms.push_back(usual_transform(id));
    const SetEvaluation result = evaluate_split(device, transforms, marked(1), marked(2));
    std::vector<int> marks = {result.sets};
    for (std::size_t t = 0; t < ids.size(); ++t) {
      EXPECT_EQ(result.transforms.at(t).transform, transforms[t]);
      marks.push_back(result.transforms[t].predicted[0]);
    }
    return std::pair(marks, cpu_transforms_remark(device, transforms));
  };
  using enum TransformId;
  EXPECT_EQ(split({kSoftmax, kAdaptive, kHard}), std::pair(std::vector{1, 1, 1, 1}, std::string()));
  EXPECT_EQ(split({kSparsemax, kSoftmax, kTopK, kHard}),
            std::pair(std::vector{1, 2, 1, 2, 1},
                      std::string("The CPU computes sparsemax, top-k, which the device does not "
                                  "take.")));
  EXPECT_EQ(split({kLogN}).first, (std::vector{2, 2}));
  EXPECT_EQ(split({}).first, (std::vector{1}));
  expect_refused("split",
                 [&] { evaluate_split(device, std::vector{kUnknown}, marked(1), marked(2)); });
}

}  // namespace
}  // namespace dispersion
