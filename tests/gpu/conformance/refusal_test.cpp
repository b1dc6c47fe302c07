// What a backend says of itself, what it makes of nothing, and what it refuses.

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/attention/transforms.h"
#include "tests/gpu/conformance/conformance.h"

namespace dispersion {
namespace {

TEST(ConformanceCounting, FindsTheVirtualFunctionsOfAClass) {
  const std::string header = R"(
class Other {
  virtual void not_this();
};

// A virtual class.
class Wanted {
 public:
  virtual ~Wanted() = default;
  // The virtual nothing(of) this comment.
  virtual std::optional<DeviceMemory> one() const { return std::nullopt; }
  void plain(int a);
  virtual std::vector<float> two(const Parameters<float>& head,
                                 std::function<int(int)> use) = 0;
};
)";
  EXPECT_EQ(virtual_functions(header, "Wanted"), (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(virtual_functions(header, "Missing").empty());
  CallCounts counts;
  counts.note("one");
  EXPECT_EQ(counts.of("one"), 1);
  EXPECT_EQ(counts.of("two"), 0);
}

class ConformanceRefusal : public ConformanceTest {
 protected:
  // Whether every evaluation refuses these sets and transforms.
  void expect_refused(int items, std::span<const AttentionTransform> transforms) {
    const Parameters<float>& head = conformance_head(HeadKind::kShipped);
    ItemSetsView sets = sets_.view();
    sets.items = items;
    std::vector<float> logits;
    std::vector<std::int32_t> labels;
    EXPECT_THROW(backend_->evaluate(head, sets, transforms), std::invalid_argument);
    EXPECT_THROW(backend_->evaluate_with_logits(head, sets, transforms, logits),
                 std::invalid_argument);
    for (const HeadPath path : {HeadPath::kSpectral, HeadPath::kDirect}) {
      EXPECT_THROW(backend_->evaluate_drawn(head, {.items = items, .sets = 2}, transforms,
                                            {.path = path}, labels),
                   std::invalid_argument);
    }
  }

  void SetUp() override { draw_evaluation_sets({.items = 12, .sets = 2}, 0, 2, sets_); }

  std::unique_ptr<Backend> backend_ = make_counted_backend(GetParam());
  ItemSets sets_;
};

TEST_P(ConformanceRefusal, SaysWhatItIs) {
  const bool device = GetParam() == Computes::kOnDevice;
  EXPECT_EQ(backend_->description().find("CUDA device 0, "), device ? 0 : std::string::npos);
  EXPECT_NE(backend_->description_with_threads(), "");
  EXPECT_EQ(backend_->remark(), "");
  const std::optional<DeviceMemory> memory = backend_->device_memory();
  ASSERT_EQ(memory.has_value(), device);
  if (!memory) return;
  EXPECT_GT(memory->free_bytes, 0U);
  EXPECT_LE(memory->free_bytes, memory->total_bytes);
}

// The table says which transforms a device takes.
TEST_P(ConformanceRefusal, SaysWhichTransformsItTakes) {
  for (const TransformDefinition* definition : transform_definitions()) {
    EXPECT_EQ(backend_->takes(usual_transform(definition->id)),
              GetParam() == Computes::kOnCpu || definition->on_device)
        << definition->name;
  }
}

TEST_P(ConformanceRefusal, NoSetsAreEvaluatedToNothing) {
  const std::vector<AttentionTransform> transforms = every_transform();
  for (const HeadKind kind : kEveryHead) {
    const Parameters<float>& head = conformance_head(kind);
    const ItemSetsView none = sets_.view().slice(0, 0);
    std::vector<float> logits(3);
    std::vector<std::int32_t> labels(3);
    backend_->attention_logits(head, none, logits);
    EXPECT_TRUE(logits.empty());
    logits.resize(3);
    for (const SetEvaluation& evaluation :
         {backend_->evaluate(head, none, transforms),
          backend_->evaluate_with_logits(head, none, transforms, logits),
          backend_->evaluate_drawn(head, {.items = 12, .sets = 0}, transforms, {}, labels)}) {
      EXPECT_EQ(evaluation.sets, 0);
      EXPECT_TRUE(evaluation.logit_max.empty());
      ASSERT_EQ(evaluation.transforms.size(), transforms.size());
      EXPECT_TRUE(evaluation.transforms.back().class_logits.empty());
    }
    EXPECT_TRUE(logits.empty());
    EXPECT_TRUE(labels.empty());
  }
}

TEST_P(ConformanceRefusal, SetsWithoutItemsAreRefused) {
  const std::vector<AttentionTransform> transforms = every_transform();
  for (const int items : {0, -1}) {
    expect_refused(items, transforms);
    expect_refused(items, {});
    ItemSetsView sets = sets_.view();
    sets.items = items;
    std::vector<float> logits;
    for (const HeadKind kind : kEveryHead) {
      EXPECT_THROW(backend_->attention_logits(conformance_head(kind), sets, logits),
                   std::invalid_argument);
    }
  }
}

// Beside one that is taken, and alone. What comes after is not disturbed.
TEST_P(ConformanceRefusal, TransformsThatAreNotValid) {
  std::vector<AttentionTransform> wrong = {{static_cast<TransformId>(99), 1, {}}};
  for (const double theta : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const TransformDefinition* definition : transform_definitions()) {
      wrong.push_back(usual_transform(definition->id));
      wrong.back().theta = theta;
    }
  }
  for (const TransformDefinition* definition : transform_definitions()) {
    for (std::size_t i = 0; i < definition->settings.size(); ++i) {
      wrong.push_back(usual_transform(definition->id));
      wrong.back().settings[i] = definition->settings[i].high + 1;
    }
  }
  for (const AttentionTransform& transform : wrong) {
    EXPECT_THROW(backend_->takes(transform), std::invalid_argument);
    expect_refused(12, std::vector{transform});
    expect_refused(12, std::vector{AttentionTransform(), transform});
  }
  const Parameters<float>& head = conformance_head(HeadKind::kShipped);
  const std::vector<AttentionTransform> transforms = every_transform();
  expect_defined(backend_->evaluate(head, sets_.view(), transforms), sets_.view(), transforms,
                 define_sets(head, sets_.view(), transforms));
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceRefusal, testing::ValuesIn(kEveryBackend),
                         [](const auto& on) { return backend_kind(on.param); });

}  // namespace
}  // namespace dispersion
