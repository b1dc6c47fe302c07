#include "core/attention/transforms.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/io/text.h"
#include "core/math/largest.h"

namespace dispersion {

// One in each file of that name.
extern const TransformDefinition kSoftmaxTransform;
extern const TransformDefinition kAdaptiveTransform;
extern const TransformDefinition kHardTransform;
extern const TransformDefinition kLogNTransform;
extern const TransformDefinition kTopKTransform;
extern const TransformDefinition kSparsemaxTransform;
extern const TransformDefinition kEntmax15Transform;

namespace {

constexpr std::array kTransforms = {
    &kSoftmaxTransform, &kAdaptiveTransform,  &kHardTransform,     &kLogNTransform,
    &kTopKTransform,    &kSparsemaxTransform, &kEntmax15Transform,
};

template <class Scalar>
const TransformFunctions<Scalar>& functions(const TransformDefinition& definition) {
  if constexpr (std::is_same_v<Scalar, float>) {
    return definition.in_float;
  } else {
    return definition.in_double;
  }
}

// "a whole number from 1 to 100"
std::string range_text(const TransformSetting& setting) {
  return (setting.whole ? "a whole number from " : "a number from ") + exact_text(setting.low) +
         " to " + exact_text(setting.high);
}

bool fits(const TransformSetting& setting, double value) {
  return value >= setting.low && value <= setting.high &&
         (!setting.whole || value == std::floor(value));
}

std::string names_text() {
  std::string text;
  for (const TransformDefinition* definition : kTransforms)
    text.append(text.empty() ? "" : ", ").append(definition->name);
  return text;
}

// "k=8" of a transform into it.
void read_setting(const TransformDefinition& definition, std::string_view text,
                  AttentionTransform& transform) {
  const std::size_t sign = text.find('=');
  const std::string_view name = text.substr(0, sign);
  const auto setting = std::ranges::find(definition.settings, name, &TransformSetting::name);
  const std::string of(definition.name);
  if (definition.settings.empty())
    throw std::invalid_argument(of + " has no settings, not " + in_quotes(text));
  if (setting == definition.settings.end() || sign == std::string_view::npos) {
    std::string expected;
    for (const TransformSetting& known : definition.settings)
      expected.append(expected.empty() ? "" : " or ").append(known.name).append("=NUMBER");
    throw std::invalid_argument(of + ": expected " + expected + ", not " + in_quotes(text));
  }
  const std::string_view digits = text.substr(sign + 1);
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end || !fits(*setting, value)) {
    throw std::invalid_argument(of + ": " + std::string(name) + " should be " +
                                range_text(*setting) + ", not " + in_quotes(digits));
  }
  transform.settings[static_cast<std::size_t>(setting - definition.settings.begin())] = value;
}

// Whether these values were learned for the transform.
template <class Scalar>
bool are_of(const TransformDefinition& definition, const LearnedValues<Scalar>& learned) {
  return std::ranges::equal(definition.learned, learned.tensors);
}

// The values that the transform begins with, for which `start` is the memory.
template <class Scalar>
LearnedValues<Scalar> values_at_start(const TransformDefinition& definition,
                                      std::vector<Scalar>& start) {
  start.clear();
  for (const LearnedTensor& tensor : definition.learned)
    start.insert(start.end(), tensor.size(), static_cast<Scalar>(tensor.start));
  return {definition.learned, start};
}

// The plain softmax of the same theta among the transforms before `t`; -1: none.
int plain_before(std::span<const AttentionTransform> transforms, std::size_t t) {
  for (std::size_t p = 0; p < t; ++p) {
    if (transforms[p].id == TransformId::kSoftmax && transforms[p].theta == transforms[t].theta)
      return static_cast<int>(p);
  }
  return -1;
}

}  // namespace

std::span<const TransformDefinition* const> transform_definitions() {
  return kTransforms;
}

const TransformDefinition& transform_definition(TransformId id) {
  const auto found = std::ranges::find(kTransforms, id, &TransformDefinition::id);
  if (found != kTransforms.end()) return **found;
  throw std::invalid_argument("there is no attention transform " +
                              std::to_string(static_cast<int>(id)));
}

std::string_view transform_name(TransformId id) {
  return transform_definition(id).name;
}

AttentionTransform usual_transform(TransformId id) {
  AttentionTransform transform;
  transform.id = id;
  const std::span<const TransformSetting> settings = transform_definition(id).settings;
  for (std::size_t i = 0; i < settings.size(); ++i)
    transform.settings[i] = settings[i].usual;
  return transform;
}

void validate(const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  if (!(transform.theta > 0) || !std::isfinite(transform.theta)) {
    throw std::invalid_argument(std::string(definition.name) + ": theta is " +
                                exact_text(transform.theta) + "; it must be above 0");
  }
  for (std::size_t i = 0; i < definition.settings.size(); ++i) {
    const TransformSetting& setting = definition.settings[i];
    if (fits(setting, transform.settings[i])) continue;
    throw std::invalid_argument(std::string(definition.name) + ": " + std::string(setting.name) +
                                " is " + exact_text(transform.settings[i]) + "; it must be " +
                                range_text(setting));
  }
}

