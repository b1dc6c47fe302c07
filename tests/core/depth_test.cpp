#include "core/experiment/depth.h"
#include "core/figure/figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dispersion {
namespace {

constexpr DepthShape kSmall = {.layers = 3, .width = 8, .vocabulary = 5};

std::vector<LayerSpread> run(TokenPattern pattern, int items, DepthOptions options,
                             const DepthShape& shape = {}) {
  return run_stack(random_stack(shape, 1), depth_tokens(pattern, items, shape.vocabulary, 1),
                   options);
}

TEST(RandomStack, HasNormalNumbersThatDependOnTheSeedAlone) {
  const DepthStack stack = random_stack({}, 7);
  ASSERT_EQ(stack.layers.size(), 4u);
  ASSERT_EQ(stack.layers[3].value.size(), 64u * 64);
  double sum = 0;
  double squares = 0;
  for (const double weight : stack.layers[2].key) {
    sum += weight;
    squares += weight * weight;
  }
  // Mean 0 and variance 1/64 from 4,096 numbers, to five standard errors.
  EXPECT_NEAR(sum / 4096, 0, 5 * (1 / 8.0) / 64);
  EXPECT_NEAR(squares / 4096 * 64, 1, 5 * std::sqrt(2 / 4096.0));
  EXPECT_EQ(random_stack({}, 7).layers[2].key, stack.layers[2].key);
  EXPECT_NE(random_stack({}, 8).layers[2].key, stack.layers[2].key);
  EXPECT_NE(stack.layers[1].key, stack.layers[2].key);
  EXPECT_NE(stack.layers[1].key, stack.layers[1].query);
  EXPECT_THROW(random_stack({.layers = 0}, 1), std::invalid_argument);
  EXPECT_THROW(random_stack({.vocabulary = 1}, 1), std::invalid_argument);
}

TEST(DepthTokens, AreThePatternsNamed) {
  using P = TokenPattern;
  EXPECT_EQ(depth_tokens(P::kFirst, 4, 16, 1), (std::vector<int>{0, 1, 1, 1}));
  EXPECT_EQ(depth_tokens(P::kLast, 4, 16, 1), (std::vector<int>{1, 1, 1, 0}));
  EXPECT_EQ(depth_tokens(P::kHalf, 4, 16, 1), (std::vector<int>{0, 1, 0, 1}));
  const std::vector<int> longer = depth_tokens(P::kRandom, 1000, 16, 3);
  const std::vector<int> shorter = depth_tokens(P::kRandom, 10, 16, 3);
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
  for (int token = 0; token < 16; ++token)  // 62.5 expected of each
    EXPECT_GT(std::ranges::count(longer, token), 25) << token;
  EXPECT_THROW(depth_tokens(P::kFirst, 0, 16, 1), std::invalid_argument);
}

// The same layers item by item, from their definition.
std::vector<LayerSpread> by_definition(const DepthStack& stack, const std::vector<int>& tokens,
                                       DepthOptions options) {
  const std::size_t n = tokens.size();
  const auto w = static_cast<std::size_t>(stack.shape.width);
  const auto apply = [&](const std::vector<double>& x, const std::vector<double>& kernel) {
    std::vector<double> y(w, 0.0);
    for (std::size_t i = 0; i < w; ++i) {
      for (std::size_t j = 0; j < w; ++j)
        y[j] += x[i] * kernel[i * w + j];
    }
    return y;
  };
  std::vector<std::vector<double>> h;
  for (const int token : tokens) {
    const double* row = stack.embedding.data() + static_cast<std::size_t>(token) * w;
    h.emplace_back(row, row + w);
  }
  std::vector<LayerSpread> spreads;
  for (const DepthLayer& layer : stack.layers) {
    std::vector<std::vector<double>> q, k, v;
    for (const std::vector<double>& row : h) {
      double squares = 0;
      for (const double x : row)
        squares += x * x;
      std::vector<double> x = row;
      for (double& value : x)
        value /= std::sqrt(squares / static_cast<double>(w));
      q.push_back(apply(x, layer.query));
      k.push_back(apply(x, layer.key));
      v.push_back(apply(x, layer.value));
    }
    LayerSpread spread;
    std::vector<std::vector<double>> next = h;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t visible = options.causal ? i + 1 : n;
      std::vector<double> e;
      double sum = 0;
      for (std::size_t j = 0; j < visible; ++j) {
        double dot = 0;
        for (std::size_t c = 0; c < w; ++c)
          dot += q[i][c] * k[j][c];
        e.push_back(dot / std::sqrt(static_cast<double>(w)));
        sum += std::exp(e.back());
      }
      std::vector<double> z(w, 0.0);
      for (std::size_t j = 0; j < visible; ++j) {
        const double weight = std::exp(e[j]) / sum;
        spread.entropy -= weight * std::log(weight) / static_cast<double>(n);
        spread.largest_weight = std::max(spread.largest_weight, weight);
        for (std::size_t c = 0; c < w; ++c)
          z[c] += weight * v[j][c];
      }
      const auto [low, high] = std::ranges::minmax(e);
      spread.delta = std::max(spread.delta, high - low);
      std::vector<double> hidden = apply(z, layer.feedforward0);
      for (double& x : hidden) {
        x = x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
      }
      const std::vector<double> output = apply(hidden, layer.feedforward1);
      for (std::size_t c = 0; c < w; ++c)
        next[i][c] = (options.residual ? h[i][c] : 0) + output[c];
    }
    h = next;
    spreads.push_back(spread);
  }
  return spreads;
}

