// The rounded head: without rounding it is the head of core/head; with rounding it is what plain
// loops in double give that round at the same places.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/head/backward.h"
#include "core/head/forward.h"
#include "core/precision/rounded_backward.h"
#include "core/precision/rounded_head.h"

namespace dispersion {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

Parameters<float> lively_head(HeadShape shape) {
  Parameters<float> head = initial_parameters(shape, 3);
  for (std::size_t i = 0; i < head.values.size(); ++i)
    head.values[i] = 1.3f * head.values[i] + 0.05f * std::sin(0.7f * static_cast<float>(i));
  return head;
}

ItemSets drawn(int sets, int items) {
  ItemSets result;
  result.resize(sets, items);
  draw_item_sets(2, RandomPurpose::kTraining, 0, 0, result);
  return result;
}

struct Outcome {
  std::vector<float> class_logits;
  std::vector<float> attention;
  BatchLoss loss;
  Parameters<float> gradient;
};

Outcome rounded_outcome(const Parameters<float>& head, const ItemSets& sets,
                        const AttentionTransform& transform, Rounding rounding) {
  RoundedHead ready;
  ready.assign(head, rounding);
  RoundedActivations activations;
  RoundedBackwardWorkspace workspace;
  Outcome outcome;
  outcome.gradient = Parameters<float>(head.shape);
  rounded_forward(ready, sets.view(), transform, activations);
  const float* logits = activations.class_logits.data();
  outcome.class_logits.assign(logits, logits + sets.sets * head.shape.classes);
  const float* attention = activations.attention.data();
  outcome.attention.assign(attention, attention + sets.sets * sets.items);
  outcome.loss =
      rounded_backward(ready, sets.view(), transform, 1.0f / static_cast<float>(sets.sets),
                       activations, workspace, outcome.gradient);
  return outcome;
}

class UnroundedHead : public testing::TestWithParam<HeadShape> {};

// In double the direct path is itself checked against central differences (gradient_test.cpp).
TEST_P(UnroundedHead, IsTheHead) {
  const HeadShape shape = GetParam();
  const Parameters<float> head = lively_head(shape);
  const ItemSets sets = drawn(6, 9);
  for (const AttentionTransform& transform :
       {AttentionTransform{}, AttentionTransform{TransformId::kSoftmax, 0.4, {}},
        AttentionTransform{TransformId::kAdaptive, 1, {}}}) {
    Activations<double> activations;
    BackwardWorkspace<double> workspace;
    Parameters<double> gradient(shape);
    const Parameters<double> exact = convert_parameters<double>(head);
    forward(exact, sets.view(), transform, activations);
    const Outcome got = rounded_outcome(head, sets, transform, Rounding::kNone);
    for (std::size_t i = 0; i < got.class_logits.size(); ++i)
      ASSERT_NEAR(got.class_logits[i], activations.class_logits.data()[i], 2e-5) << i;
    const BatchLoss loss = backward(exact, sets.view(), transform, BetaGradient::kStopped, 1.0 / 6,
                                    activations, workspace, gradient);
    EXPECT_NEAR(got.loss.cross_entropy, loss.cross_entropy, 1e-4);
    EXPECT_EQ(got.loss.correct, loss.correct);
    for (const TensorSlot& slot : parameter_layout(shape)) {
      double scale = 0;
      for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i)
        scale = std::max(scale, std::abs(gradient.values[i]));
      for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i)
        ASSERT_NEAR(got.gradient.values[i], gradient.values[i], 1e-5 * scale + 1e-7) << slot.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, UnroundedHead,
                         testing::Values(HeadShape{}, HeadShape{.width = 24, .classes = 10}),
                         [](const auto& param_info) {
                           return "Width" + std::to_string(param_info.param.width);
                         });

// The same head once more, the plain way: rows of doubles, loops, and one function that rounds.
class PlainHead {
 public:
  PlainHead(const Parameters<float>& head, Rounding rounding) : head_(head), rounding_(rounding) {}

  double round(double x) const {
    float value = static_cast<float>(x);
    round_values(rounding_, &value, &value, 1);
    return static_cast<double>(value);
  }

  double kernel(TensorId id, int row, int column) const {
    const int columns = parameter_layout(head_.shape)[static_cast<std::size_t>(id)].cols;
    return static_cast<double>(head_.tensor(id)[static_cast<std::size_t>(row * columns + column)]);
  }

