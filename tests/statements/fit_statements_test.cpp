// What the fit of the adaptive temperature says, of its samples, its polynomial and its resamples.

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/experiment/temperature_fit.h"
#include "core/figure/figures.h"
#include "tests/statements/claims.h"
#include "tests/statements/refit.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

Truth holds(bool fact) {
  return {fact ? 1.0 : 0.0, 0};
}

// The published polynomial.
double papers(double h) {
  return -1.791 + h * (4.917 + h * (-2.3 + h * (0.481 - 0.037 * h)));
}

bool paper_acts(const Sample& sample) {
  return sample.entropy > kGate && papers(sample.entropy) > 1;
}

double papers_peak() {
  double best = 1;
  for (double h = -30; h < 30; h += 1e-4) {  // it falls ever faster on either side
    if (papers(h) > papers(best)) best = h;
  }
  return best;
}

// What two solutions of one least squares in extended precision (1e-19) may differ by: where powers
// differ by as little as 1e-12 of their size, seven digits are left, and rules are of doubles.
double near(double value) {
  return 1e-5 * (1 + std::abs(value));
}

Claims claims_of(const Refit*& run) {
  const auto items = [](const Claim& claim) { return static_cast<int>(claim.at[0]); };
  return Claims({
      {"samples",
       [&](const Claim&) {
         return Truth{run->samples(0), 0};
       }},
      {"sets drawn",
       [&](const Claim&) {
         return Truth{run->drawn(), 0};
       }},
      {"sets dropped",
       [&](const Claim&) {
         return Truth{run->drawn() - run->samples(0), 0};
       }},
      {"optima at this theta",
       [&](const Claim& claim) {
         return Truth{run->count([&](const Sample& s) { return s.theta == claim.at[0]; }), 0};
       }},
      {"optima at an end of the grid",
       [&](const Claim&) {
         return Truth{run->count([](const Sample& s) { return s.theta == 0.1 || s.theta == 10; }),
                      0};
       }},
      {"the paper's rule does nothing for any sample",
       [&](const Claim&) { return holds(run->count(paper_acts) == 0); }},
      {"samples where the paper's rule does nothing",
       [&](const Claim&) {
         return Truth{run->count([](const Sample& s) { return !paper_acts(s); }), 0};
       }},
      // Refit has held the samples against the sets; they are the very doubles.
      {"smallest entropy",
       [&](const Claim&) {
         return Truth{run->low(), 0};
       }},
      {"largest entropy",
       [&](const Claim&) {
         return Truth{run->high(), 0};
       }},
      {"residual",
       [&](const Claim&) {
         return Truth{run->residual(), near(run->residual())};
       }},
      {"smallest 1/theta of the curve",
       [&](const Claim&) {
         return Truth{run->range().first, near(run->range().first)};
       }},
      {"largest 1/theta of the curve",
       [&](const Claim&) {
         return Truth{run->range().second, near(run->range().second)};
       }},
      {"no peak among the samples", [&](const Claim&) { return holds(!run->peak()); }},
      // Where the slope changes its sign, which the curves know to near().
      {"peak among the samples",
       [&](const Claim&) {
         return Truth{run->peak().value_or(NAN), 1e-5};
       }},
      {"largest value at the peak",
       [&](const Claim&) {
         const double most = run->range().second;
         return holds(run->curve().at(run->peak().value_or(NAN)) >= most - near(most));
       }},
      {"constant polynomial", [&](const Claim&) { return holds(run->constant()); }},
      {"polynomial through all samples",
       [&, items](const Claim& claim) { return holds(run->off(items(claim)) < 1e-5); }},
      {"samples of a polynomial through all",
       [&, items](const Claim& claim) {
         return Truth{run->samples(items(claim)), 0};
       }},
      {"resamples",
       [](const Claim&) {
         return Truth{kResampled, 0};
       }},
      {"resamples with a fit",
       [&](const Claim&) {
         const auto [least, most] = run->resamples_with_fit();
         return Truth{(least + most) / 2, (most - least) / 2};
       }},
      {"1/theta at the peak",
       [&](const Claim&) {
         const double value = run->curve().at(run->peak().value_or(NAN));
         return Truth{value, near(value)};
       }},
      // Resamples that are nearly singular may fall on either side of it: one in a hundred.
      {"resamples with a peak",
       [&](const Claim&) {
         return Truth{static_cast<double>(std::ssize(run->peaks())), 10};
       }},
      // Peaks of nearly singular resamples are known worst; this is below the digits shown.
      {"low end of the resampled peaks",
       [&](const Claim&) {
         const std::size_t out = run->peaks().size() / 40;
         return Truth{run->peaks()[out], 1e-4 * (run->high() - run->low())};
       }},
      {"high end of the resampled peaks",
       [&](const Claim&) {
         const std::size_t out = run->peaks().size() / 40;
         return Truth{run->peaks()[run->peaks().size() - 1 - out],
                      1e-4 * (run->high() - run->low())};
       }},
      {"peak of the paper's rule",
       [](const Claim&) {
         return Truth{papers_peak(), 1e-4};  // the step of its search
       }},
      {"1/theta at the paper's peak",
       [](const Claim&) {
         return Truth{papers(papers_peak()), 1e-7};  // 1e-4 from a peak, squared, times 2
       }},
      {"all sets dropped",
       [&, items](const Claim& claim) {
         return holds(run->samples(items(claim)) == 0 &&
                      claim.at[1] ==
                          (items(claim) == 0 ? run->drawn() : run->drawn() / run->sizes()));
       }},
      {"samples, too few for a fit",
       [&, items](const Claim& claim) {
         return Truth{run->samples(items(claim)), 0};
       }},
      {"different entropies, too few for a fit",
       [&, items](const Claim& claim) {
         return Truth{static_cast<double>(std::ssize(run->distinct(items(claim)))), 0};
       }},
      {"entropies too close together for a fit",
       [&, items](const Claim& claim) { return holds(run->too_close(items(claim))); }},
  });
}