TEST(RunStack, IsTheDefinition) {
  const DepthStack stack = random_stack(kSmall, 4);
  for (const TokenPattern pattern :
       {TokenPattern::kFirst, TokenPattern::kHalf, TokenPattern::kRandom, TokenPattern::kLast}) {
    for (const bool causal : {false, true}) {
      for (const bool residual : {false, true}) {
        const std::vector<int> tokens = depth_tokens(pattern, 23, kSmall.vocabulary, 2);
        const DepthOptions options = {causal, residual};
        const std::vector<LayerSpread> expected = by_definition(stack, tokens, options);
        const std::vector<LayerSpread> found = run_stack(stack, tokens, options);
        for (std::size_t layer = 0; layer < 3; ++layer) {
          EXPECT_NEAR(found[layer].delta, expected[layer].delta, 1e-11);
          EXPECT_NEAR(found[layer].entropy, expected[layer].entropy, 1e-11);
          EXPECT_NEAR(found[layer].largest_weight, expected[layer].largest_weight, 1e-11);
        }
      }
    }
  }
}

// The remark, where it is right: uniform attention makes all outputs the average, so the next
// layer's logits are all equal.
TEST(RunStack, UniformAttentionLeavesNoSpreadForTheNextLayer) {
  DepthStack stack = random_stack({}, 1);
  std::ranges::fill(stack.layers[1].query, 0);
  const std::vector<int> tokens = depth_tokens(TokenPattern::kRandom, 500, 16, 1);
  const std::vector<LayerSpread> spreads = run_stack(stack, tokens, {});
  EXPECT_GT(spreads[0].delta, 1);
  EXPECT_EQ(spreads[1].delta, 0);
  EXPECT_NEAR(spreads[1].entropy, std::log(500.0), 1e-12);
  EXPECT_NEAR(spreads[1].from_average, 0, 1e-14);
  EXPECT_LT(spreads[2].delta, 1e-13);
  EXPECT_LT(spreads[3].delta, 1e-13);
  EXPECT_GT(run_stack(stack, tokens, {.residual = true})[2].delta, 0.1);  // the next sentence
}

