#include <algorithm>
#include <cmath>

#include "core/experiment/bounds.h"
#include "core/experiment/spread.h"
#include "core/head/forward.h"
#include "core/io/file.h"
#include "core/math/singular_value.h"
#include "core/verify/head_inputs.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

// The largest value less the smallest one.
double range(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

void check_set(Section& section, const CaseValue& item, const Parameters<double>& head,
               const SingularValues& singular, const ItemSets& sets) {
  const std::int64_t set = item.at("set").integer();
  if (set < 0 || set >= sets.sets) {
    throw FileError("cases.json", "'" + item.place() + "' should name one of the sets");
  }
  Activations<double> activations;
  forward(head, sets.view().slice(static_cast<int>(set), 1), AttentionTransform{}, activations);
  const auto n = static_cast<std::size_t>(sets.items);
  const double* logits = activations.attention_logits.data();
  const double* weights = activations.attention.data();
  const double delta = range(std::vector<double>(logits, logits + n));
  const auto spread = [&](SpreadTerms terms) {
    return set_spreads(head, singular, activations, terms).front();
  };
  section.scalar(item, "query_norm", spread({}).query_norm);
  section.scalar(item, "max_item_norm", spread({}).item_norm);
  section.scalar(item, "delta_without_biases_unscaled", spread({}).delta);
  section.scalar(item, "delta_without_biases", spread({.scaled = true}).delta);
  section.scalar(item, "delta_with_biases", spread({.scaled = true, .biases = true}).delta);
  section.scalar(item, "bound", spread({.scaled = true}).bound);
  const Tolerance& allowed = tolerance::kDoubleExponential;
  section.scalar(item, "attention_max", *std::max_element(weights, weights + n), allowed);
  section.scalar(item, "attention_min", *std::min_element(weights, weights + n), allowed);
  const WeightBounds bounds = weight_bounds(delta, sets.items);
  section.scalar(item, "lemma_upper", bounds.upper, allowed);
  section.scalar(item, "lemma_lower", bounds.lower, allowed);
  section.scalar(item, "sharp_upper", bounds.sharp_upper, allowed);
  section.scalar(item, "sharp_lower", bounds.sharp_lower, allowed);
}

}  // namespace

void verify_bounds(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "", "bounds", report);
  section.guarded("bounds", [&] {
    GoldenFile& trained = folder.file("trained.safetensors");
    const auto head = convert_parameters<double>(read_parameters(trained, ""));
    const auto initial = convert_parameters<double>(
        read_parameters(folder.file("forward_backward.safetensors"), ""));
    const CaseValue cases = section.cases();
    const CaseValue values = cases.at("largest_singular_value");
    const SingularValues at_start = attention_singular_values(initial);
    const SingularValues singular = attention_singular_values(head);
    section.scalar(values.at("initial"), "query", at_start.query);
    section.scalar(values.at("initial"), "key", at_start.key);
    section.scalar(values.at("trained"), "query", singular.query);
    section.scalar(values.at("trained"), "key", singular.key);
    section.scalar(cases, "scale", 1 / std::sqrt(static_cast<double>(head.shape.width)));
    const std::string prefix = "eval.n" + std::to_string(cases.at("n").integer()) + ".";
    const ItemSets sets = read_item_sets(trained, prefix, head.shape.classes);
    const CaseValue list = cases.at("cases");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const CaseValue item = list.at(i);
      section.guarded(item.place(), [&] { check_set(section, item, head, singular, sets); });
    }
  });
}

}  // namespace dispersion
