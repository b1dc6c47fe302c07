#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attention_transform.h"
#include "core/figure/series_style.h"

namespace dispersion {

// The attention transforms: what they are called, what can be set on them, and how they compute. A
// new one is a file beside this one, its TransformId, and its line in the table of transforms.cpp.
//
// Weights and gradients exist for float and double; sums are taken in double in a fixed order. A
// logit of -infinity is a masked item and gets weight exactly 0. An all-masked row gets weights 0.

// What a transform did to a row.
struct TransformResult {
  // H of softmax(e / theta) in nats, where the transform looks at it (softmax and adaptive); else
  // 0.
  double entropy_before = 0;
  // The weights are softmax(beta e / theta); infinite for hard attention, 1 for what is no softmax.
  double beta = 1;
  double entropy = 0;  // H of the weights, nats
  // Which earlier transform of the same call gave this row the very same weights; -1: none.
  int repeats = -1;
};

// A row of logits, [items], with what is known of it already.
template <class Scalar>
struct LogitRow {
  std::span<const Scalar> logits;
  Scalar largest = 0;  // of the logits, above -infinity
  // What plain softmax of the same theta made of the row earlier in the call; no weights: nothing.
  const Scalar* plain_weights = nullptr;
  TransformResult plain_result = {};
  int plain_index = -1;
  std::span<const Scalar> learned = {};  // [learned_count(TransformDefinition::learned)]
};

// A row whose weights were computed, for the way back.
template <class Scalar>
struct WeightedRow {
  std::span<const Scalar> logits;   // [items]
  std::span<const Scalar> weights;  // [items], = transform(logits)
  TransformResult result;           // what came with the weights
  LearnedValues<Scalar> learned = {};
  // Of the loss with respect to the learned values; the row's share is added. Empty where the head
  // was not trained with the transform.
  std::span<Scalar> learned_gradient = {};
};

// Whether the gradient flows through beta(H) (the JAX listing has no stop-gradient) or takes beta
// as a constant.
enum class BetaGradient { kThrough, kStopped };

template <class Scalar>
struct TransformFunctions {
  // Writes the weights, [items].
  TransformResult (*weights)(const AttentionTransform&, const LogitRow<Scalar>&,
                             std::span<Scalar> weights) = nullptr;
  // Gradient of a loss with respect to the logits (and the learned values), given its gradient with
  // respect to the weights: [items] each. Where the transform has a kink it is that of one side.
  void (*backward)(const AttentionTransform&, const WeightedRow<Scalar>&, BetaGradient,
                   std::span<const Scalar> weight_gradient,
                   std::span<Scalar> logit_gradient) = nullptr;
};

// A number that can be set on a transform.
struct TransformSetting {
  std::string_view name;   // on the command line: "k"
  std::string_view label;  // in the window: "items kept k"
  std::string_view help;   // a sentence
  double low = 0;          // both ends are possible
  double high = 0;
  double usual = 0;  // the default
  bool whole = false;
};

struct TransformDefinition {
  TransformId id = TransformId::kSoftmax;
  std::string_view name;    // of machine output and the command line, e.g. "adaptive"
  std::string_view label;   // of figures and the window, e.g. "adaptive θ"
  std::string_view words;   // in a sentence, e.g. "adaptive temperature"
  std::string_view help;    // what it does, in a sentence
  std::string_view source;  // where it is from
  ColourRole colour = ColourRole::kNeutral;
  Mark mark = Mark::kDisc;
  std::span<const TransformSetting> settings = {};  // at most kMostTransformSettings
  std::span<const LearnedTensor> learned = {};      // what training it adds to a head
  bool has_theta = true;
  bool has_rule = false;   // AttentionTransform::rule
  bool is_sparse = false;  // most items of a long row get weight exactly 0
  bool on_device = false;  // the kernels of gpu/ compute it
  // beta of a row with this entropy of softmax(e / theta) and so many items that are not masked.
  // Null for what is not softmax(beta e / theta), and so needs more than the row's sums.
  double (*beta)(const AttentionTransform&, double entropy, std::int64_t items) = nullptr;
  TransformFunctions<float> in_float;
  TransformFunctions<double> in_double;
};

// All of them, softmax first. The order is that of lists, curves and rows.
std::span<const TransformDefinition* const> transform_definitions();

// Throws std::invalid_argument for an id that has no definition.
const TransformDefinition& transform_definition(TransformId id);
// "softmax", the name of the definition. Throws as above.
std::string_view transform_name(TransformId id);

// With the usual settings, theta = 1 and the paper's rule.
AttentionTransform usual_transform(TransformId id);

// Throws std::invalid_argument that names the transform and what is wrong: an id without a
// definition, theta, or a setting outside its range.
void validate(const AttentionTransform& transform);

// "top-k", or "top-k, k = 8" where a setting is not the usual one: the label of figures.
std::string transform_label(const AttentionTransform& transform);

// "k = 8": all its settings; empty where it has none.
std::string settings_text(const AttentionTransform& transform);

// "top-k:k=8": the name, and the settings that are not the usual ones. The rule and theta are left
// out: they have options of their own.
std::string transform_text(const AttentionTransform& transform);
// The other way, with theta = 1 and the paper's rule. Throws std::invalid_argument that says what
// was expected.
AttentionTransform parse_transform(std::string_view text);

// beta of TransformDefinition::beta. Throws std::invalid_argument where there is none.
double softmax_beta(const AttentionTransform& transform, double entropy, std::int64_t items);

// Rows of logits of one length, computed in one call.
template <class Scalar>
struct LogitRows {
  const Scalar* logits = nullptr;  // [rows, items]
  std::size_t rows = 0;
  std::size_t items = 0;
  const Scalar* largest = nullptr;     // of every row, [rows], where it is known
  LearnedValues<Scalar> learned = {};  // of the head
};

// Every row under every transform, and nothing twice: an adaptive transform after the plain one of
// the same theta takes its entropy, and its weights where beta is 1. weights: [transforms, rows,
// items]; results: [transforms, rows]. A transform with learned tensors that the head was not
// trained with takes them at their start. Throws as transform_definition.
template <class Scalar>
void attention_weights(const LogitRows<Scalar>& rows,
                       std::span<const AttentionTransform> transforms, Scalar* weights,
                       std::span<TransformResult> results);

// One row under one transform. logits, weights: [items].
template <class Scalar>
TransformResult attention_weights(std::span<const Scalar> logits,
                                  const AttentionTransform& transform, std::span<Scalar> weights,
                                  LearnedValues<Scalar> learned = {});

// As TransformFunctions::backward.
template <class Scalar>
void attention_weights_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                                BetaGradient beta_gradient, std::span<const Scalar> weight_gradient,
                                std::span<Scalar> logit_gradient);

}  // namespace dispersion