// In the second layer. Its outputs differ again by less than its inputs, so that deeper layers fall
// faster.
TEST(RunStack, SpreadFallsLikeOneOverNOnOneAmongMany) {
  const double at_16384 = run(TokenPattern::kFirst, 16'384, {})[1].delta;
  const double at_32768 = run(TokenPattern::kFirst, 32'768, {})[1].delta;
  const double at_131072 = run(TokenPattern::kFirst, 131'072, {})[1].delta;
  EXPECT_NEAR(at_16384 / at_32768, 2, 0.02);  // up to terms of order exp(delta) / n
  EXPECT_NEAR(at_32768 / at_131072, 4, 0.04);
  EXPECT_GT(run(TokenPattern::kFirst, 256, {})[2].delta,
            4 * run(TokenPattern::kFirst, 512, {})[2].delta);
  const double first = run(TokenPattern::kFirst, 16, {})[0].delta;
  EXPECT_NEAR(run(TokenPattern::kFirst, 131'072, {})[0].delta, first, 1e-12);
}

// Causal attention on {b, ..., b, a}: only the last item sees another token.
TEST(RunStack, CausalWithTheOtherTokenLastSpreadsInOneRowOnly) {
  const DepthStack stack = random_stack({}, 1);
  const std::vector<int> tokens = depth_tokens(TokenPattern::kLast, 64, 16, 1);
  const std::vector<LayerSpread> spreads = run_stack(stack, tokens, {.causal = true});
  double uniform = 0;  // entropy of the 63 rows before it
  for (int i = 1; i < 64; ++i)
    uniform += std::log(i);
  EXPECT_GE(64 * spreads[0].entropy, uniform);
  EXPECT_LE(64 * spreads[0].entropy, uniform + std::log(64.0));
  EXPECT_GT(spreads[0].delta, 0.1);
}

// The erratum: every weight of {a, b, a, b, ...} falls like 1/n, the outputs stay apart.
TEST(RunStack, SmallWeightsDoNotMakeOutputsEqual) {
  const LayerSpread few = run(TokenPattern::kHalf, 64, {})[0];
  const LayerSpread many = run(TokenPattern::kHalf, 65'536, {})[0];
  EXPECT_NEAR(few.largest_weight / many.largest_weight, 1024, 1e-6);
  EXPECT_LT(many.largest_weight, 1e-4);
  EXPECT_GT(many.from_average, 0.05);
  EXPECT_NEAR(many.from_average, few.from_average, 1e-12);
  EXPECT_GT(run(TokenPattern::kHalf, 65'536, {})[1].delta, 1e-3);
}

TEST(RunStack, RefusesForeignTokensAndNone) {
  const DepthStack stack = random_stack(kSmall, 1);
  EXPECT_THROW(run_stack(stack, std::vector<int>{5}, {}), std::invalid_argument);
  EXPECT_THROW(run_stack(stack, std::vector<int>{-1}, {}), std::invalid_argument);
  EXPECT_THROW(run_stack(stack, {}, {}), std::invalid_argument);
}

TEST(DepthFigure, NamesTheRunAndShowsTheErratum) {
  DepthRun depth{.pattern = TokenPattern::kHalf, .options = {}, .items = {16, 64}, .layers = {}};
  for (const int items : depth.items)
    depth.layers.push_back(run(TokenPattern::kHalf, items, {}));
  const Figure figure = depth_figure(depth);
  ASSERT_EQ(figure.plots.size(), 3u);
  EXPECT_EQ(figure.plots[0].subtitle, "{a, b, a, b, …}, BERT-style, no residual");
  EXPECT_EQ(figure.plots[0].series.size(), 4u);
  EXPECT_EQ(figure.plots[0].series[1].y[0], depth.layers[0][1].delta);
  EXPECT_EQ(figure.plots[1].series[0].y[1], std::log(64) - depth.layers[1][0].entropy);
  const auto says = [&](const char* words) {
    return depth_figure(depth).sentence.text().find(words) != std::string::npos;
  };
  EXPECT_TRUE(says("away from the average of all values."));
  EXPECT_FALSE(says("The remark"));  // weights of 1/64 are not below the epsilon of bf16
  depth.items.push_back(4096);
  depth.layers.push_back(run(TokenPattern::kHalf, 4096, {}));
  EXPECT_TRUE(says("The remark in appendix C concludes"));
  depth.options.causal = true;  // the remark is about full attention,
  EXPECT_FALSE(says("The remark"));
  depth.options = {.residual = true};  // without residual connections
  EXPECT_FALSE(says("The remark"));
  depth.options = {};
  depth.pattern = TokenPattern::kFirst;
  EXPECT_EQ(depth_figure(depth).plots.size(), 2u);
  EXPECT_TRUE(depth_figure({}).plots.empty());
}

// Uniform attention lacks nothing, and has no place on a logarithmic axis: that is said.
TEST(DepthFigure, CountsWhatIsZeroToRounding) {
  for (const bool causal : {false, true}) {
    DepthRun depth{.pattern = TokenPattern::kFirst, .options = {}, .items = {4}, .layers = {}};
    depth.options.causal = causal;
    const double most = causal ? std::log(24) / 4 : std::log(4);  // 1 to 4 items are seen
    depth.layers = {{{.delta = 1, .entropy = most - 0.25}, {.delta = 0, .entropy = most}}};
    const Figure figure = depth_figure(depth);
    ASSERT_EQ(figure.plots[1].series.size(), 1u);
    EXPECT_NEAR(figure.plots[1].series[0].y[0], 0.25, 1e-15);
    EXPECT_TRUE(figure.sentence.text().ends_with(
        " Of the 2 spreads 1 is 0 to rounding. In layer 2 the gap to uniform attention is 0 to "
        "rounding at every n, so that it has no curve of it."))
        << figure.sentence.text();
    for (const LinePlot& plot : figure.plots) {
      EXPECT_TRUE(plot.subtitle.text().ends_with("; 1 point, 0 to rounding, not shown"))
          << plot.subtitle.text();
      ASSERT_EQ(plot.unseen.size(), 1u);
      EXPECT_EQ(plot.unseen[0].name, "layer 2");
      EXPECT_EQ(plot.unseen[0].y, std::vector<double>{0});
    }
  }
}

TEST(Depth, StopsBetweenRowsAndReturnsWholeLayers) {
  const DepthStack stack = random_stack({.layers = 3, .width = 8, .vocabulary = 4}, 1);
  const std::vector<int> tokens = depth_tokens(TokenPattern::kRandom, 64, 4, 1);
  const std::vector<LayerSpread> whole = run_stack(stack, tokens, {.causal = true});
  int asked = 0;
  double last = 0;
  const std::vector<LayerSpread> part =
      run_stack(stack, tokens, {.causal = true}, [&](double share) {
        EXPECT_GE(share, last);
        last = share;
        return ++asked < 13;  // in the middle of the second layer
      });
  EXPECT_EQ(asked, 13);
  ASSERT_EQ(part.size(), 1U);
  EXPECT_EQ(part[0].entropy, whole[0].entropy);
  EXPECT_EQ(part[0].delta, whole[0].delta);
}

}  // namespace
}  // namespace dispersion
