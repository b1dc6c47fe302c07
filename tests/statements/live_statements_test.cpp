// What the attention view, its figures and `evaluate` say in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/rule_shape.h"
#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/cell_values.h"
#include "core/figure/figures.h"
#include "core/figure/sentences.h"
#include "core/figure/size_values.h"
#include "core/figure/why.h"
#include "tests/statements/claims.h"
#include "tests/statements/live_claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

std::vector<Statement> statements_of(const std::vector<NamedValue>& values) {
  std::vector<Statement> all;
  for (const NamedValue& value : values)
    all.push_back(value.value);
  return all;
}

// Own rules: one that never sharpens, one that never ends, the paper's held at its peak.
std::vector<AdaptiveRule> rules() {
  AdaptiveRule never;
  never.coefficients = {0, 0, 0, 0, 0.5};
  AdaptiveRule growing;
  growing.coefficients = {0, 0, 0, 0.5, 0.2};
  return {AdaptiveRule(), guarded_rule(AdaptiveRule()), growing, never};
}

enum class Choice { kSoftmax, kAdaptive, kAll };

std::vector<AttentionTransform> chosen(Choice choice, double theta, const AdaptiveRule& rule) {
  std::vector<AttentionTransform> transforms;
  for (const TransformDefinition* definition : transform_definitions()) {
    const bool adaptive = definition->id == TransformId::kAdaptive;
    if (choice == Choice::kSoftmax && definition->id != TransformId::kSoftmax) continue;
    if (choice == Choice::kAdaptive && !adaptive && definition->id != TransformId::kSoftmax)
      continue;
    AttentionTransform transform = usual_transform(definition->id);
    if (definition->has_theta) transform.theta = theta;
    transform.rule = rule;
    transforms.push_back(transform);
  }
  return transforms;
}

const std::vector<double> kThetas = {1, 0.01, 0.15, 10};

// All that the attention view says of one n.
void check_view(Claims& claims, const FrameLogits& logits,
                const std::vector<AttentionFrame>& frames, const AdaptiveRule* rule) {
  std::vector<const AttentionFrame*> shown;
  for (const AttentionFrame& frame : frames)
    shown.push_back(&frame);
  claims.check(statements_of(why_values(shown)));
  if (rule != nullptr) claims.check(statements_of(rule_values(frames.front(), *rule)));
  const Statement explanation = joined(why_sentences(logits, frames.front(), rule));
  EXPECT_FALSE(explanation.empty());
  claims.check(explanation);
  for (const FrameCell cell : {FrameCell{0, 0}, FrameCell{31, logits.columns - 1}}) {
    claims.check(statements_of(item_values(logits, cell)));
    for (const AttentionFrame& frame : frames)
      claims.check(statements_of(weight_values(frame, cell)));
  }
}

// What is shown in these tests, and the claims that are made of it.
class Live {
 public:
  void show(const std::vector<int>& row, const std::vector<int>& sizes, int sets, LogitsOf logits) {
    shown_.known.clear();
    const ZooHead* head = &zoo()[size_t(row[0])];
    if (shown_.head != head || sizes != sizes_ || sets != sets_ || logits != logits_) {
      shown_.sizes.clear();
      for (const int items : sizes)
        shown_.sizes.emplace(items, LiveReference(head->parameters, items, sets, logits));
    }
    sizes_ = sizes;
    sets_ = sets;
    logits_ = logits;
    shown_.head = head;
    shown_.transforms =
        chosen(static_cast<Choice>(row[2]), kThetas[size_t(row[1])], rules()[size_t(row[3])]);
  }
  std::string name(const std::vector<int>& row) const {
    return shown_.head->name + ", theta " + std::to_string(kThetas[size_t(row[1])]) + ", rule " +
           std::to_string(row[3]);
  }
  const Parameters<float>& head() const { return shown_.head->parameters; }
  const std::vector<AttentionTransform>& transforms() const { return shown_.transforms; }
  Backend& backend() { return *backend_; }
  Claims& claims() { return claims_; }

