#include "core/attention/rule_shape.h"

#include <gtest/gtest.h>

#include "core/math/polynomial.h"

namespace dispersion {
namespace {

TEST(Polynomial, ValueAndDerivative) {
  const std::vector<double> cubic = {2, -3, 0, 5};
  EXPECT_EQ(polynomial_value(cubic, 2), 16 - 12 + 5);
  EXPECT_EQ(derivative_of(cubic), (std::vector<double>{6, -6, 0}));
  EXPECT_EQ(derivative_of(std::vector<double>{7}), (std::vector<double>{0}));
}

TEST(Polynomial, SignChangesAreTheSimpleRoots) {
  // (x - 1)(x - 2)(x - 4)
  const std::vector<double> roots = sign_changes(std::vector<double>{1, -7, 14, -8}, 0, 10);
  ASSERT_EQ(roots.size(), 3u);
  EXPECT_NEAR(roots[0], 1, 1e-14);
  EXPECT_NEAR(roots[1], 2, 1e-14);
  EXPECT_NEAR(roots[2], 4, 1e-14);
  EXPECT_EQ(sign_changes(std::vector<double>{1, -7, 14, -8}, 1.5, 3).size(), 1u);
  EXPECT_TRUE(sign_changes(std::vector<double>{1, 0, 1}, -5, 5).empty());
  EXPECT_TRUE(sign_changes(std::vector<double>{3}, -5, 5).empty());
}

// Design, fact 1.
TEST(RuleShape, ThePapersRuleHasOneWindowAndOnePeak) {
  const std::vector<RuleWindow> windows = rule_windows(AdaptiveRule{});
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_NEAR(windows[0].low, 0.8486, 5e-5);
  EXPECT_NEAR(windows[0].high, 5.9445, 5e-5);
  ASSERT_TRUE(rule_peak(AdaptiveRule{}).has_value());
  EXPECT_NEAR(*rule_peak(AdaptiveRule{}), 4.412, 5e-4);
}

TEST(RuleShape, ARuleThatKeepsRisingHasNoPeakAndOneOpenWindow) {
  AdaptiveRule rising;
  rising.coefficients = {0, 0, 0, 1, 0};  // beta = H
  EXPECT_FALSE(rule_peak(rising).has_value());
  const std::vector<RuleWindow> windows = rule_windows(rising);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_NEAR(windows[0].low, 1, 1e-14);
  EXPECT_EQ(windows[0].high, kMostEntropy);
  const AdaptiveRule guarded = guarded_rule(rising);
  EXPECT_EQ(adaptive_beta(guarded, 20), adaptive_beta(rising, 20));
}

TEST(RuleShape, TheHighestOfTwoPeaksCounts) {
  AdaptiveRule two;  // -(x - 2)(x - 3)(x - 4.5) as slope: maxima at 2 and 4.5
  two.coefficients = {-1.0 / 4, 9.5 / 3, -28.5 / 2, 27, -15};
  const auto peak = rule_peak(two);
  ASSERT_TRUE(peak.has_value());
  EXPECT_NEAR(*peak, polynomial(two, 2) > polynomial(two, 4.5) ? 2 : 4.5, 1e-12);
}

TEST(RuleShape, AGuardedRuleHoldsItsPeak) {
  const AdaptiveRule rule;
  const AdaptiveRule guarded = guarded_rule(rule);
  EXPECT_NE(guarded, rule);
  for (const double h : {0.0, 0.5, 0.8, 1.0, 3.0, 4.41})
    EXPECT_EQ(adaptive_beta(guarded, h), adaptive_beta(rule, h)) << h;
  for (const double h : {4.5, 5.9445, 6.27, 9.7, 11.78}) {
    EXPECT_NEAR(adaptive_beta(guarded, h), 2.4214, 5e-5) << h;
    EXPECT_EQ(adaptive_beta_slope(guarded, h), 0) << h;
  }
  EXPECT_GT(adaptive_beta_slope(guarded, 4), 0);
  const std::vector<RuleWindow> windows = rule_windows(guarded);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_NEAR(windows[0].low, 0.8486, 5e-5);
  EXPECT_EQ(windows[0].high, kMostEntropy);
}

// What is fitted to samples is known within them: nothing peaks or ends beyond.
TEST(RuleShape, LooksNoFartherThanItIsTold) {
  const AdaptiveRule rule;
  EXPECT_FALSE(rule_peak(rule, 1, 4).has_value());
  EXPECT_FALSE(rule_peak(rule, 5, 6).has_value());
  EXPECT_NEAR(*rule_peak(rule, 1, 5), 4.412, 5e-4);
  const std::vector<RuleWindow> windows = rule_windows(rule, 1, 4);
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].low, 1);
  EXPECT_EQ(windows[0].high, 4);
  EXPECT_TRUE(rule_windows(rule, 0.1, 0.4).empty());
  const AdaptiveRule held = guarded_rule(rule, 1, 4);
  EXPECT_EQ(held.peak, 4);
  EXPECT_EQ(adaptive_beta(held, 9), adaptive_beta(rule, 4));
  EXPECT_NEAR(guarded_rule(rule, 1, 5).peak, 4.412, 5e-4);
}

}  // namespace
}  // namespace dispersion
