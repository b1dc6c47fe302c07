#include <cmath>

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

template <class Scalar>
std::vector<double> copy(const AlignedBuffer<Scalar>& buffer,
                         const std::vector<std::int64_t>& shape) {
  std::int64_t size = 1;
  for (const std::int64_t axis : shape)
    size *= axis;
  return std::vector<double>(buffer.data(), buffer.data() + size);
}

// Keys or values, item_embedding * kernel + bias, which forward() itself never computes.
template <class Scalar>
std::vector<double> project(const AlignedBuffer<Scalar>& embedding, std::int64_t rows,
                            std::span<const Scalar> kernel, std::span<const Scalar> bias) {
  const std::size_t width = bias.size();
  std::vector<double> result;
  std::vector<Scalar> row(width);
  for (std::int64_t r = 0; r < rows; ++r) {
    const Scalar* from = embedding.data() + static_cast<std::size_t>(r) * width;
    std::copy(bias.begin(), bias.end(), row.begin());
    for (std::size_t k = 0; k < width; ++k) {
      for (std::size_t j = 0; j < width; ++j)
        row[j] += from[k] * kernel[k * width + j];
    }
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

void check_activation(Section& section, const Runs& runs, const std::string& name,
                      const std::vector<std::int64_t>& shape,
                      AlignedBuffer<float> Activations<float>::*float32,
                      AlignedBuffer<double> Activations<double>::*float64,
                      const Tolerance& allowed64 = tolerance::kDoubleTensor) {
  const Computed computed = {shape, copy(runs.float32.activations.*float32, shape),
                             copy(runs.float64.activations.*float64, shape)};
  section.tensor(name, computed, tolerance::kFreshForward, StoredFloat32::kExpected, allowed64);
}

void check_activations(Section& section, const Runs& runs, const ItemSets& sets, HeadShape shape) {
  using F = Activations<float>;
  using D = Activations<double>;
  const std::vector<std::int64_t> per_item = {sets.sets, sets.items, shape.width};
  const std::vector<std::int64_t> per_set = {sets.sets, shape.width};
  const std::vector<std::int64_t> weights = {sets.sets, sets.items};
  const auto check = [&](const char* name, const std::vector<std::int64_t>& axes, auto float32,
                         auto float64) {
    check_activation(section, runs, name, axes, float32, float64);
  };
  check("item_embedding", per_item, &F::item_embedding, &D::item_embedding);
  check("query_vector", per_set, &F::query_vector, &D::query_vector);
  check("query_projection", per_set, &F::query_projection, &D::query_projection);
  check("attention_logits", weights, &F::attention_logits, &D::attention_logits);
  check_activation(section, runs, "attention", weights, &F::attention, &D::attention,
                   tolerance::kDoubleWeights);
  check("pooled_values", per_set, &F::pooled_values, &D::pooled_values);
  check("attended", per_set, &F::attended, &D::attended);
  check("readout_hidden", per_set, &F::readout_hidden, &D::readout_hidden);
  check("class_logits", {sets.sets, shape.classes}, &F::class_logits, &D::class_logits);
}

void check_projection(Section& section, const Runs& runs, const std::string& name,
                      const std::vector<std::int64_t>& shape, const Parameters<float>& head,
                      const Parameters<double>& head64, TensorId kernel, TensorId bias) {
  const std::int64_t rows = shape[0] * shape[1];
  const Computed computed = {shape,
                             project(runs.float32.activations.item_embedding, rows,
                                     head.tensor(kernel), head.tensor(bias)),
                             project(runs.float64.activations.item_embedding, rows,
                                     head64.tensor(kernel), head64.tensor(bias))};
  section.tensor(name, computed, tolerance::kFreshForward, StoredFloat32::kExpected);
}

void check_losses(Section& section, const Runs& runs) {
  const auto check = [&](const char* name, double float32, double float64) {
    section.tensor(name, {{1}, {float32}, {float64}}, tolerance::kFreshLoss,
                   StoredFloat32::kExpected);
    section.guarded(name, [&] {
      section.scalar(section.cases(), name, float64);
      // The folder has its own float32 loss in both files.
      const std::vector<float> stored = section.tensors().floats(std::string("f32.") + name, {1});
      section.scalar(section.cases().at("f32"), name, static_cast<double>(stored[0]));
    });
  };
  const std::int64_t sets = static_cast<std::int64_t>(runs.float32.cross_entropy_each.size());
  section.tensor("cross_entropy_each",
                 {{sets}, runs.float32.cross_entropy_each, runs.float64.cross_entropy_each},
                 tolerance::kFreshLoss, StoredFloat32::kExpected);
  check("cross_entropy", runs.float32.cross_entropy, runs.float64.cross_entropy);
  check("l2", runs.float32.l2, runs.float64.l2);
  check("loss", runs.float32.loss(), runs.float64.loss());
}

void check_gradients(Section& section, const Runs& runs) {
  const Parameters<float>& float32 = runs.float32.gradient;
  const Parameters<double>& float64 = runs.float64.gradient;
  const ParameterLayout layout = parameter_layout(float32.shape);
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = static_cast<TensorId>(i);
    const bool key_bias = id == TensorId::kKeyBias;
    const Computed computed = {stored_shape(layout[i]), to_doubles(float32.tensor(id)),
                               to_doubles(float64.tensor(id))};
    section.tensor("grad." + std::string(layout[i].name), computed,
                   key_bias ? tolerance::kFreshKeyBiasGradient : tolerance::kFreshGradient,
                   StoredFloat32::kExpected,
                   key_bias ? tolerance::kDoubleFreshKeyBiasGradient : tolerance::kDoubleTensor);
  }
}

double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value));
  return largest;
}

