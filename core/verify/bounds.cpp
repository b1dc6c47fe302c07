#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/head/forward.h"
#include "core/io/error.h"
#include "core/math/eigen_views.h"
#include "core/verify/head_inputs.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

double largest_singular_value(const Parameters<double>& head, TensorId kernel) {
  const int width = head.shape.width;
  const Eigen::MatrixXd matrix = ConstMatrixView<double>(head.tensor(kernel).data(), width, width);
  return Eigen::BDCSVD<Eigen::MatrixXd>(matrix).singularValues()[0];
}

double range(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

// Spread of the logits without biases and without the scale: y Q . x_i K.
double bare_delta(const Parameters<double>& head, const double* query,
                  const ConstMatrixView<double>& items) {
  const int width = head.shape.width;
  const ConstMatrixView<double> q(head.tensor(TensorId::kQueryKernel).data(), width, width);
  const ConstMatrixView<double> k(head.tensor(TensorId::kKeyKernel).data(), width, width);
  const Eigen::VectorXd projection = q.transpose() * ConstVectorView<double>(query, width);
  const Eigen::VectorXd scores = items * (k * projection);
  return scores.maxCoeff() - scores.minCoeff();
}

void check_set(Section& section, const CaseValue& item, const Parameters<double>& head,
               const ItemSets& sets) {
  const std::int64_t set = item.at("set").integer();
  if (set < 0 || set >= sets.sets) {
    throw FileError("cases.json", "'" + item.place() + "' should name one of the sets");
  }
  Activations<double> activations;
  forward(head, sets.view().slice(static_cast<int>(set), 1), AttentionMap{}, activations);
  const auto n = static_cast<std::size_t>(sets.items);
  const int width = head.shape.width;
  const ConstMatrixView<double> items(activations.item_embedding.data(), sets.items, width);
  const double query_norm = ConstVectorView<double>(activations.query_vector.data(), width).norm();
  const double item_norm = items.rowwise().norm().maxCoeff();
  const double scale = 1 / std::sqrt(static_cast<double>(width));
  const double bare = bare_delta(head, activations.query_vector.data(), items);
  const double* logits = activations.attention_logits.data();
  const double* weights = activations.attention.data();
  const double delta = range(std::vector<double>(logits, logits + n));
  const double rest = static_cast<double>(n) - 1;
  section.scalar(item, "query_norm", query_norm);
  section.scalar(item, "max_item_norm", item_norm);
  section.scalar(item, "delta_without_biases_unscaled", bare);
  section.scalar(item, "delta_without_biases", bare * scale);
  section.scalar(item, "delta_with_biases", delta);
  section.scalar(item, "bound",
                 2 * largest_singular_value(head, TensorId::kQueryKernel) *
                     largest_singular_value(head, TensorId::kKeyKernel) * query_norm * item_norm *
                     scale);
  const Tolerance& allowed = tolerance::kDoubleExponential;
  section.scalar(item, "attention_max", *std::max_element(weights, weights + n), allowed);
  section.scalar(item, "attention_min", *std::min_element(weights, weights + n), allowed);
  section.scalar(item, "lemma_upper", std::exp(delta) / (rest + 1), allowed);
  section.scalar(item, "lemma_lower", std::exp(-delta) / (rest + 1), allowed);
  section.scalar(item, "sharp_upper", std::exp(delta) / (std::exp(delta) + rest), allowed);
  section.scalar(item, "sharp_lower", std::exp(-delta) / (std::exp(-delta) + rest), allowed);
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
    section.scalar(values.at("initial"), "query",
                   largest_singular_value(initial, TensorId::kQueryKernel));
    section.scalar(values.at("initial"), "key",
                   largest_singular_value(initial, TensorId::kKeyKernel));
    section.scalar(values.at("trained"), "query",
                   largest_singular_value(head, TensorId::kQueryKernel));
    section.scalar(values.at("trained"), "key", largest_singular_value(head, TensorId::kKeyKernel));
    section.scalar(cases, "scale", 1 / std::sqrt(static_cast<double>(head.shape.width)));
    const std::string prefix = "eval.n" + std::to_string(cases.at("n").integer()) + ".";
    const ItemSets sets = read_item_sets(trained, prefix, head.shape.classes);
    const CaseValue list = cases.at("cases");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const CaseValue item = list.at(i);
      section.guarded(item.place(), [&] { check_set(section, item, head, sets); });
    }
  });
}

}  // namespace dispersion