 private:
  Shown shown_;
  std::vector<int> sizes_;
  int sets_ = 0;
  LogitsOf logits_ = LogitsOf::kFrames;
  std::unique_ptr<Backend> backend_ = make_cpu_backend(1);
  Claims claims_ = live_claims(shown_);
};

int place_of(const std::string& head) {
  return int(std::ranges::find(zoo(), head, &ZooHead::name) - zoo().begin());
}

// Rows of: head, theta, transforms, rule, and `last` choices of something else.
std::vector<std::vector<int>> rows_of_settings(int last) {
  auto rows = pairwise({int(zoo().size()), int(kThetas.size()), 3, 4, last});
  // What is said of these together needs three of their settings.
  rows.push_back({place_of("shipped"), 0, 0, 0, 0});
  rows.push_back({place_of("untrained"), 0, 1, 0, 0});
  rows.push_back({place_of("shipped"), 0, 1, 0, last - 1});
  std::ranges::sort(rows);  // heads one after the other, which keeps their references
  return rows;
}

void check_views(Live& live) {
  const std::vector<std::vector<int>> sizes = {{16, 512}, {1}, {2}, {16}, {1, 512}};
  for (const std::vector<int>& row : rows_of_settings(int(sizes.size()))) {
    const std::vector<int>& shown = sizes[size_t(row[4])];
    live.show(row, shown, kFrameSets, LogitsOf::kFrames);
    SCOPED_TRACE(live.name(row));
    const auto frames = dispersion_frames(live.backend(), live.head(), shown, live.transforms());
    live.claims().check(statements_of(dispersion_figure(frames, ColourScale::kLinear)));
    for (const Figure& figure : dispersion_animation(frames, ColourScale::kLinear))
      live.claims().check(statements_of(figure));
    const ItemSets sets = frame_sets(kFigureSetSeed, shown.back());
    std::vector<float> logits;
    live.backend().attention_logits(live.head(), sets.view(), logits);
    const FrameLogits frame = make_frame_logits(sets, std::move(logits));
    check_view(live.claims(), frame, apply_transforms(frame, live.transforms()),
               row[2] == 0 ? nullptr : &live.transforms()[1].rule);
  }
}

void check_evaluations(Live& live) {
  const std::vector<std::vector<int>> sizes = {{16, 64}, {1, 2}, {64}};
  for (const std::vector<int>& row : rows_of_settings(int(sizes.size()))) {
    const std::vector<int>& shown = sizes[size_t(row[4])];
    const int sets = row[4] == 2 ? 1 : 100;
    live.show(row, shown, sets, LogitsOf::kDefinition);
    SCOPED_TRACE(live.name(row) + ", " + std::to_string(sets) + " sets");
    const std::vector<SizeRow> measured =
        evaluate_sizes(live.backend(), live.head(), 1, shown, sets, live.transforms(), Progress());
    live.claims().check(statements_of(size_figure(measured, live.transforms())));
    for (const SizeRow& each : measured) {
      live.claims().check(evaluation_cells(each));
      live.claims().check(statements_of(size_values(each.transform.id, &each)));
      live.claims().check(counted_sets_text(&each));
      const SizeRow& plain = *std::ranges::find(measured, each.items, &SizeRow::items);
      live.claims().check(accuracy_difference("", each.transform.id, &each, &plain).value);
    }
  }
}

TEST(LiveStatements, AreTrueOfEveryHeadAndSetting) {
  Live live;
  check_views(live);
  check_evaluations(live);
  EXPECT_EQ(live.claims().never_made(), std::vector<std::string>());
}