TEST(FitStatements, OfHeadsAreTrue) {
  const Refit* run = nullptr;
  Claims claims = claims_of(run);
  const std::vector<std::string> sizes = {"16,64,256", "16", "1", "2", "1024,128"};
  const std::vector<std::string> sets = {"40", "1", "8", "60"};
  const std::vector<std::string> seeds = {"1", "2"};
  const auto heads = static_cast<int>(zoo().size());
  for (const std::vector<int>& row : pairwise({heads, 5, 4, 2})) {
    const ZooHead& head = zoo()[static_cast<std::size_t>(row[0])];
    SCOPED_TRACE(head.name + " n = " + sizes[row[1]] + ", sets " + sets[row[2]]);
    const ExperimentResult result = run_on("fit", head,
                                           {{"sizes", sizes[row[1]]},
                                            {"sets", sets[row[2]]},
                                            {"set-seed", seeds[row[3]]},
                                            {"per-size", "1"}});
    const Refit of_head(head, numbers(sizes[row[1]]), std::stoi(sets[row[2]]),
                        static_cast<std::uint32_t>(std::stoi(seeds[row[3]])), result);
    run = &of_head;
    claims.check(statements_of(result));
    if (!result.rule) continue;
    claims.check(result.rule_text);
    claims.check(result.guarded_rule_text);
    EXPECT_LE(result.guarded_rule->peak, of_head.high());
    EXPECT_GE(result.guarded_rule->peak, of_head.low());
  }
  // Samples that share their entropies, of which no head of the zoo has five.
  FitRun repeated = start_fit({.sizes = {2}, .sets = 6});
  repeated.generated = {6};
  std::vector<Sample> samples;
  for (const double entropy : {0.1, 0.1, 0.1, 0.6, 0.6, 0.6}) {
    repeated.samples.push_back({2, entropy, {.index = 50, .theta = 5}});
    samples.push_back({2, entropy, 5});
  }
  const Refit of_repeated(samples);
  run = &of_repeated;
  claims.check(no_fit_text(repeated, pooled_fit(repeated)));
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// A peak that is noise of the sets is told with its interval, which other sets' peaks lie in.
TEST(FitStatements, TheShippedHeadsPeakComesWithItsInterval) {
  const ExperimentResult result =
      run_on("fit", zoo_head("shipped"), {{"sizes", "16,64,256,1024"}, {"sets", "128"}});
  const std::string sentence = result.figure.sentence;
  EXPECT_NE(sentence.find(" of 1\u2009000 resamples of the sets have a local maximum"),
            std::string::npos)
      << sentence;
}

}  // namespace
}  // namespace dispersion
