#include "core/experiment/depth.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/math/gelu.h"
#include "core/math/product.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

// The matrix that a random number belongs to, as the second word of its counter. The numbers 0 to
// 19 are those of the tensors of a trained head, which are drawn with the same purpose.
enum class Place : std::uint32_t {
  kEmbedding = 1000,
  kQuery,
  kKey,
  kValue,
  kFeedforward0,
  kFeedforward1,
  kTokens,
};

// Standard normal numbers by Box and Muller.
std::vector<double> normals(std::uint32_t seed, std::uint32_t layer, Place place, int count,
                            double deviation) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) {
    const PhiloxBlock block = draw_block(seed, RandomPurpose::kInitialisation,
                                         {layer, static_cast<std::uint32_t>(place),
                                          static_cast<std::uint32_t>(i), Draw::kParameter});
    const double radius = std::sqrt(-2 * std::log((block.word[0] + 0.5) * 0x1p-32));
    const double angle = 2 * std::numbers::pi * (block.word[1] * 0x1p-32);
    values.push_back(deviation * radius * std::cos(angle));
  }
  return values;
}

// Items with equal embeddings, which stay equal in every layer. Row g stands for count[g] items.
struct Groups {
  std::vector<double> embedding;  // [groups, width]
  std::vector<double> count;      // [groups]

  int size() const { return static_cast<int>(count.size()); }
};

void add_group(Groups& groups, const DepthStack& stack, int token, double count) {
  const auto width = static_cast<std::ptrdiff_t>(stack.shape.width);
  const auto begin = stack.embedding.begin() + token * width;
  groups.embedding.insert(groups.embedding.end(), begin, begin + width);
  groups.count.push_back(count);
}

// With full attention there is one group per distinct token, with causal attention one per item.
Groups group_tokens(const DepthStack& stack, std::span<const int> tokens, bool causal) {
  std::vector<int> counts(static_cast<std::size_t>(stack.shape.vocabulary), 0);
  Groups groups;
  for (const int token : tokens) {
    if (token < 0 || token >= stack.shape.vocabulary) {
      throw std::invalid_argument("token " + std::to_string(token) + " is none of the " +
                                  std::to_string(stack.shape.vocabulary) + " of the vocabulary");
    }
    if (causal) {
      add_group(groups, stack, token, 1);
    } else {
      ++counts[static_cast<std::size_t>(token)];
    }
  }
  for (int token = 0; token < stack.shape.vocabulary; ++token) {
    const int count = counts[static_cast<std::size_t>(token)];
    if (count > 0) add_group(groups, stack, token, count);
  }
  return groups;
}

std::vector<double> times(const std::vector<double>& rows, const std::vector<double>& kernel,
                          int width) {
  std::vector<double> result(rows.size());
  multiply(Transpose::kNo, Transpose::kNo, static_cast<int>(rows.size()) / width, width, width,
           rows.data(), kernel.data(), Into::kReplace, result.data());
  return result;
}

double squares(const double* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i] * values[i];
  return sum;
}

// Scales every row to root mean square 1; a row of zeros stays as it is.
std::vector<double> normalised(std::vector<double> rows, int width) {
  for (std::size_t begin = 0; begin < rows.size(); begin += static_cast<std::size_t>(width)) {
    const double size = std::sqrt(squares(rows.data() + begin, width) / width);
    for (int i = 0; i < width && size > 0; ++i)
      rows[begin + static_cast<std::size_t>(i)] /= size;
  }
  return rows;
}

// Measurements of the attention of one query.
struct Row {
  double delta = 0;
  double entropy = 0;
  double largest_weight = 0;
};

// Softmax over groups: replaces logits[g] by the weight of all items of group g together.
Row attend(std::span<double> logits, std::span<const double> count) {
  const auto [low, high] = std::ranges::minmax(logits);
  double sum = 0;
  double weighted = 0;
  for (std::size_t g = 0; g < logits.size(); ++g) {
    const double centred = logits[g] - high;
    logits[g] = count[g] * std::exp(centred);
    sum += logits[g];
    weighted += logits[g] * centred;
  }
  for (double& weight : logits)
    weight /= sum;
  return {high - low, std::log(sum) - weighted / sum, 1 / sum};
}

// The average of V h over all items, and the root mean square of |V h|.
struct Average {
  std::vector<double> value;  // [width]
  double size = 0;
};
Average average_value(const std::vector<double>& values, const std::vector<double>& count,
                      int width) {
  Average average{std::vector<double>(static_cast<std::size_t>(width), 0.0)};
  double items = 0;
  for (std::size_t g = 0; g < count.size(); ++g) {
    const double* row = values.data() + g * static_cast<std::size_t>(width);
    for (int i = 0; i < width; ++i)
      average.value[static_cast<std::size_t>(i)] += count[g] * row[i];
    average.size += count[g] * squares(row, width);
    items += count[g];
  }
  for (double& value : average.value)
    value /= items;
  average.size = std::sqrt(average.size / items);
  return average;
}

