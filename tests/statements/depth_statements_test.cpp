#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "core/experiment/depth.h"
#include "core/math/gelu.h"
#include "tests/statements/claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

using Row = std::vector<double>;

struct Layer {
  double delta = 0;           // largest spread of a token's logits
  double entropy_gap = 0;     // mean over tokens, below the uniform one's
  double largest_weight = 0;  // of one token on one token
  double from_average = 0;
};

Row times(const Row& x, const Row& kernel) {
  const std::size_t width = x.size();
  Row y(width, 0.0);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j)
      y[j] += x[i] * kernel[i * width + j];
  }
  return y;
}

double root_mean_square(const Row& row) {
  double sum = 0;
  for (const double value : row)
    sum += value * value;
  return std::sqrt(sum / static_cast<double>(row.size()));
}

// The stack token by token, as appendix C has it: nothing is shared between equal tokens but what
// full attention gives to equal queries.
class Stack {
 public:
  Stack(const DepthStack& weights, const std::vector<int>& tokens, bool causal, bool residual)
      : causal_(causal), residual_(residual) {
    const auto width = static_cast<std::size_t>(weights.shape.width);
    for (const int token : tokens) {
      const double* row = weights.embedding.data() + static_cast<std::size_t>(token) * width;
      tokens_.emplace_back(row, row + width);
    }
    for (const DepthLayer& layer : weights.layers)
      layers.push_back(step(layer));
  }

  std::vector<Layer> layers;

 private:
  Layer step(const DepthLayer& kernels) {
    std::vector<Row> query, key, value;
    for (const Row& token : tokens_) {
      Row x = token;
      const double size = root_mean_square(x);
      for (double& number : x)
        number = size > 0 ? number / size : 0;
      query.push_back(times(x, kernels.query));
      key.push_back(times(x, kernels.key));
      value.push_back(times(x, kernels.value));
    }
    Layer layer;
    std::vector<Row> next;
    const Row average = mixed(value, Row(value.size(), 1.0 / static_cast<double>(value.size())));
    const double size = value_size(value);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Row weights = attend(query[i], key, causal_ ? i + 1 : tokens_.size(), layer);
      const Row output = mixed(value, weights);
      if (size > 0)
        layer.from_average = std::max(layer.from_average, distance(output, average) / size);
      next.push_back(fed_forward(output, kernels));
      for (std::size_t c = 0; residual_ && c < output.size(); ++c)
        next.back()[c] += tokens_[i][c];
    }
    tokens_ = next;
    return layer;
  }

  Row attend(const Row& query, const std::vector<Row>& key, std::size_t seen, Layer& layer) const {
    Row logits;
    for (std::size_t j = 0; j < seen; ++j) {
      double dot = 0;
      for (std::size_t c = 0; c < query.size(); ++c)
        dot += query[c] * key[j][c];
      logits.push_back(dot / std::sqrt(static_cast<double>(query.size())));
    }
    const auto [low, high] = std::ranges::minmax(logits);
    layer.delta = std::max(layer.delta, high - low);
    Row weights = reference_weights(logits.data(), static_cast<int>(seen), 1);
    layer.entropy_gap += (std::log(static_cast<double>(seen)) - reference_entropy(weights)) /
                         static_cast<double>(tokens_.size());
    layer.largest_weight = std::max(layer.largest_weight, std::ranges::max(weights));
    weights.resize(tokens_.size(), 0.0);
    return weights;
  }

  static Row mixed(const std::vector<Row>& rows, const Row& weights) {
    Row sum(rows.front().size(), 0.0);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t c = 0; c < sum.size(); ++c)
        sum[c] += weights[j] * rows[j][c];
    }
    return sum;
  }
  static double value_size(const std::vector<Row>& rows) {
    double sum = 0;
    for (const Row& row : rows) {
      for (const double value : row)
        sum += value * value;
    }
    return std::sqrt(sum / static_cast<double>(rows.size()));
  }
  static double distance(const Row& a, const Row& b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c)
      sum += (a[c] - b[c]) * (a[c] - b[c]);
    return std::sqrt(sum);
  }
  static Row fed_forward(const Row& x, const DepthLayer& kernels) {
    Row hidden = times(x, kernels.feedforward0);
    for (double& value : hidden)
      value = gelu_point(value).value;
    return times(hidden, kernels.feedforward1);
  }

  bool causal_;
  bool residual_;
  std::vector<Row> tokens_;
};

constexpr double kZero = 1e-14;  // below this a spread is said to be 0 to rounding
// Rounding of logits of size 1 to 5 in double, which differs between orders of sums.
constexpr double kRounding = 2e-14;

struct Case {
  std::string tokens;
  bool causal, residual;
  std::vector<int> sizes;
  DepthShape shape;
};