void check_summary(Section& section, const Runs& runs, const ItemSets& sets) {
  const CaseValue cases = section.cases();
  section.integer(cases, "batch", sets.sets);
  section.integer(cases, "n", sets.items);
  double squares = 0;
  for (const double g : runs.float64.gradient.values)
    squares += g * g;
  section.scalar(cases, "gradient_norm", std::sqrt(squares));
  const CaseValue key_bias = cases.at("key_bias_gradient_max_abs");
  section.scalar(key_bias, "f64",
                 largest_magnitude(runs.float64.gradient.tensor(TensorId::kKeyBias)),
                 tolerance::kDoubleFreshKeyBiasGradient);
  const std::vector<double> stored =
      to_doubles(section.tensors().floats("f32.grad.attention.key.bias"));
  section.scalar(key_bias, "f32", largest_magnitude(stored), tolerance::kMeasured);
}

}  // namespace

void verify_meta(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "", "meta", report);
  section.guarded("meta", [&] {
    const HeadShape shape = read_parameters(folder.file("forward_backward.safetensors"), "").shape;
    section.integer(section.cases(), "classes", shape.classes);
    section.integer(section.cases(), "width", shape.width);
    section.scalar(section.cases(), "attention_scale", 1 / std::sqrt(shape.width));
  });
}

void verify_forward_backward(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "forward_backward.safetensors", "forward_backward", report);
  section.guarded("inputs", [&] {
    const Parameters<float> head = read_parameters(section.tensors(), "");
    const Parameters<double> head64 = convert_parameters<double>(head);
    const ItemSets sets = read_item_sets(section.tensors(), "", head.shape.classes);
    const Recipe recipe = read_recipe(folder);
    check_labels(section, "", sets);
    const AttentionTransform plain;
    const Runs runs = {run_batch(head, sets, plain, BetaGradient::kThrough, recipe),
                       run_batch(head64, sets, plain, BetaGradient::kThrough, recipe)};
    check_activations(section, runs, sets, head.shape);
    const std::vector<std::int64_t> per_item = {sets.sets, sets.items, head.shape.width};
    check_projection(section, runs, "key_projection", per_item, head, head64, TensorId::kKeyKernel,
                     TensorId::kKeyBias);
    check_projection(section, runs, "value_projection", per_item, head, head64,
                     TensorId::kValueKernel, TensorId::kValueBias);
    check_losses(section, runs);
    check_gradients(section, runs);
    section.guarded("summary", [&] { check_summary(section, runs, sets); });
  });
}

}  // namespace dispersion