std::string transform_label(const AttentionTransform& transform) {
  const std::string label(transform_definition(transform.id).label);
  const std::string settings = settings_text(transform);
  return settings == settings_text(usual_transform(transform.id)) ? label : label + ", " + settings;
}

std::string settings_text(const AttentionTransform& transform) {
  std::string text;
  const std::span<const TransformSetting> settings = transform_definition(transform.id).settings;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    text.append(text.empty() ? "" : ", ").append(settings[i].name).append(" = ");
    text += exact_text(transform.settings[i]);
  }
  return text;
}

std::string transform_text(const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  std::string text(definition.name);
  for (std::size_t i = 0; i < definition.settings.size(); ++i) {
    const TransformSetting& setting = definition.settings[i];
    if (transform.settings[i] == setting.usual) continue;
    text.append(":").append(setting.name).append("=").append(exact_text(transform.settings[i]));
  }
  return text;
}

AttentionTransform parse_transform(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto found = std::ranges::find(kTransforms, name, &TransformDefinition::name);
  if (found == kTransforms.end()) {
    throw std::invalid_argument("expected an attention transform (" + names_text() + "), not " +
                                in_quotes(name));
  }
  AttentionTransform transform = usual_transform((*found)->id);
  while (name.size() < text.size()) {
    const std::size_t begin = text.rfind(':');
    if (begin < name.size()) break;
    read_setting(**found, text.substr(begin + 1), transform);
    text = text.substr(0, begin);
  }
  return transform;
}

double softmax_beta(const AttentionTransform& transform, double entropy, std::int64_t items) {
  const TransformDefinition& definition = transform_definition(transform.id);
  if (definition.beta != nullptr) return definition.beta(transform, entropy, items);
  throw std::invalid_argument(std::string(definition.name) +
                              " is no softmax of the logits times a number");
}

template <class Scalar>
void attention_weights(const LogitRows<Scalar>& rows,
                       std::span<const AttentionTransform> transforms, Scalar* weights,
                       std::span<TransformResult> results) {
  const std::size_t count = rows.rows;
  std::vector<Scalar> start;
  for (std::size_t r = 0; r < count; ++r) {
    LogitRow<Scalar> row;
    row.logits = {rows.logits + r * rows.items, rows.items};
    row.largest = rows.largest != nullptr ? rows.largest[r] : largest_value(row.logits);
    const bool masked = row.largest == -std::numeric_limits<Scalar>::infinity();
    for (std::size_t t = 0; t < transforms.size(); ++t) {
      const TransformDefinition& definition = transform_definition(transforms[t].id);
      const std::span<Scalar> to(weights + (t * count + r) * rows.items, rows.items);
      if (masked) {
        std::ranges::fill(to, Scalar(0));
        results[t * count + r] = {};
        continue;
      }
      row.learned = are_of(definition, rows.learned) ? rows.learned.values
                                                     : values_at_start(definition, start).values;
      row.plain_index = plain_before(transforms, t);
      if (row.plain_index >= 0) {
        const std::size_t plain = static_cast<std::size_t>(row.plain_index) * count + r;
        row.plain_weights = weights + plain * rows.items;
        row.plain_result = results[plain];
      }
      results[t * count + r] = functions<Scalar>(definition).weights(transforms[t], row, to);
    }
  }
}

template <class Scalar>
TransformResult attention_weights(std::span<const Scalar> logits,
                                  const AttentionTransform& transform, std::span<Scalar> weights,
                                  LearnedValues<Scalar> learned) {
  TransformResult result;
  attention_weights<Scalar>({logits.data(), 1, logits.size(), nullptr, learned}, {&transform, 1},
                            weights.data(), {&result, 1});
  return result;
}

template <class Scalar>
void attention_weights_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                                BetaGradient beta_gradient, std::span<const Scalar> weight_gradient,
                                std::span<Scalar> logit_gradient) {
  const TransformDefinition& definition = transform_definition(transform.id);
  std::vector<Scalar> start;
  WeightedRow<Scalar> known = row;
  if (!are_of(definition, row.learned)) {
    known.learned = values_at_start(definition, start);
    known.learned_gradient = {};
  }
  functions<Scalar>(definition)
      .backward(transform, known, beta_gradient, weight_gradient, logit_gradient);
}

template void attention_weights(const LogitRows<float>&, std::span<const AttentionTransform>,
                                float*, std::span<TransformResult>);
template void attention_weights(const LogitRows<double>&, std::span<const AttentionTransform>,
                                double*, std::span<TransformResult>);
template TransformResult attention_weights(std::span<const float>, const AttentionTransform&,
                                           std::span<float>, LearnedValues<float>);
template TransformResult attention_weights(std::span<const double>, const AttentionTransform&,
                                           std::span<double>, LearnedValues<double>);
template void attention_weights_backward(const AttentionTransform&, const WeightedRow<float>&,
                                         BetaGradient, std::span<const float>, std::span<float>);
template void attention_weights_backward(const AttentionTransform&, const WeightedRow<double>&,
                                         BetaGradient, std::span<const double>, std::span<double>);

}  // namespace dispersion
