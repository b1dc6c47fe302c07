#include <algorithm>
#include <cmath>

#include "core/head/optimiser.h"
#include "core/verify/head_inputs.h"
#include "core/verify/head_runs.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

// The result of some training steps in one precision.
template <class Scalar>
struct Descent {
  std::vector<double> loss;  // before each step
  Parameters<Scalar> head;   // after the last
};

template <class Scalar>
Descent<Scalar> descend(const Parameters<float>& start, const std::vector<ItemSets>& batches,
                        const Recipe& recipe) {
  Descent<Scalar> result{{}, convert_parameters<Scalar>(start)};
  Parameters<Scalar> first_moment(start.shape);
  Parameters<Scalar> second_moment(start.shape);
  const ParameterLayout layout = parameter_layout(start.shape);
  for (std::size_t step = 0; step < batches.size(); ++step) {
    const BatchRun<Scalar> run =
        run_batch(result.head, batches[step], {}, BetaGradient::kThrough, recipe);
    result.loss.push_back(run.loss());
    const AdamStep<Scalar> adam(recipe, static_cast<std::int64_t>(step) + 1);
    for (const TensorSlot& slot : layout) {
      const auto decay = static_cast<Scalar>(l2_terms(recipe, slot.is_kernel).decay);
      const std::size_t at = slot.offset;
      adam.apply(result.head.values.data() + at, first_moment.values.data() + at,
                 second_moment.values.data() + at, run.gradient.values.data() + at, slot.size(),
                 decay);
    }
  }
  return result;
}

std::vector<ItemSets> read_batches(Section& section, int classes) {
  std::vector<ItemSets> batches;
  for (int step = 0;; ++step) {
    const std::string prefix = "step" + std::to_string(step) + ".";
    const std::vector<std::string> names = section.tensors().names();
    const bool any = std::any_of(names.begin(), names.end(),
                                 [&](const std::string& name) { return name.starts_with(prefix); });
    if (!any) return batches;
    batches.push_back(read_item_sets(section.tensors(), prefix, classes));
    check_labels(section, prefix, batches.back());
  }
}

// Interpolates linearly between the two nearest order statistics, as NumPy's quantile does.
double quantile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = position - static_cast<double>(below);
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

// Checks what cases.json says about the errors of the folder's float32 parameters.
void check_quantiles(Section& section, const std::string& prefix, const std::string& name,
                     const std::vector<double>& float64, double slack) {
  const std::vector<float> stored = section.tensors().floats("f32." + prefix + name);
  std::vector<double> errors;
  for (std::size_t i = 0; i < stored.size() && i < float64.size(); ++i) {
    errors.push_back(std::abs(static_cast<double>(stored[i]) - float64[i]));
  }
  if (errors.empty()) return;
  std::sort(errors.begin(), errors.end());
  const CaseValue found = section.cases().at("after5_difference_quantiles").at(name);
  Tolerance allowed = tolerance::kMeasured;
  allowed.absolute += slack;
  section.scalar(found, "q50", quantile(errors, 0.5), allowed);
  section.scalar(found, "q99", quantile(errors, 0.99), allowed);
  section.scalar(found, "q999", quantile(errors, 0.999), allowed);
  section.scalar(found, "max", errors.back(), allowed);
  const auto count_over = [&](double limit) {
    return static_cast<double>(errors.end() -
                               std::upper_bound(errors.begin(), errors.end(), limit));
  };
  section.scalar(found, "count_over_1e-6", count_over(1e-6),
                 {.absolute = count_over(1e-6 - slack) - count_over(1e-6 + slack)});
}

// Checks the second limit of the README: 99.9 % of the float32 parameters have a much smaller error
// than the worst one may have.
void check_most(Section& section, const std::string& prefix, const Descent<float>& descent) {
  std::vector<double> errors;
  const ParameterLayout layout = parameter_layout(descent.head.shape);
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = static_cast<TensorId>(i);
    if (id == TensorId::kKeyBias) continue;
    const std::vector<float> truth =
        section.tensors().floats(prefix + std::string(layout[i].name), stored_shape(layout[i]));
    const std::span<const float> computed = descent.head.tensor(id);
    for (std::size_t j = 0; j < truth.size(); ++j) {
      errors.push_back(std::abs(static_cast<double>(computed[j]) - static_cast<double>(truth[j])));
    }
  }
  std::sort(errors.begin(), errors.end());
  section.values("adam.safetensors", prefix + "* (99.9 % of all)", Arithmetic::kFloat32,
                 {quantile(errors, tolerance::kAfterStepsMostShare)}, {0},
                 tolerance::kAfterStepsMost, [](std::size_t) { return ""; });
}

void check_parameters(Section& section, const std::string& prefix, const Descent<float>& float32,
                      const Descent<double>& float64) {
  const ParameterLayout layout = parameter_layout(float32.head.shape);
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = static_cast<TensorId>(i);
    const bool key_bias = id == TensorId::kKeyBias;
    const std::string name(layout[i].name);
    const Tolerance allowed64 =
        key_bias ? tolerance::kDoubleAfterStepsKeyBias : tolerance::kDoubleTensor;
    const Computed computed = {stored_shape(layout[i]), to_doubles(float32.head.tensor(id)),
                               to_doubles(float64.head.tensor(id))};
    section.tensor(prefix + name, computed,
                   key_bias ? tolerance::kAfterStepsKeyBias : tolerance::kAfterSteps,
                   StoredFloat32::kExpected, allowed64);
    section.guarded("f32." + prefix + name, [&] {
      check_quantiles(section, prefix, name, computed.float64, allowed64.absolute);
    });
  }
  section.guarded(prefix + "*", [&] { check_most(section, prefix, float32); });
}

void check_losses(Section& section, const Descent<float>& float32, const Descent<double>& float64) {
  const auto steps = static_cast<std::int64_t>(float64.loss.size());
  section.tensor("loss", {{steps}, float32.loss, float64.loss}, tolerance::kAdamLoss,
                 StoredFloat32::kExpected);
  section.guarded("loss_before_step", [&] {
    section.scalars(section.cases(), "loss_before_step", float64.loss);
    section.scalars(section.cases().at("f32"), "loss_before_step",
                    to_doubles(section.tensors().floats("f32.loss")));
  });
}

}  // namespace

void verify_adam(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "adam.safetensors", "adam", report);
  section.guarded("inputs", [&] {
    const Parameters<float> start =
        read_parameters(folder.file("forward_backward.safetensors"), "");
    const Recipe recipe = read_recipe(folder);
    const std::vector<ItemSets> batches = read_batches(section, start.shape.classes);
    const std::vector<std::int32_t> sizes = section.cases().at("sizes").integers();
    std::vector<std::int32_t> found;
    for (const ItemSets& batch : batches) {
      found.push_back(batch.items);
      section.integer(section.cases(), "batch", batch.sets);
    }
    section.add("cases.json", "adam.sizes", Arithmetic::kExact,
                compare_integers(
                    found, sizes, [](std::size_t) { return true; },
                    index_in({static_cast<std::int64_t>(found.size())})));
    const Descent<float> float32 = descend<float>(start, batches, recipe);
    const Descent<double> float64 = descend<double>(start, batches, recipe);
    check_losses(section, float32, float64);
    check_parameters(section, "after" + std::to_string(batches.size()) + ".", float32, float64);
  });
}

}  // namespace dispersion