// The stacks of one case, one per length.
class DepthTruth {
 public:
  explicit DepthTruth(const Case& chosen) : stack_(random_stack(chosen.shape, 1)) {
    const std::map<std::string, TokenPattern> patterns = {{"first", TokenPattern::kFirst},
                                                          {"last", TokenPattern::kLast},
                                                          {"half", TokenPattern::kHalf},
                                                          {"random", TokenPattern::kRandom}};
    for (const int size : chosen.sizes) {
      const auto tokens =
          depth_tokens(patterns.at(chosen.tokens), size, chosen.shape.vocabulary, 1);
      layers_[size] = Stack(stack_, tokens, chosen.causal, chosen.residual).layers;
    }
  }
  const Layer& at(const Claim& claim) const {
    const auto layer = claim.at.size() > 1 ? std::llround(claim.at[1]) - 1 : 0;
    return layers_.at(static_cast<int>(claim.at.at(0))).at(static_cast<std::size_t>(layer));
  }
  // How many spreads there are, and how many are and may be 0 to rounding.
  template <class Part>
  Truth count_zeros(Part part) const {
    int zeros = 0;
    int unclear = 0;
    for (const auto& [size, layers] : layers_) {
      for (const Layer& layer : layers) {
        zeros += part(layer) <= kZero ? 1 : 0;
        unclear += part(layer) > kZero / 5 && part(layer) < 30 * kZero ? 1 : 0;
      }
    }
    return {zeros * 1.0, unclear * 1.0};
  }
  // Whether attention of the layer of the claim is uniform to rounding at every length.
  bool uniform_at_every_length(const Claim& claim) const {
    const auto layer = static_cast<std::size_t>(std::llround(claim.at.at(0)) - 1);
    return std::ranges::all_of(layers_, [&](const auto& each) {
      return std::abs(each.second.at(layer).entropy_gap) < 30 * kZero;
    });
  }
  int spreads() const { return static_cast<int>(layers_.size() * layers_.begin()->second.size()); }

 private:
  DepthStack stack_;
  std::map<int, std::vector<Layer>> layers_;
};

TEST(DepthStatements, AreTrueOfEveryStack) {
  const std::vector<std::string> patterns = {"first", "last", "half", "random"};
  const std::vector<std::vector<int>> sizes = {{1}, {2}, {16}, {1, 2, 16}, {16, 64, 600}};
  const std::vector<DepthShape> shapes = {
      {1, 1, 2}, {2, 4, 16}, {4, 64, 16}, {6, 16, 3}, {3, 8, 2}};
  const DepthTruth* truth = nullptr;
  const auto number = [](double value) { return Truth{value, kRounding + 1e-9 * value}; };
  const auto zero = [](double value) { return Truth{value <= kZero + kRounding ? 1.0 : 0.0, 0}; };
  Claims claims({
      {"largest logit spread", [&](const Claim& c) { return number(truth->at(c).delta); }},
      {"logit spread is 0 to rounding", [&](const Claim& c) { return zero(truth->at(c).delta); }},
      {"largest weight", [&](const Claim& c) { return number(truth->at(c).largest_weight); }},
      {"largest distance from the average",
       [&](const Claim& c) { return number(truth->at(c).from_average); }},
      {"outputs are the average to rounding",
       [&](const Claim& c) { return zero(truth->at(c).from_average); }},
      {"the remark fails in bf16",
       [&](const Claim& c) {
         const Layer& layer = truth->at(c);
         return Truth{layer.largest_weight < 0x1p-8 && layer.from_average > 0x1p-8 ? 1.0 : 0.0, 0};
       }},
      {"spreads",
       [&](const Claim&) {
         return Truth{truth->spreads() * 1.0, 0};
       }},
      {"spreads that are 0 to rounding",
       [&](const Claim&) {
         return truth->count_zeros([](const Layer& layer) { return layer.delta; });
       }},
      {"gap of a layer is 0 to rounding at every length",
       [&](const Claim& c) {
         return Truth{truth->uniform_at_every_length(c) ? 1.0 : 0.0, 0};
       }},
      {"gaps that are 0 to rounding",
       [&](const Claim&) {
         return truth->count_zeros([](const Layer& layer) { return layer.entropy_gap; });
       }},
  });
  auto rows = pairwise({4, 2, 2, 5, 5});
  rows.push_back({2, 0, 0, 4, 2});  // what the remark is about
  for (const auto& row : rows) {
    const Case chosen = {patterns[static_cast<std::size_t>(row[0])], row[1] == 1, row[2] == 1,
                         sizes[static_cast<std::size_t>(row[3])],
                         shapes[static_cast<std::size_t>(row[4])]};
    std::string size_list;
    for (const int size : chosen.sizes)
      size_list.append(size_list.empty() ? "" : ",").append(std::to_string(size));
    SCOPED_TRACE(chosen.tokens + (chosen.causal ? ", causal" : "") +
                 (chosen.residual ? ", residual" : "") + ", sizes " + size_list + ", width " +
                 std::to_string(chosen.shape.width));
    const DepthTruth of_case(chosen);
    truth = &of_case;
    claims.check(statements_of(run_on("depth", zoo_head("shipped"),
                                      {{"tokens", chosen.tokens},
                                       {"attention", chosen.causal ? "causal" : "full"},
                                       {"residual", chosen.residual ? "with" : "without"},
                                       {"layers", std::to_string(chosen.shape.layers)},
                                       {"width", std::to_string(chosen.shape.width)},
                                       {"vocabulary", std::to_string(chosen.shape.vocabulary)},
                                       {"sizes", size_list},
                                       {"causal-sizes", size_list}})));
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

}  // namespace
}  // namespace dispersion