  Row layer(const Row& input, TensorId kernel_id, TensorId bias_id) const {
    Row output;
    for (const float bias : head_.tensor(bias_id)) {
      double sum = static_cast<double>(bias);
      for (std::size_t k = 0; k < input.size(); ++k)
        sum += round(input[k]) *
               round(kernel(kernel_id, static_cast<int>(k), static_cast<int>(output.size())));
      output.push_back(sum);
    }
    return output;
  }

  // Adds to the gradients of the layer and returns that of its input.
  Row layer_back(const Row& input, const Row& output_gradient, TensorId kernel_id, TensorId bias_id,
                 Parameters<double>& gradient) const {
    Row input_gradient(input.size());
    const std::size_t columns = output_gradient.size();
    for (std::size_t j = 0; j < columns; ++j) {
      gradient.tensor(bias_id)[j] += output_gradient[j];
      for (std::size_t k = 0; k < input.size(); ++k) {
        gradient.tensor(kernel_id)[k * columns + j] += round(input[k]) * round(output_gradient[j]);
        input_gradient[k] += round(output_gradient[j]) *
                             round(kernel(kernel_id, static_cast<int>(k), static_cast<int>(j)));
      }
    }
    return input_gradient;
  }

  static double gelu(double x) { return 0.5 * x * (1 + std::tanh(inner(x))); }
  static double gelu_slope(double x) {
    const double t = std::tanh(inner(x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
  }
  static Row gelu(Row row) {
    for (double& x : row)
      x = gelu(x);
    return row;
  }
  static Row times_slope(Row gradient, const Row& before) {
    for (std::size_t j = 0; j < gradient.size(); ++j)
      gradient[j] *= gelu_slope(before[j]);
    return gradient;
  }
  double dot(const Row& a, const Row& b) const {
    double sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
      sum += round(a[j]) * round(b[j]);
    return sum;
  }
  static Row softmax(const Row& logits) {
    const double max = *std::max_element(logits.begin(), logits.end());
    Row weights;
    double sum = 0;
    for (const double e : logits)
      sum += weights.emplace_back(std::exp(e - max));
    for (double& w : weights)
      w /= sum;
    return weights;
  }

  // Class logits of one set, and its gradient added to `gradient`.
  Row one_set(const ItemSetsView& set, double set_weight, Parameters<double>& gradient) const {
    using enum TensorId;
    const std::size_t items = static_cast<std::size_t>(set.items);
    const std::size_t width = static_cast<std::size_t>(head_.shape.width);
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    Rows x, z0, h0, z1, h, k, v;
    for (std::size_t i = 0; i < items; ++i) {
      Row& features = x.emplace_back(1 + static_cast<std::size_t>(head_.shape.classes));
      features[0] = static_cast<double>(set.priority[i]);
      features[1 + set.item_class[i]] = 1;
      z0.push_back(layer(x[i], kItem0Kernel, kItem0Bias));
      h0.push_back(gelu(z0[i]));
      z1.push_back(layer(h0[i], kItem1Kernel, kItem1Bias));
      h.push_back(gelu(z1[i]));
      k.push_back(layer(h[i], kKeyKernel, kKeyBias));
      v.push_back(layer(h[i], kValueKernel, kValueBias));
    }
    const Row q = {static_cast<double>(set.query[0])};
    const Row qz = layer(q, kQuery0Kernel, kQuery0Bias);
    const Row qh = gelu(qz);
    const Row qv = layer(qh, kQuery1Kernel, kQuery1Bias);
    Row query = layer(qv, kQueryKernel, kQueryBias);
    for (double& value : query)
      value *= scale;
    Row logits;
    for (const Row& key : k)
      logits.push_back(dot(query, key));
    const Row a = softmax(logits);
    Row pooled(width);
    for (std::size_t i = 0; i < items; ++i) {
      for (std::size_t j = 0; j < width; ++j)
        pooled[j] += round(a[i]) * round(v[i][j]);
    }
    const Row attended = layer(pooled, kOutKernel, kOutBias);
    const Row rz = layer(attended, kReadout0Kernel, kReadout0Bias);
    const Row rh = gelu(rz);
    const Row output = layer(rh, kReadout1Kernel, kReadout1Bias);

    Row d = softmax(output);
    d[static_cast<std::size_t>(set.label[0])] -= 1;
    for (double& value : d)
      value *= set_weight;
    d = times_slope(layer_back(rh, d, kReadout1Kernel, kReadout1Bias, gradient), rz);
    d = layer_back(attended, d, kReadout0Kernel, kReadout0Bias, gradient);
    const Row dp = layer_back(pooled, d, kOutKernel, kOutBias, gradient);
    Row da;
    double mean = 0;
    for (std::size_t i = 0; i < items; ++i)
      mean += a[i] * da.emplace_back(dot(dp, v[i]));
    Row dq(width);
    for (std::size_t i = 0; i < items; ++i) {
      const double de = a[i] * (da[i] - mean);
      Row dk(width), dv(width);
      for (std::size_t j = 0; j < width; ++j) {
        dq[j] += round(de) * round(k[i][j]) * scale;
        dk[j] = round(de) * round(query[j]);
        dv[j] = round(a[i]) * round(dp[j]);
      }
      Row dh = layer_back(h[i], dk, kKeyKernel, kKeyBias, gradient);
      const Row through_value = layer_back(h[i], dv, kValueKernel, kValueBias, gradient);
      for (std::size_t j = 0; j < width; ++j)
        dh[j] += through_value[j];
      const Row dz1 = times_slope(dh, z1[i]);
      const Row dz0 =
          times_slope(layer_back(h0[i], dz1, kItem1Kernel, kItem1Bias, gradient), z0[i]);
      layer_back(x[i], dz0, kItem0Kernel, kItem0Bias, gradient);
    }
    const Row dqv = layer_back(qv, dq, kQueryKernel, kQueryBias, gradient);
    const Row dqz = times_slope(layer_back(qh, dqv, kQuery1Kernel, kQuery1Bias, gradient), qz);
    layer_back(q, dqz, kQuery0Kernel, kQuery0Bias, gradient);
    return output;
  }

 private:
  static double inner(double x) { return std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x); }

  const Parameters<float>& head_;
  Rounding rounding_;
};

class RoundedAgainstPlain : public testing::TestWithParam<Rounding> {};

TEST_P(RoundedAgainstPlain, ForwardAndGradient) {
  const Rounding rounding = GetParam();
  const HeadShape shape{.width = 24, .classes = 10};
  const Parameters<float> head = lively_head(shape);
  const ItemSets sets = drawn(4, 7);
  const Outcome got = rounded_outcome(head, sets, AttentionTransform{}, rounding);
  const PlainHead plain(head, rounding);
  Parameters<double> gradient(shape);
  // Sums in float and in double differ by some 1e-7, which now and then makes a number fall to the
  // other side of a tie and so moves by one unit of the format what is computed from it: hence
  // most must agree closely, and all to about such a unit.
  const double unit = rounding == Rounding::kBf16 ? 0x1p-8 : 0x1p-11;
  int close = 0;
  int count = 0;
  for (int s = 0; s < sets.sets; ++s) {
    const Row logits = plain.one_set(sets.view().slice(s, 1), 0.25, gradient);
    for (std::size_t c = 0; c < logits.size(); ++c) {
      const double error = std::abs(got.class_logits[s * logits.size() + c] - logits[c]);
      EXPECT_LT(error, unit);
      close += error < 1e-5 ? 1 : 0;
      ++count;
    }
  }
  EXPECT_GE(close, count / 2);
  for (const TensorSlot& slot : parameter_layout(shape)) {
    double scale = 0;
    for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i)
      scale = std::max(scale, std::abs(gradient.values[i]));
    int near = 0;
    for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i) {
      const double error = std::abs(got.gradient.values[i] - gradient.values[i]);
      EXPECT_LT(error, unit * scale + 1e-7) << slot.name;
      near += error < 1e-2 * unit * scale + 1e-7 ? 1 : 0;
    }
    EXPECT_GE(near, static_cast<int>(slot.size()) / 2) << slot.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundedAgainstPlain,
                         testing::Values(Rounding::kBf16, Rounding::kFp16),
                         [](const auto& param_info) {
                           return param_info.param == Rounding::kBf16 ? "Bf16" : "Fp16";
                         });

}  // namespace
}  // namespace dispersion
