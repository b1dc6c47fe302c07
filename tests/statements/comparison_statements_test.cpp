// What is said of two states, A and B, and of their difference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_pairs.h"
#include "core/experiment/size_table.h"
#include "core/figure/compared_sizes.h"
#include "core/figure/difference.h"
#include "core/figure/figures.h"
#include "tests/statements/claims.h"
#include "tests/statements/live_claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

constexpr int kSets = 100;
constexpr int kFewer = 40;
const std::vector<int> kSizes = {16, 64};

std::vector<AttentionTransform> softmax_and_adaptive(double theta) {
  AttentionTransform softmax;
  softmax.theta = theta;
  AttentionTransform adaptive = softmax;
  adaptive.id = TransformId::kAdaptive;
  return {softmax, adaptive};
}

// A head under a temperature, with what is true of it.
struct State {
  State(const std::string& head, double theta, int sets, LogitsOf logits) {
    shown.head = &zoo_head(head);
    shown.transforms = softmax_and_adaptive(theta);
    for (const int items : kSizes)
      shown.sizes.emplace(items, LiveReference(shown.head->parameters, items, sets, logits));
  }
  const Parameters<float>& head() const { return shown.head->parameters; }

  Shown shown;
  Claims claims = live_claims(shown);
};

Truth less(const Truth& a, const Truth& b) {
  return {b.value - a.value, a.tolerance + b.tolerance};
}

Truth accuracy(Shown& shown, const Claim& claim) {
  const Truth right = shown.right(shown.under(claim)).truth();
  return {100 * right.value / kSets, 100 * right.tolerance / kSets};
}

Truth weight_on_max(Shown& shown, const Claim& claim) {
  const LiveReference& at = shown.at(claim.at[0]);
  std::vector<Truth> all;
  for (int set = 0; set < at.sets(); ++set)
    all.push_back(shown.under(claim).weight(set, at.maximum(set)));
  return mean(all);
}

// The interval of Bonett and Price (2012) from the sets that only one gets right, in points.
double interval_end(double only_a, double only_b, double side) {
  const double a = (only_a + 1) / (kSets + 2);
  const double b = (only_b + 1) / (kSets + 2);
  const double half = std::sqrt((a + b - (b - a) * (b - a)) / (kSets + 2));
  return 100 * std::clamp(b - a + side * 1.959963984540054 * half, -1.0, 1.0);
}

Truth interval_truth(Shown& a, Shown& b, const Claim& claim, double side) {
  const std::vector<int>& of_a = a.under(claim).right;
  const std::vector<int>& of_b = b.under(claim).right;
  int only_a = 0;
  int only_b = 0;
  int open = 0;
  for (std::size_t set = 0; set < of_a.size(); ++set) {
    if (of_a[set] < 0 || of_b[set] < 0) {
      ++open;
    } else {
      only_a += of_a[set] > of_b[set];
      only_b += of_b[set] > of_a[set];
    }
  }
  std::vector<double> ends;
  for (int to_a = 0; to_a <= open; ++to_a) {
    for (int to_b = 0; to_a + to_b <= open; ++to_b)
      ends.push_back(interval_end(only_a + to_a, only_b + to_b, side));
  }
  const auto [low, high] = std::ranges::minmax(ends);
  return {(low + high) / 2, (high - low) / 2 + 1e-9};
}

Claims evaluation_claims(Shown& a, Shown& b) {
  const auto entropy = [](Shown& shown, const Claim& claim) {
    return mean(shown.under(claim).entropy);
  };
  return Claims({
      {"accuracy of A (%)", [&](const Claim& claim) { return accuracy(a, claim); }},
      {"accuracy of B (%)", [&](const Claim& claim) { return accuracy(b, claim); }},
      {"accuracy of A on the sets of both (%)",
       [&](const Claim& claim) { return accuracy(a, claim); }},
      {"accuracy of B on the sets of both (%)",
       [&](const Claim& claim) { return accuracy(b, claim); }},
      {"accuracy, B minus A (points)",
       [&](const Claim& claim) { return less(accuracy(a, claim), accuracy(b, claim)); }},
      {"low end of accuracy, B minus A (points)",
       [&](const Claim& claim) { return interval_truth(a, b, claim, -1); }},
      {"high end of accuracy, B minus A (points)",
       [&](const Claim& claim) { return interval_truth(a, b, claim, 1); }},
      {"sets that A and B have classified",
       [](const Claim&) {
         return Truth{kSets, 0};
       }},
      {"sets of A",
       [](const Claim&) {
         return Truth{kSets, 0};
       }},
      {"sets of B",
       [](const Claim&) {
         return Truth{kFewer, 0};
       }},
      {"mean weight on the maximum of A",
       [&](const Claim& claim) { return weight_on_max(a, claim); }},
      {"mean weight on the maximum of B",
       [&](const Claim& claim) { return weight_on_max(b, claim); }},
      {"mean weight on the maximum, B minus A",
       [&](const Claim& claim) { return less(weight_on_max(a, claim), weight_on_max(b, claim)); }},
      {"mean entropy of A", [=, &a](const Claim& claim) { return entropy(a, claim); }},
      {"mean entropy of B", [=, &b](const Claim& claim) { return entropy(b, claim); }},
      {"mean entropy, B minus A",
       [=, &a, &b](const Claim& claim) { return less(entropy(a, claim), entropy(b, claim)); }},
  });
}

