#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/io/file.h"
#include "core/verify/head_inputs.h"
#include "core/verify/head_runs.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

// The same batch in both precisions.
struct Runs {
  BatchRun<float> float32;
  BatchRun<double> float64;
};

AttentionTransform adaptive_transform() {
  AttentionTransform transform;
  transform.id = TransformId::kAdaptive;
  return transform;
}

Runs run_both(const Parameters<float>& head, const ItemSets& sets, BetaGradient beta_gradient,
              const Recipe& recipe) {
  return {run_batch(head, sets, adaptive_transform(), beta_gradient, recipe),
          run_batch(convert_parameters<double>(head), sets, adaptive_transform(), beta_gradient,
                    recipe)};
}

template <class Scalar>
std::vector<double> copy(const AlignedBuffer<Scalar>& buffer,
                         const std::vector<std::int64_t>& shape) {
  return std::vector<double>(buffer.data(), buffer.data() + shape[0] * shape[1]);
}

std::vector<double> betas(const std::vector<TransformResult>& results) {
  std::vector<double> values;
  for (const TransformResult& result : results)
    values.push_back(result.beta);
  return values;
}

std::vector<double> entropies(const std::vector<TransformResult>& results) {
  std::vector<double> values;
  for (const TransformResult& result : results)
    values.push_back(result.entropy_before);
  return values;
}

// Checks that the sets are the first of the evaluation sets eval.nN in trained.safetensors, as the
// README says.
void check_trained_sets(Section& section, const ItemSets& sets, int classes) {
  GoldenFile& trained = section.folder().file("trained.safetensors");
  const std::string prefix = "eval.n" + std::to_string(sets.items) + ".";
  if (!trained.contains(prefix + "rho")) return;
  ItemSets trained_sets = read_item_sets(trained, prefix, classes);
  const auto same = [&](const char* name, const auto& found, const auto& expected) {
    std::vector<double> first = to_doubles(expected);
    first.resize(std::min(first.size(), found.size()));
    section.values("adaptive_backward.safetensors",
                   std::string(name) + ", as in trained.safetensors", Arithmetic::kExact, first,
                   to_doubles(found), {}, index_in({static_cast<std::int64_t>(found.size())}));
  };
  same("rho", sets.priority, trained_sets.priority);
  same("class", sets.item_class, trained_sets.item_class);
  same("q", sets.query, trained_sets.query);
  same("label", sets.label, trained_sets.label);
}

void check_values(Section& section, const Runs& runs, const ItemSets& sets, HeadShape shape) {
  using F = Activations<float>;
  using D = Activations<double>;
  const F& f = runs.float32.activations;
  const D& d = runs.float64.activations;
  const std::vector<std::int64_t> per_item = {sets.sets, sets.items};
  const std::vector<std::int64_t> per_channel = {sets.sets, shape.width};
  const auto check = [&](const char* name, const std::vector<std::int64_t>& axes, auto float32,
                         auto float64, const Tolerance& limit,
                         const Tolerance& allowed64 = tolerance::kDoubleTensor) {
    section.tensor(name, {axes, copy(f.*float32, axes), copy(d.*float64, axes)}, limit,
                   StoredFloat32::kExpected, allowed64);
  };
  check("attention_logits", per_item, &F::attention_logits, &D::attention_logits,
        tolerance::kTrainedLogits);
  check("attention", per_item, &F::attention, &D::attention, tolerance::kTrainedWeights,
        tolerance::kDoubleWeights);
  check("pooled_values", per_channel, &F::pooled_values, &D::pooled_values,
        tolerance::kAdaptiveValues);
  check("attended", per_channel, &F::attended, &D::attended, tolerance::kAdaptiveValues);
  check("class_logits", {sets.sets, shape.classes}, &F::class_logits, &D::class_logits,
        tolerance::kAdaptiveClassLogits);
  section.tensor("entropy",
                 {{sets.sets}, entropies(f.transform_results), entropies(d.transform_results)},
                 tolerance::kTrainedEntropy, StoredFloat32::kRounded);
  section.tensor("beta", {{sets.sets}, betas(f.transform_results), betas(d.transform_results)},
                 tolerance::kTrainedBeta, StoredFloat32::kRounded);
}

