// Evaluations by every function, path, kind of head and transform against the head's definition in
// double.

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "core/spectral/points.h"
#include "longest_sets.h"
#include "tests/gpu/conformance/coverage.h"
#include "tests/gpu/conformance/evaluation_cases.h"

namespace dispersion {
namespace {

using CaseOn = std::tuple<Computes, std::size_t>;
class ConformanceEvaluation : public ConformanceCase<CaseOn> {};

// Notes what the device computed of it by itself.
void note(const EvaluationCase& c, const Backend& backend) {
  const std::vector<AttentionTransform>& transforms = c.mix.transforms;
  const auto taken = [&](const AttentionTransform& t) { return backend.takes(t); };
  if (c.head == HeadKind::kNarrow || !std::ranges::all_of(transforms, taken)) return;
  const bool spectral = c.asked != Asked::kDrawnDirect &&
                        choose_points(conformance_head(c.head), Spare::kNone).spectral();
  note_evaluated(c.mix, spectral ? HeadPath::kSpectral : HeadPath::kDirect,
                 c.asked == Asked::kDrawn || c.asked == Asked::kDrawnDirect);
}

TEST_P(ConformanceEvaluation, AgreesWithTheDefinition) {
  const EvaluationCase& c = evaluation_cases()[std::get<1>(GetParam())];
  const auto backend = make_counted_backend(std::get<0>(GetParam()));
  const Parameters<float>& head = conformance_head(c.head);
  const DrawnSets drawn{.seed = 3, .items = c.items, .first_set = 5, .sets = c.sets};
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, c.sets, sets);
  const std::vector<AttentionTransform>& transforms = c.mix.transforms;
  const DefinedSets defined = define_sets(head, sets.view(), transforms);
  std::vector<float> logits;
  std::vector<std::int32_t> labels;
  SetEvaluation evaluation;
  switch (c.asked) {
    case Asked::kLogits:
      backend->attention_logits(head, sets.view(), logits);
      return expect_defined_logits(logits, defined);
    case Asked::kGiven:
      evaluation = backend->evaluate(head, sets.view(), transforms);
      break;
    case Asked::kGivenWithLogits:
      evaluation = backend->evaluate_with_logits(head, sets.view(), transforms, logits);
      expect_defined_logits(logits, defined);
      break;
    case Asked::kDrawn:
    case Asked::kDrawnDirect:
      evaluation = backend->evaluate_drawn(
          head, drawn, transforms,
          {.path = c.asked == Asked::kDrawn ? HeadPath::kSpectral : HeadPath::kDirect}, labels);
      EXPECT_EQ(labels, sets.label);
      break;
  }
  expect_defined(evaluation, sets.view(), transforms, defined);
  if (std::get<0>(GetParam()) == Computes::kOnDevice) note(c, *backend);
}

std::string case_name(const testing::TestParamInfo<CaseOn>& info) {
  const auto [computes, index] = info.param;
  return backend_kind(computes) + evaluation_cases()[index].name() + "Row" + std::to_string(index);
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceEvaluation,
                         testing::Combine(testing::ValuesIn(kEveryBackend),
                                          testing::Range<std::size_t>(0,
                                                                      evaluation_cases().size())),
                         case_name);

class ConformanceSets : public ConformanceTest {
 protected:
  std::unique_ptr<Backend> backend_ = make_counted_backend(GetParam());
  std::vector<AttentionTransform> transforms_ = every_transform();
  const Parameters<float>& head_ = conformance_head(HeadKind::kShipped);
};

// Drawing where it is computed changes nothing, nor do the sets beside, nor another time.
TEST_P(ConformanceSets, BitsDependOnTheSetAlone) {
  const DrawnSets drawn{.seed = 8, .items = 70, .first_set = 11, .sets = 9};
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  std::vector<std::int32_t> labels;
  const SetEvaluation whole = backend_->evaluate_drawn(head_, drawn, transforms_, {}, labels);
  const SetEvaluation given = backend_->evaluate(head_, sets.view(), transforms_);
  for (int set = 0; set < drawn.sets; ++set)
    expect_same_set(whole, set, given, set);
  // The direct path rounds elsewhere.
  const SetEvaluation direct =
      backend_->evaluate_drawn(head_, drawn, transforms_, {.path = HeadPath::kDirect}, labels);
  EXPECT_NE(direct.transforms[0].class_logits, whole.transforms[0].class_logits);
  DrawnSets last = drawn;
  last.first_set += 8;
  last.sets = 1;
  const SetEvaluation alone = backend_->evaluate_drawn(head_, last, transforms_, {}, labels);
  expect_same_set(alone, 0, whole, 8);
  EXPECT_EQ(labels, std::vector<std::int32_t>{sets.label[8]});
  std::vector<float> logits;
  std::vector<float> beside;
  backend_->attention_logits(head_, sets.view().slice(8, 1), logits);
  expect_same_set(backend_->evaluate_with_logits(head_, sets.view(), transforms_, beside), 3, given,
                  3);
  EXPECT_TRUE(std::ranges::equal(logits, std::span(beside).last(70)));
}

// Past a chunk of items, and on a device as long as a picture of the window has them.
TEST_P(ConformanceSets, TheLongestSet) {
  DefinedSets defined;
  ItemSets sets;
  for (const HeadPath path : {HeadPath::kSpectral, HeadPath::kDirect}) {
    const int items =
        path == HeadPath::kSpectral ? emulation::kLongestSpectralSet : emulation::kLongestDirectSet;
    const DrawnSets drawn{.seed = 6, .items = items, .first_set = 0, .sets = 1};
    if (defined.items != items) {
      draw_evaluation_sets(drawn, 0, 1, sets);
      defined = define_sets(head_, sets.view(), transforms_);
    }
    std::vector<std::int32_t> labels;
    expect_defined(backend_->evaluate_drawn(head_, drawn, transforms_, {.path = path}, labels),
                   sets.view(), transforms_, defined);
    EXPECT_EQ(labels, sets.label);
  }
}

// On a device more than a call to the kernels takes: each has its own label, and results in its
// place.
TEST_P(ConformanceSets, ManySetsInOneCall) {
  const DrawnSets drawn{.seed = 2, .items = 2, .first_set = 0, .sets = emulation::kManySets};
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  const std::vector<AttentionTransform> plain = {AttentionTransform()};
  const DefinedSets defined = define_sets(head_, sets.view(), plain);
  std::vector<std::int32_t> labels;
  expect_defined(backend_->evaluate_drawn(head_, drawn, plain, {}, labels), sets.view(), plain,
                 defined);
  EXPECT_EQ(labels, sets.label);
  std::vector<float> logits;
  backend_->attention_logits(head_, sets.view(), logits);
  expect_defined_logits(logits, defined);
}

// What drawing gives rarely or never: equal priorities, those at the ends and at the points of
// interpolation, one class alone, queries at the ends.
TEST_P(ConformanceSets, GivenSetsOfAnyKind) {
  constexpr int kItems = 100;
  ItemSets sets;
  sets.resize(4, kItems);
  for (int s = 0; s < 4; ++s) {
    const float query[] = {0, 1 - 0x1p-24f, 0.5f, 0.25f};
    sets.query[static_cast<std::size_t>(s)] = query[s];
    for (int i = 0; i < kItems; ++i) {
      const auto at = static_cast<std::size_t>(s * kItems + i);
      const float priority[] = {i % 25 == 7 ? 0.75f : 0.25f, i % 2 == 0 ? 0.0f : 1 - 0x1p-24f, 0.5f,
                                static_cast<float>(i) / kItems};
      sets.priority[at] = priority[s];
      sets.item_class[at] = static_cast<std::uint8_t>(s == 2 ? 4 : i % 10);
    }
  }
  const SetEvaluation found = backend_->evaluate(head_, sets.view(), transforms_);
  expect_defined(found, sets.view(), transforms_, define_sets(head_, sets.view(), transforms_));
  EXPECT_EQ(found.argmax_priority, (std::vector<std::int32_t>{7, 1, 0, 99}));
  EXPECT_EQ(found.largest_priorities, (std::vector<std::int32_t>{4, 50, 100, 1}));
}

// Whatever is kept of a head belongs to that head alone: others between, of another shape or with
// one weight changed, leave nothing behind.
TEST_P(ConformanceSets, HeadsThatTakeTurns) {
  const DrawnSets drawn{.seed = 4, .items = 20, .first_set = 0, .sets = 3};
  std::vector<std::int32_t> labels;
  const SetEvaluation before = backend_->evaluate_drawn(head_, drawn, transforms_, {}, labels);
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  Parameters<float> changed = head_;
  changed.tensor(TensorId::kReadout1Bias)[3] += 1;
  const std::vector<const Parameters<float>*> between = {
      &conformance_head(HeadKind::kNarrow), &conformance_head(HeadKind::kSteep), &changed};
  for (const Parameters<float>* head : between) {
    expect_defined(backend_->evaluate_drawn(*head, drawn, transforms_, {}, labels), sets.view(),
                   transforms_, define_sets(*head, sets.view(), transforms_));
  }
  const SetEvaluation after = backend_->evaluate_drawn(head_, drawn, transforms_, {}, labels);
  for (int set = 0; set < drawn.sets; ++set)
    expect_same_set(before, set, after, set);
}

// Rounding is the CPU's, bit for bit.
TEST_P(ConformanceSets, EveryPrecision) {
  const auto cpu = make_defining_backend();
  const DrawnSets drawn{.seed = 5, .items = 40, .first_set = 2, .sets = 4};
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  for (const Precision precision : {Precision::kBf16Priorities, Precision::kFp16Priorities,
                                    Precision::kBf16, Precision::kFp16}) {
    std::vector<std::int32_t> labels;
    std::vector<std::int32_t> cpu_labels;
    const EvaluationSettings settings{.path = HeadPath::kSpectral, .precision = precision};
    const SetEvaluation found =
        backend_->evaluate_drawn(head_, drawn, transforms_, settings, labels);
    const SetEvaluation wanted =
        cpu->evaluate_drawn(head_, drawn, transforms_, settings, cpu_labels);
    EXPECT_EQ(labels, sets.label);
    for (int set = 0; set < drawn.sets; ++set)
      expect_same_set(found, set, wanted, set);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceSets, testing::ValuesIn(kEveryBackend),
                         [](const auto& on) { return backend_kind(on.param); });

}  // namespace
}  // namespace dispersion
