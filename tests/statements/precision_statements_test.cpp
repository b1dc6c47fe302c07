// What the comparison of precisions says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/experiment/precision_comparison.h"
#include "core/figure/figures.h"
#include "tests/statements/cells.h"
#include "tests/statements/claims.h"
#include "tests/statements/precision_truth.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

// What is true of one run; `count` gives the answers of a precision at n.
struct Recount {
  std::function<Answers(const std::string& precision, int items)> answers;
  std::vector<std::pair<std::string, int>> shown = {};  // precision and n of every row

  SetCount count(const std::string& precision, int items) const {
    return answers(precision, items).right;
  }
  SetCount of(const Claim& claim) const { return count(claim.of, static_cast<int>(claim.at[0])); }
  Truth end(const Claim& claim, bool high) const {
    const SetCount c = of(claim);
    const auto [low_end, high_end] = wilson(c.right, c.sets);
    return {100 * (high ? high_end : low_end), kDouble + 200.0 * c.open / c.sets};
  }
  Truth sets(bool most) const {
    double end = most ? 0 : INFINITY;
    for (const auto& [precision, items] : shown) {
      const double sets = count(precision, items).sets;
      end = most ? std::max(end, sets) : std::min(end, sets);
    }
    return {end, 0};
  }
  // The farthest end of all rows.
  Truth reach() const {
    Truth farthest{0, kDouble};
    for (const auto& [precision, items] : shown) {
      const SetCount c = count(precision, items);
      const auto [low, high] = wilson(c.right, c.sets);
      const double share = static_cast<double>(c.right) / c.sets;
      farthest.value = std::max({farthest.value, 100 * (high - share), 100 * (share - low)});
      farthest.tolerance += 200.0 * c.open / c.sets;
    }
    return farthest;
  }
  Truth inside(const Claim& claim, bool expected) const {
    const SetCount c = of(claim);
    if (c.open > 0) return {1, 0};
    const auto [low, high] = wilson(c.right, c.sets);
    const double perfect = perfect_accuracy(static_cast<int>(claim.at[0]));
    return {(perfect >= low - kDouble && perfect <= high + kDouble) == expected ? 1.0 : 0.0, 0};
  }
};

Claims claims_of(const Recount*& run) {
  return Claims({
      {"accuracy (%)", [&](const Claim& claim) { return run->of(claim).share(); }},
      {"sets evaluated",
       [&](const Claim& claim) {
         return Truth{1.0 * run->of(claim).sets, 0};
       }},
      {"fewest sets of a size", [&](const Claim&) { return run->sets(false); }},
      {"most sets of a size", [&](const Claim&) { return run->sets(true); }},
      {"accuracy of a perfect argmax (%)",
       [](const Claim& claim) {
         return Truth{100 * perfect_accuracy(static_cast<int>(claim.at[0])), kSums};
       }},
      {"perfect argmax inside the interval",
       [&](const Claim& claim) { return run->inside(claim, true); }},
      {"perfect argmax outside the interval",
       [&](const Claim& claim) { return run->inside(claim, false); }},
      {"low end of the interval (%)", [&](const Claim& claim) { return run->end(claim, false); }},
      {"high end of the interval (%)", [&](const Claim& claim) { return run->end(claim, true); }},
      {"distance of an interval's end from its share (points)",
       [&](const Claim& claim) {
         const Truth farthest = run->reach();
         EXPECT_NEAR(claim.value, farthest.value, farthest.tolerance);
         return farthest;
       }},
      {"the paper's accuracy (%)",
       [](const Claim& claim) {
         return Truth{paper_baseline().at(static_cast<int>(claim.at[0])), kDouble};
       }},
  });
}

// In percent; in fp32 the 2^24 priorities tie at the top of hardly any set, with a probability of
// about n / 2^24.
Truth perfect_percent(const std::string& precision, int items) {
  if (precision == "fp32") return {100, 100.0 * items * 0x1p-24};
  return {100 * (precision == "fp16" ? perfect_accuracy<RoundToFp16>(items)
                                     : perfect_accuracy<RoundToBf16>(items)),
          kSums};
}

TrueCellValue paper_percent(int items) {
  const auto found = paper_baseline().find(items);
  if (found == paper_baseline().end()) return NoNumber{};
  return Truth{found->second, kDouble};
}

// A share of 1.
TrueCellValue share_of(const TrueCellValue& percent) {
  const auto* truth = std::get_if<Truth>(&percent);
  return truth ? Truth{truth->value / 100, truth->tolerance / 100} : percent;
}