Tolerance gradient_tolerance(std::string_view name) {
  if (name == "attention.key.bias") return tolerance::kAdaptiveKeyBiasGradient;
  if (name.starts_with("query_mlp.") || name.starts_with("attention.query.")) {
    return tolerance::kAdaptiveQueryGradient;
  }
  return tolerance::kAdaptiveGradient;
}

void check_gradients(Section& section, const std::string& prefix, const Runs& runs) {
  const ParameterLayout layout = parameter_layout(runs.float32.gradient.shape);
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = static_cast<TensorId>(i);
    const bool key_bias = id == TensorId::kKeyBias;
    const Computed computed = {stored_shape(layout[i]),
                               to_doubles(runs.float32.gradient.tensor(id)),
                               to_doubles(runs.float64.gradient.tensor(id))};
    section.tensor(prefix + std::string(layout[i].name), computed,
                   gradient_tolerance(layout[i].name), StoredFloat32::kNone,
                   key_bias ? tolerance::kDoubleKeyBiasGradient : tolerance::kDoubleTensor);
  }
}

// Checks what cases.json says about the largest difference between the gradients through beta and
// with beta held constant, from the tensors in the folder.
void check_modes(Section& section, HeadShape shape) {
  const CaseValue found = section.cases().at("largest_gradient_difference_between_modes");
  for (const TensorSlot& slot : parameter_layout(shape)) {
    const std::string name(slot.name);
    section.guarded(found.place() + "." + name, [&] {
      const std::vector<float> through = section.tensors().floats("grad_through." + name);
      const std::vector<float> stopped = section.tensors().floats("grad_stop." + name);
      double largest = 0;
      for (std::size_t i = 0; i < through.size() && i < stopped.size(); ++i) {
        largest = std::max(
            largest, std::abs(static_cast<double>(through[i]) - static_cast<double>(stopped[i])));
      }
      section.scalar(found, name, largest, tolerance::kMeasured);
    });
  }
}

void check_summary(Section& section, const Runs& runs, const ItemSets& sets) {
  const CaseValue cases = section.cases();
  section.integer(cases, "batch", sets.sets);
  section.integer(cases, "n", sets.items);
  section.scalars(cases, "entropy", entropies(runs.float64.activations.transform_results));
  section.scalars(cases, "beta", betas(runs.float64.activations.transform_results));
  section.scalar(cases, "loss", runs.float64.loss());
  section.scalar(cases, "f32_loss", runs.float64.loss(), tolerance::kAdaptiveClassLogits);
}

}  // namespace

void verify_adaptive_backward(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "adaptive_backward.safetensors", "adaptive_backward", report);
  section.guarded("inputs", [&] {
    const Parameters<float> head = read_parameters(folder.file("trained.safetensors"), "");
    const ItemSets sets = read_item_sets(section.tensors(), "", head.shape.classes);
    const Recipe recipe = read_recipe(folder);
    check_labels(section, "", sets);
    section.guarded("inputs, as in trained.safetensors",
                    [&] { check_trained_sets(section, sets, head.shape.classes); });
    const Runs through = run_both(head, sets, BetaGradient::kThrough, recipe);
    const Runs stopped = run_both(head, sets, BetaGradient::kStopped, recipe);
    check_values(section, through, sets, head.shape);
    check_gradients(section, "grad_through.", through);
    check_gradients(section, "grad_stop.", stopped);
    section.guarded("largest_gradient_difference_between_modes",
                    [&] { check_modes(section, head.shape); });
    section.guarded("summary", [&] { check_summary(section, through, sets); });
  });
}

}  // namespace dispersion