double distance(const double* a, const double* b, int width) {
  double sum = 0;
  for (int i = 0; i < width; ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// The most numbers of keys and values that are read between two calls of the Progress.
constexpr std::int64_t kNumbersBetweenReports = 1 << 22;

// How many queries, over `groups` keys of `width` numbers, are computed between two calls of the
// Progress.
int rows_at_once(int groups, int width) {
  const std::int64_t rows = kNumbersBetweenReports / (std::int64_t{groups} * width);
  return static_cast<int>(std::clamp<std::int64_t>(rows, 1, 16));
}

// The attention outputs of one layer, [groups, width]; nothing after a stop.
std::optional<std::vector<double>> attention(const DepthLayer& layer, const Groups& groups,
                                             int width, bool causal, const Progress& keep_going,
                                             LayerSpread& spread) {
  const std::vector<double> x = normalised(groups.embedding, width);
  const std::vector<double> query = times(x, layer.query, width);
  if (!keep_going(0)) return std::nullopt;
  const std::vector<double> key = times(x, layer.key, width);
  if (!keep_going(0)) return std::nullopt;
  const std::vector<double> value = times(x, layer.value, width);
  const Average average = average_value(value, groups.count, width);
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  std::vector<double> output(x.size());
  const int at_once = rows_at_once(groups.size(), width);
  std::vector<double> logits(groups.count.size());
  double items = 0;
  for (int g = 0; g < groups.size(); ++g) {
    if (g % at_once == 0 && !keep_going(1.0 * g / groups.size())) return std::nullopt;
    const int visible = causal ? g + 1 : groups.size();
    const auto seen = std::span(logits).first(static_cast<std::size_t>(visible));
    const std::size_t begin = static_cast<std::size_t>(g) * static_cast<std::size_t>(width);
    multiply(Transpose::kNo, Transpose::kYes, 1, visible, width, query.data() + begin, key.data(),
             Into::kReplace, logits.data());
    for (double& logit : seen)
      logit *= scale;
    const Row row = attend(seen, groups.count);
    multiply(Transpose::kNo, Transpose::kNo, 1, width, visible, logits.data(), value.data(),
             Into::kReplace, output.data() + begin);
    const double count = groups.count[static_cast<std::size_t>(g)];
    items += count;
    spread.entropy += count * row.entropy;
    spread.delta = std::max(spread.delta, row.delta);
    spread.largest_weight = std::max(spread.largest_weight, row.largest_weight);
    const double off = distance(output.data() + begin, average.value.data(), width);
    if (average.size > 0) spread.from_average = std::max(spread.from_average, off / average.size);
  }
  spread.entropy /= items;
  return output;
}

}  // namespace

DepthStack random_stack(const DepthShape& shape, std::uint32_t seed, const Progress& keep_going) {
  if (shape.layers < 1 || shape.width < 1 || shape.vocabulary < 2) {
    throw std::invalid_argument(
        "a stack needs at least 1 layer, width 1 and 2 tokens in its vocabulary");
  }
  DepthStack stack{
      shape, normals(seed, 0, Place::kEmbedding, shape.vocabulary * shape.width, 1), {}};
  const double deviation = 1 / std::sqrt(static_cast<double>(shape.width));
  for (int l = 0; l < shape.layers; ++l) {
    DepthLayer layer;
    int drawn = 0;
    for (const auto& [place, kernel] :
         {std::pair(Place::kQuery, &layer.query), std::pair(Place::kKey, &layer.key),
          std::pair(Place::kValue, &layer.value),
          std::pair(Place::kFeedforward0, &layer.feedforward0),
          std::pair(Place::kFeedforward1, &layer.feedforward1)}) {
      if (!keep_going((l + drawn++ / 5.0) / shape.layers)) return stack;
      *kernel =
          normals(seed, static_cast<std::uint32_t>(l), place, shape.width * shape.width, deviation);
    }
    stack.layers.push_back(std::move(layer));
  }
  return stack;
}

std::vector<int> depth_tokens(TokenPattern pattern, int items, int vocabulary, std::uint32_t seed) {
  if (items < 1) throw std::invalid_argument("a sequence needs at least 1 item");
  constexpr int kA = 0;
  constexpr int kB = 1;
  std::vector<int> tokens(static_cast<std::size_t>(items), kB);
  switch (pattern) {
    case TokenPattern::kFirst:
      tokens.front() = kA;
      break;
    case TokenPattern::kLast:
      tokens.back() = kA;
      break;
    case TokenPattern::kHalf:
      for (std::size_t i = 0; i < tokens.size(); i += 2)
        tokens[i] = kA;
      break;
    case TokenPattern::kRandom:
      for (std::uint32_t i = 0; i < tokens.size(); ++i) {
        const PhiloxBlock block =
            draw_block(seed, RandomPurpose::kInitialisation,
                       {0, static_cast<std::uint32_t>(Place::kTokens), i, Draw::kItem});
        tokens[i] =
            static_cast<int>(uniform_below(block.word[0], static_cast<std::uint32_t>(vocabulary)));
      }
      break;
  }
  return tokens;
}

std::vector<LayerSpread> run_stack(const DepthStack& stack, std::span<const int> tokens,
                                   DepthOptions options, const Progress& progress) {
  const int width = stack.shape.width;
  Groups groups = group_tokens(stack, tokens, options.causal);
  if (groups.size() == 0) throw std::invalid_argument("a sequence needs at least 1 item");
  std::vector<LayerSpread> spreads;
  for (const DepthLayer& layer : stack.layers) {
    LayerSpread spread;
    const double done = static_cast<double>(spreads.size());
    const double layers = static_cast<double>(stack.layers.size());
    const Progress keep_going = progress.part(done / layers, (done + 1) / layers);
    const auto attended = attention(layer, groups, width, options.causal, keep_going, spread);
    if (!attended || !keep_going(1)) break;
    std::vector<double> hidden = times(*attended, layer.feedforward0, width);
    if (!keep_going(1)) break;
    gelu_in_place<double>(hidden.data(), nullptr, hidden.size());
    const std::vector<double> output = times(hidden, layer.feedforward1, width);
    for (std::size_t i = 0; i < output.size(); ++i)
      groups.embedding[i] = (options.residual ? groups.embedding[i] : 0) + output[i];
    spreads.push_back(spread);
  }
  return spreads;
}

}  // namespace dispersion
