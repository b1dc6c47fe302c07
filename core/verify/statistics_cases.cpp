#include <cmath>
#include <functional>

#include "core/statistics/intervals_and_tests.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

void check_paired_t(Section& section, const CaseValue& item) {
  const PairedT test = paired_t_test(item.at("a").numbers(), item.at("b").numbers());
  section.scalar(item, "t", test.t, tolerance::kDoubleProbability);
  section.scalar(item, "p", test.p, tolerance::kDoubleProbability);
  section.scalar(item, "mean_a", test.mean_a);
  section.scalar(item, "mean_b", test.mean_b);
  section.scalar(item, "std_a", test.std_a);
  section.scalar(item, "std_b", test.std_b);
  section.scalar(item, "mean_difference", test.mean_difference);
  section.scalar(item, "std_difference", test.std_difference);
  section.scalar(item, "ci95_low", test.interval.low);
  section.scalar(item, "ci95_high", test.interval.high);
  section.integer(item, "degrees_of_freedom", test.degrees_of_freedom);
}

// The z for which P(|Z| <= z) = share under the normal distribution, found by bisection of
// 1 - erfc(z / sqrt 2) = share.
double two_sided_normal_quantile(double share) {
  double low = 0;
  double high = 40;
  for (double middle = 20; middle != low && middle != high; middle = (low + high) / 2) {
    (std::erfc(middle / std::sqrt(2.0)) > 1 - share ? low : high) = middle;
  }
  return high;
}

// Runs the check on every entry of a list; an entry that throws fails alone.
void for_each(Section& section, const CaseValue& list,
              const std::function<void(const CaseValue&)>& check) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const CaseValue item = list.at(i);
    section.guarded(item.place(), [&] { check(item); });
  }
}

}  // namespace

void verify_statistics(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "", "statistics", report);
  section.guarded("statistics", [&] {
    const CaseValue cases = section.cases();
    for_each(section, cases.at("paired_t"),
             [&](const CaseValue& item) { check_paired_t(section, item); });
    for_each(section, cases.at("wilson95"), [&](const CaseValue& item) {
      const Interval interval = wilson_interval(item.at("k").integer(), item.at("n").integer());
      section.scalar(item, "low", interval.low);
      section.scalar(item, "high", interval.high);
    });
    for_each(section, cases.at("mcnemar_exact"), [&](const CaseValue& item) {
      section.scalar(item, "p", mcnemar_p(item.at("b").integer(), item.at("c").integer()),
                     tolerance::kDoubleProbability);
    });
    section.scalar(cases, "z975", two_sided_normal_quantile(0.95));
    section.scalar(cases, "t975_df9", student_t_quantile(0.05, 9));
  });
}

}  // namespace dispersion