TEST(LiveStatements, TiesOfVeryLargeSetsAreCounted) {
  constexpr int kItems = 1 << 20;
  int tied = 0;
  ItemSets drawn;
  drawn.resize(1, kItems);
  draw_item_sets(1, RandomPurpose::kEvaluation, kItems, 0, drawn);
  const float most = std::ranges::max(drawn.priority);
  tied = std::ranges::count(drawn.priority, most) > 1 ? 1 : 0;
  const std::vector<SizeRow> measured =
      evaluate_sizes(*make_cpu_backend(1), zoo_head("narrow").parameters, 1, std::vector{kItems}, 1,
                     chosen(Choice::kSoftmax, 1, {}), Progress());
  Claims({{"sets with a tied maximum (%)",
           [&](const Claim&) {
             return Truth{100.0 * tied, 0};
           }}})
      .check(tied_sets_text(measured));
  EXPECT_NE(tied_sets_text(measured).text().find("at n = 1048576"), std::string::npos);
}

// What a teacher reads of heads of different kinds.
std::string explanation_of(const std::string& name, int items, double theta, bool adaptive) {
  const Parameters<float>& head = zoo_head(name).parameters;
  const auto backend = make_cpu_backend(1);
  const ItemSets sets = frame_sets(kFigureSetSeed, items);
  std::vector<float> logits;
  backend->attention_logits(head, sets.view(), logits);
  const FrameLogits frame = make_frame_logits(sets, std::move(logits));
  const AdaptiveRule rule;
  return joined(
      why_sentences(frame, apply_transform(frame, {.theta = theta}), adaptive ? &rule : nullptr));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Why, SaysWhatIsSoOfEachKindOfHead) {
  EXPECT_TRUE(has(explanation_of("constant", 64, 1, false),
                  "All logits are equal in all 32 sets: there every item gets 1/n."));
  EXPECT_TRUE(
      has(explanation_of("untrained", 64, 1, false), "Attention is nearly uniform in all 32 sets"));
  EXPECT_TRUE(
      has(explanation_of("negated", 64, 0.1, false), "lies on the maximum in none of 32 sets"));
  EXPECT_TRUE(has(explanation_of("negated", 64, 0.1, false),
                  "The largest logit is another item's in all 32 sets"));
  EXPECT_TRUE(has(explanation_of("shipped", 16, 1, false), "lies on the maximum in "));
  EXPECT_TRUE(has(explanation_of("shipped", 2048, 1, true), "A logit does not depend on n"));
  EXPECT_FALSE(has(explanation_of("blind", 64, 1, false), "A logit does not depend on n"));
  EXPECT_EQ(explanation_of("shipped", 1, 1, true),
            "The only item of a set gets all of the attention, whatever its logit.");
}

// With the mean spread instead of the largest, 8 of the 32 sets would exceed the bound.
TEST(Why, TheBoundHoldsForTheSetThatComesClosest) {
  const Parameters<float>& head = zoo_head("twenty steps").parameters;
  const ReferenceSets sets = reference_sets(head, 1, 16, kFrameSets);
  double largest = 0;
  double mean_spread = 0;
  double bound = 0;
  for (int set = 0; set < kFrameSets; ++set) {
    const double* e = sets.row(set);
    const auto [low, high] = std::minmax_element(e, e + 16);
    largest = std::max(largest, std::ranges::max(reference_weights(e, 16, 1)));
    mean_spread += (*high - *low) / kFrameSets;
    bound = std::max(bound, 1 / (1 + 15 * std::exp(*low - *high)));
  }
  ASSERT_GT(largest, 1 / (1 + 15 * std::exp(-mean_spread)));
  const auto frames = dispersion_frames(*make_cpu_backend(1), head, std::vector{16},
                                        chosen(Choice::kSoftmax, 1, {}));
  const auto possible = largest_possible_weight(frames[0].frames[0]);
  ASSERT_TRUE(possible);
  EXPECT_NEAR(*possible, bound, 1e-6);
  EXPECT_GE(*possible, largest);
  AttentionFrame hard = frames[0].frames[0];
  hard.transform.id = TransformId::kHard;
  EXPECT_FALSE(largest_possible_weight(hard));
}

}  // namespace
}  // namespace dispersion