// Of the command's table, whose rows are those of `run`.
TrueColumns row_columns(const Recount& run) {
  const auto of = [&run](auto cell) {
    return [&run, cell](std::size_t row) -> TrueCellValue {
      return cell(run.shown[row].first, run.shown[row].second);
    };
  };
  const auto n = [](const std::string&, int items) { return Truth{static_cast<double>(items), 0}; };
  const auto name = [](const std::string& precision, int) -> TrueCellValue {
    return precision == "bf16 priorities" ? "bf16-priorities" : precision;
  };
  return {{"n", of(n)},
          {"precision", of(name)},
          {"accuracy %", of([&](const std::string& precision, int items) {
             return share_of(run.answers(precision, items).right.share());
           })},
          {"argmax %", of([&](const std::string& precision, int items) {
             return share_of(run.answers(precision, items).argmax.share());
           })},
          {"entropy", of([&](const std::string& precision, int items) {
             return run.answers(precision, items).entropy;
           })},
          {"perfect %", of([](const std::string& precision, int items) {
             return share_of(perfect_percent(precision, items));
           })},
          {"paper %",
           of([](const std::string&, int items) { return share_of(paper_percent(items)); })}};
}

// Of the figure's table, with a row for each size.
TrueColumns size_columns(const Recount& run) {
  std::vector<int> sizes;
  for (const auto& [precision, items] : run.shown) {
    if (precision == "fp32") sizes.push_back(items);
  }
  TrueColumns columns = {
      {"n",
       [=](std::size_t row) -> TrueCellValue {
         return Truth{1.0 * sizes[row], 0};
       }},
      {"perfect, bf16",
       [=](std::size_t row) -> TrueCellValue { return perfect_percent("bf16", sizes[row]); }},
      {"paper", [=](std::size_t row) { return paper_percent(sizes[row]); }}};
  for (const std::string precision : {"fp32", "bf16 priorities", "bf16", "fp16"}) {
    columns[precision] = [=, &run](std::size_t row) -> TrueCellValue {
      return run.count(precision, sizes[row]).share();
    };
  }
  return columns;
}

TEST(PrecisionStatements, OfHeadsAreTrue) {
  const Recount* run = nullptr;
  Claims claims = claims_of(run);
  const std::vector<std::string> sizes = {"16", "1", "2", "64,20", "128"};
  const std::map<std::string, std::vector<int>> sizes_of = {
      {"16", {16}}, {"1", {1}}, {"2", {2}}, {"64,20", {64, 20}}, {"128", {128}}};
  const std::vector<std::string> sets = {"40", "1", "3"};
  const auto heads = static_cast<int>(zoo().size());
  for (const std::vector<int>& row : pairwise({heads, 5, 3})) {
    const ZooHead& head = zoo()[static_cast<std::size_t>(row[0])];
    SCOPED_TRACE(head.name + " n = " + sizes[row[1]] + ", sets " + sets[row[2]]);
    std::map<std::pair<std::string, int>, Answers> known;
    Recount of_head{[&](const std::string& precision, int items) {
      const auto [place, is_new] = known.try_emplace({precision, items});
      if (is_new)
        place->second = answers(head.parameters, precision, items, std::stoi(sets[row[2]]));
      return place->second;
    }};
    for (const int items : sizes_of.at(sizes[row[1]])) {
      for (const char* precision : {"fp32", "bf16 priorities", "bf16", "fp16"})
        of_head.shown.emplace_back(precision, items);
    }
    run = &of_head;
    ExperimentResult result;
    try {
      result = run_on("precision", head, {{"sizes", sizes[row[1]]}, {"sets", sets[row[2]]}});
    } catch (const std::runtime_error& error) {
      // Rounded products of huge logits overflow, which is said instead of numbers.
      EXPECT_NE(std::string(error.what()).find("finite"), std::string::npos) << error.what();
      continue;
    }
    claims.check(statements_of(result));
    check_cells(result.tables.at(0), row_columns(of_head));
    check_cells(result.figure.tables.at(0), size_columns(of_head));
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// Counts that no small run gives: all right, none right, few and many sets, up to 2^20 items.
TEST(PrecisionStatements, OfCountsAtTheEdgesAreTrue) {
  std::vector<PrecisionRow> rows;
  Recount counted{[&](const std::string& precision, int items) {
    for (const PrecisionRow& row : rows) {
      const bool same = (precision == "fp32") == (row.precision == Precision::kFloat);
      if (same && (precision == "fp32" || row.measured.items == items)) {
        return Answers{.right = {static_cast<int>(row.measured.correct), 0,
                                 static_cast<int>(row.measured.sets)}};
      }
    }
    return Answers{};
  }};
  const Recount* run = &counted;
  Claims claims = claims_of(run);
  for (const int items : {1, 2, 16, 1024, 16384, 1 << 20}) {
    for (const std::int64_t sets : {1, 7, 256, 20'000}) {
      for (const double share : {1.0, 0.0, 0.5, perfect_accuracy(items)}) {
        const auto correct =
            static_cast<std::int64_t>(std::round(share * static_cast<double>(sets)));
        rows.clear();
        counted.shown = {{"fp32", items}, {"bf16 priorities", items}};
        for (const Precision precision : {Precision::kFloat, Precision::kBf16Priorities}) {
          rows.push_back({precision,
                          {.items = items, .sets = sets, .correct = correct},
                          perfect_argmax_accuracy(precision, items)});
        }
        claims.check(statements_of(precision_figure(rows)));
      }
    }
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

}  // namespace
}  // namespace dispersion
