#include "tests/statements/claims.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "core/figure/number_text.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

// What is read back is the number within half a unit of the last digit that is shown.
TEST(ShownNumber, IsReadAsItIsWritten) {
  for (const double value : {0.0, 0.00012, 0.024, 0.5, 17.0, 40960.0, 1.2e25, 3.14e-14, 1e12}) {
    const ShownNumber shown = read_shown(magnitude_text(value));
    EXPECT_NEAR(shown.value, value, shown.half_unit * 1.001) << magnitude_text(value);
    EXPECT_LE(shown.half_unit, 0.06 * std::max(value, 10.0)) << magnitude_text(value);
  }
  EXPECT_EQ(read_shown(grouped_text(-16384)).value, -16384);
  EXPECT_EQ(read_shown(fixed_text(-0.25, 2)).value, -0.25);
  EXPECT_EQ(read_shown(fixed_text(-0.25, 2)).half_unit, 0.005);
  EXPECT_TRUE(read_shown(weight_text(1e-9)).below);
  EXPECT_DOUBLE_EQ(read_shown(power_of_ten_text(-9)).value, 1e-9);
  EXPECT_THROW(read_shown("beyond 10³⁰⁰"), std::invalid_argument);
  EXPECT_THROW(read_shown(""), std::invalid_argument);
}

Statement said(Relation relation, const std::string& shown, double value = 0.24) {
  return "It is " +
         Statement::number({.what = "it", .relation = relation, .value = value, .shown = shown});
}

Claims truth(double value) {
  return Claims({{"it", [value](const Claim&) { return Truth{value, 0}; }}});
}

TEST(Claims, FailWhereTheyAreNotTrue) {
  truth(0.243).check(said(Relation::kIs, "0.24"));
  truth(0.24).check(said(Relation::kAtMost, "0.24"));
  truth(0.24).check(said(Relation::kAtLeast, "0.24"));
  truth(0.0004).check(said(Relation::kIs, "<0.001", 0.0004));
  truth(1).check(Statement::fact("It holds.", {{.what = "it", .relation = Relation::kHolds}}));
  EXPECT_NONFATAL_FAILURE(truth(0.246).check(said(Relation::kIs, "0.24")), "is 0.246");
  EXPECT_NONFATAL_FAILURE(truth(0.25).check(said(Relation::kAtMost, "0.24")), "is 0.25");
  EXPECT_NONFATAL_FAILURE(truth(0.23).check(said(Relation::kAtLeast, "0.24")), "is 0.23");
  EXPECT_NONFATAL_FAILURE(truth(0.01).check(said(Relation::kIs, "<0.001", 0.0004)), "is 0.01");
  EXPECT_NONFATAL_FAILURE(
      truth(0).check(Statement::fact("It holds.", {{.what = "it", .relation = Relation::kHolds}})),
      "It holds.");
}

TEST(Claims, FailWhereNobodyRecomputesThem) {
  EXPECT_NONFATAL_FAILURE(Claims({}).check(said(Relation::kIs, "0.24")), "nobody recomputes");
  Claims known = truth(0.24);
  EXPECT_EQ(known.never_made(), std::vector<std::string>{"it"});
  known.check(said(Relation::kIs, "0.24"));
  EXPECT_TRUE(known.never_made().empty());
}

TEST(Claims, FailWhereTheTextDoesNotShowTheNumber) {
  EXPECT_NONFATAL_FAILURE(truth(1).check(Statement::fact("It is.", {{.what = "it", .shown = "1"}})),
                          "not in");
}

// Also where the text shows another number than it was made from, and a bound that says too little.
TEST(Claims, FailWhereTheNumberShownIsNotTheOneThatWasMeant) {
  EXPECT_NONFATAL_FAILURE(truth(0.24).check(said(Relation::kIs, "0.24", 0.25)), "shows 0.24 for");
  EXPECT_NONFATAL_FAILURE(truth(0.24).check(said(Relation::kAtMost, "0.24", 0.242)),
                          "shows 0.24 for");
  EXPECT_NONFATAL_FAILURE(truth(0.24).check(said(Relation::kAtMost, "0.90", 0.24)),
                          "shows 0.90 for");
  EXPECT_NONFATAL_FAILURE(truth(0.24).check(said(Relation::kAtLeast, "0.10", 0.24)),
                          "shows 0.10 for");
}

TEST(Pairwise, CoversAllPairs) {
  const std::vector<int> levels = {4, 3, 2, 5};
  std::set<std::vector<int>> pairs;
  const auto rows = pairwise(levels);
  for (const std::vector<int>& row : rows) {
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j)
        pairs.insert({i, j, row[static_cast<std::size_t>(i)], row[static_cast<std::size_t>(j)]});
    }
  }
  EXPECT_EQ(pairs.size(), 4u * 3 + 4 * 2 + 4 * 5 + 3 * 2 + 3 * 5 + 2 * 5);
  EXPECT_LT(rows.size(), 40u);  // all rows would be 120
}

// The heads are as different as their names say.
TEST(Zoo, HeadsAreWhatTheyAreCalled) {
  const auto spread = [](const std::string& name) {
    const ReferenceSets sets = reference_sets(zoo_head(name).parameters, 1, 16, 8);
    const auto [low, high] = std::ranges::minmax(sets.logits);
    return high - low;
  };
  EXPECT_EQ(spread("constant"), 0);
  EXPECT_LT(spread("tiny"), 0.1);
  EXPECT_GT(spread("huge"), 1000);
  EXPECT_LT(spread("untrained"), spread("shipped"));
  EXPECT_GT(spread("blind"), 0);
  for (const ZooHead& head : zoo())
    require_finite_attention(head.name, head.parameters);
}

// So that what is held against the CPU's logits is held against the head's.
TEST(Zoo, TheLogitsOfTheCpuAreThoseOfTheHead) {
  for (const ZooHead& head : zoo()) {
    for (const int items : {1, 2, 16, 512}) {
      const ReferenceSets in_float = cpu_sets(head.parameters, 1, items, 32);
      const ReferenceSets in_double = reference_sets(head.parameters, 1, items, 32);
      for (std::size_t i = 0; i < in_double.logits.size(); ++i) {
        EXPECT_NEAR(in_float.logits[i], in_double.logits[i], in_double.rounding)
            << head.name << ", n = " << items;
      }
    }
  }
}

}  // namespace
}  // namespace dispersion
