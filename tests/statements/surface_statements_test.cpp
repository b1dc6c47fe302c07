// What the surfaces say of power series and of heads.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/task/item_sets.h"
#include "tests/statements/claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

// Of softmax(lambda^i / theta), from the definition.
double series_entropy(double lambda, double theta, int first, int terms) {
  std::vector<double> logits;
  for (int i = 0; i < terms; ++i)
    logits.push_back(std::pow(lambda, first + i));
  return reference_entropy(reference_weights(logits.data(), terms, theta));
}

// Whether the entropy falls nowhere as theta rises, at bases on both sides of 0 and of 1.
bool never_falls(int first, int terms) {
  for (const double lambda : {-2.0, -1.0, -0.5, 0.0, 0.3, 0.5, 0.9, 1.0, 1.1, 2.0}) {
    double last = -1;
    for (double theta = 1e-3; theta < 1e3; theta *= 1.3) {
      const double entropy = series_entropy(lambda, theta, first, terms);
      if (entropy < last - 1e-12) return false;
      last = entropy;
    }
  }
  return true;
}

// The variance of logits / theta under their weights, which is dH / dlog theta.
double series_slope(double lambda, double theta, int first, int terms) {
  std::vector<double> logits;
  for (int i = 0; i < terms; ++i)
    logits.push_back(std::pow(lambda, first + i) / theta);
  const std::vector<double> weights = reference_weights(logits.data(), terms, 1);
  double mean = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    mean += weights[i] * logits[i];
  double variance = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    variance += weights[i] * (logits[i] - mean) * (logits[i] - mean);
  return variance;
}

// Whether the entropy rises with theta at bases where not all logits are equal, wherever its slope
// is more than doubles hide.
bool rises(int first, int terms) {
  bool seen = false;
  for (const double lambda : {-2.0, -1.0, -0.5, 0.0, 0.3, 0.5, 0.9, 1.1, 2.0}) {
    if (lambda == 0 && first > 0) continue;
    double last = -1;
    for (double theta = 1e-3; theta < 1e3; theta *= 1.3) {
      const double entropy = series_entropy(lambda, theta, first, terms);
      const bool told = series_slope(lambda, theta, first, terms) > 1e-9;
      if (told && entropy <= last) return false;
      seen = seen || told;
      last = entropy;
    }
  }
  return seen;
}

Truth holds(bool fact) {
  return {fact ? 1.0 : 0.0, 0};
}

TEST(SurfaceStatements, OfPowerSeriesAreTrue) {
  int first = 0;
  int terms = 0;
  Claims claims({
      {"entropy of a power series never falls",
       [&](const Claim&) { return holds(never_falls(first, terms)); }},
      {"entropy rises with theta where logits differ",
       [&](const Claim&) { return holds(rises(first, terms)); }},
      {"entropy of one logit is 0",
       [&](const Claim&) { return holds(series_entropy(0.7, 0.1, first, 1) == 0); }},
      {"entropy of a power series (nats)",
       [&](const Claim& claim) {
         return Truth{series_entropy(claim.at[0], claim.at[1], first, terms), 1e-12};
       }},
      {"entropy of equal logits (nats)",
       [&](const Claim&) {
         return Truth{series_entropy(1, 3, first, terms), 1e-12};
       }},
  });
  const std::vector<std::string> exponents = {"0", "1"};
  const std::vector<std::string> all_terms = {"10", "1", "2", "100"};
  const std::vector<std::string> lowest = {"0", "-1", "-3", "0.333", "0.999"};
  const std::vector<std::string> thetas = {"0.02", "0.999", "1e-6"};
  const std::vector<std::string> highest = {"10", "1.001", "1e6"};
  for (const std::vector<int>& row : pairwise({2, 4, 5, 3, 3})) {
    first = std::stoi(exponents[row[0]]);
    terms = std::stoi(all_terms[row[1]]);
    claims.check(statements_of(run_on("surface", zoo_head("shipped"),
                                      {{"first-exponent", exponents[row[0]]},
                                       {"terms", all_terms[row[1]]},
                                       {"lowest-lambda", lowest[row[2]]},
                                       {"lowest-theta", thetas[row[3]]},
                                       {"highest-theta", highest[row[4]]},
                                       {"points", "3"}})));
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// The mean entropy of a head's own logits at any temperature.
class HeadEntropies {
 public:
  HeadEntropies(const Parameters<float>& head, int sets) : head_(head), sets_(sets) {}

  double at(int items, double theta) {
    const std::vector<float>& all = logits(items);
    double sum = 0;
    for (int set = 0; set < sets_; ++set) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(set) * items;
      const std::vector<double> row(begin, begin + items);
      sum += reference_entropy(reference_weights(row.data(), items, theta));
    }
    return sum / sets_;
  }

 private:
  const std::vector<float>& logits(int items) {
    std::vector<float>& found = logits_[items];
    if (!found.empty()) return found;
    ItemSets sets;
    sets.resize(sets_, items);
    draw_item_sets(1, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
    make_cpu_backend(1)->attention_logits(head_, sets.view(), found);
    return found;
  }

  const Parameters<float>& head_;
  int sets_;
  std::map<int, std::vector<float>> logits_;
};

TEST(SurfaceStatements, OfHeadsAreTrue) {
  HeadEntropies* entropies = nullptr;
  Claims claims({
      {"mean entropy of the head (nats)",
       [&](const Claim& claim) {
         return Truth{entropies->at(static_cast<int>(claim.at[0]), claim.at[1]), 1e-6};
       }},
      {"the lowest temperature lowers the entropy",
       [&](const Claim& claim) {
         const int items = static_cast<int>(claim.at[0]);
         return holds(entropies->at(items, claim.at[1]) < entropies->at(items, 1));
       }},
  });
  const std::vector<std::string> sizes = {"16", "1", "2,16", "64,16,300", "1,2"};
  const std::vector<std::string> sets = {"3", "1"};
  const std::vector<std::string> thetas = {"0.02", "0.5", "1e-6"};
  const auto heads = static_cast<int>(zoo().size());
  for (const std::vector<int>& row : pairwise({heads, 5, 2, 3})) {
    const ZooHead& head = zoo()[static_cast<std::size_t>(row[0])];
    SCOPED_TRACE(head.name + " " + sizes[row[1]]);
    HeadEntropies of_head(head.parameters, std::stoi(sets[row[2]]));
    entropies = &of_head;
    claims.check(statements_of(run_on("surface", head,
                                      {{"logits", "head"},
                                       {"sizes", sizes[row[1]]},
                                       {"sets", sets[row[2]]},
                                       {"lowest-theta", thetas[row[3]]},
                                       {"points", "9"}})));
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// A head that gives all logits alike is uniform at every temperature, which nothing "brings down".
TEST(SurfaceStatements, DoNotSayThatAUniformHeadIsSharpened) {
  const std::string sentence =
      run_on("surface", zoo_head("constant"), {{"logits", "head"}, {"sizes", "16,1024"}})
          .figure.sentence;
  EXPECT_EQ(sentence.find("brings"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("leaves it at 6.93"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace dispersion