Claims frame_claims(Shown& a, Shown& b) {
  const auto weight = [](Shown& shown, const Claim& claim) {
    const int set = int(claim.at[1]);
    return shown.under(claim).weight(set, shown.at(claim.at[0]).shown(set, int(claim.at[2])));
  };
  return Claims({
      {"mean weight on the maximum of a frame, B minus A",
       [&](const Claim& claim) { return less(weight_on_max(a, claim), weight_on_max(b, claim)); }},
      {"weight of an item, B minus A",
       [=, &a, &b](const Claim& claim) { return less(weight(a, claim), weight(b, claim)); }},
      {"entropy of a set, B minus A",
       [&](const Claim& claim) {
         const auto set = static_cast<std::size_t>(claim.at[1]);
         return less(a.under(claim).entropy[set], b.under(claim).entropy[set]);
       }},
  });
}

struct Pair {
  const char* head_a;
  double theta_a;
  const char* head_b;
  double theta_b;
};
const std::vector<Pair> kPairs = {{"shipped", 1, "shipped", 0.15},
                                  {"twenty steps", 1, "shipped", 1},
                                  {"shipped", 10, "negated", 0.15},
                                  {"untrained", 1, "constant", 1}};

std::string name(const Pair& pair) {
  return std::string(pair.head_a) + " and " + pair.head_b;
}

TEST(ComparisonStatements, AreTrueOfTheMeasurementsOfBoth) {
  const auto backend = make_cpu_backend(1);
  std::vector<std::string> never;
  for (const Pair& pair : kPairs) {
    SCOPED_TRACE(name(pair));
    State a(pair.head_a, pair.theta_a, kSets, LogitsOf::kDefinition);
    State b(pair.head_b, pair.theta_b, kSets, LogitsOf::kDefinition);
    Claims claims = evaluation_claims(a.shown, b.shown);
    const auto rows_of = [&](const State& state) {
      return evaluate_sizes(*backend, state.head(), kFigureSetSeed, kSizes, kSets,
                            state.shown.transforms, Progress());
    };
    const std::vector<SizeRow> rows_a = rows_of(a);
    const std::vector<SizeRow> rows_b = rows_of(b);
    const HeadUnder under_a = {a.head(), a.shown.transforms};
    const HeadUnder under_b = {b.head(), b.shown.transforms};
    std::vector<SizePair> pairs;
    for (const int items : kSizes) {
      std::vector<SizePair> counted = empty_pairs(under_a, under_b, items);
      add_pairs(*backend, under_a, under_b, kFigureSetSeed, kSets, counted);
      pairs.insert(pairs.end(), counted.begin(), counted.end());
    }
    const std::vector<ComparedRows> rows = compared_rows(rows_a, rows_b, pairs);
    EXPECT_EQ(rows.size(), 2 * kSizes.size());
    for (const ComparedRows& each : rows) {
      for (const ComparedValue& value : compared_size_values(each))
        claims.check({value.a, value.b, value.difference});
      claims.check(paired_text(each));
    }
    // B's row is of fewer sets than A's and the pair's.
    ComparedRows other = rows[0];
    const SizeRow fewer = {.items = other.b->items, .sets = kFewer};
    other.b = &fewer;
    claims.check({paired_text(other), other_sets_text(other)});
    const ComparedValue of_pair = compared_size_values(other)[1];
    claims.check({of_pair.a, of_pair.b, of_pair.difference});
    Figure figure;
    figure.plots = {compared_plot(accuracy_plot(rows_a), accuracy_plot(rows_b)),
                    accuracy_difference_plot(rows)};
    figure.tables = {size_comparison_table(rows)};
    for (const Statement& statement : statements_of(figure)) {
      Claims& of = statement.claims().empty() ? claims : b.claims;  // of the present state
      of.check(statement);
    }
    never = claims.never_made();
    EXPECT_EQ(never, std::vector<std::string>());
  }
}

void check_cells(State& a, State& b, Claims& claims, const AttentionFrame& of_a,
                 const AttentionFrame& of_b) {
  for (const FrameCell cell : {FrameCell{0, 0}, FrameCell{31, of_b.columns - 1}}) {
    for (const ComparedValue& value : compared_weight_values(&of_a, &of_b, cell)) {
      a.claims.check(value.a);
      b.claims.check(value.b);
      if (!value.difference.empty()) claims.check(value.difference);
    }
  }
}

TEST(ComparisonStatements, AreTrueOfTheHeatMapsOfBoth) {
  const auto backend = make_cpu_backend(1);
  for (const Pair& pair : kPairs) {
    SCOPED_TRACE(name(pair));
    State a(pair.head_a, pair.theta_a, kFrameSets, LogitsOf::kFrames);
    State b(pair.head_b, pair.theta_b, kFrameSets, LogitsOf::kFrames);
    Claims claims = frame_claims(a.shown, b.shown);
    const auto frames_a = dispersion_frames(*backend, a.head(), kSizes, a.shown.transforms);
    const auto frames_b = dispersion_frames(*backend, b.head(), kSizes, b.shown.transforms);
    ComparedGrids grids = compared_grids(frames_a, frames_b, ColourScale::kLinear, true);
    EXPECT_FALSE(grids.differences.strips.empty());
    const std::vector<HeatmapStrip> strips = std::move(grids.maps.strips);
    for (std::size_t i = 0; i < strips.size(); ++i) {
      Figure figure;
      figure.grids = {grids.maps};
      figure.grids[0].strips = {strips[i]};
      (grids.strips[i].side == ComparedSide::kA ? a : b).claims.check(statements_of(figure));
    }
    Figure differences;
    differences.grids = {grids.differences};
    claims.check(statements_of(differences));
    for (std::size_t t = 0; t < frames_b.size(); ++t) {
      for (std::size_t f = 0; f < kSizes.size(); ++f)
        check_cells(a, b, claims, frames_a[t].frames[f], frames_b[t].frames[f]);
    }
    EXPECT_EQ(claims.never_made(), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace dispersion
