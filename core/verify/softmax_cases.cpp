#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"
#include "core/io/file.h"
#include "core/io/text.h"
#include "core/verify/case_slices.h"
#include "core/verify/head_runs.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

struct Inputs {
  std::vector<float> logits;  // -infinity where masked
  std::vector<float> w;       // the gradient with respect to the weights
};

Inputs read_inputs(Section& section) {
  Inputs inputs;
  inputs.logits = section.tensors().floats("logits", {-1});
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(inputs.logits.size())};
  inputs.w = section.tensors().floats("w", shape);
  const std::vector<std::int32_t> mask = section.tensors().integers("mask", shape);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] != 0 && mask[i] != 1) {
      throw FileError(section.tensors().path(), "tensor 'mask' should hold 0 and 1 only");
    }
    if (mask[i] == 0) inputs.logits[i] = -std::numeric_limits<float>::infinity();
  }
  return inputs;
}

bool is_present(float logit) {
  return logit != -std::numeric_limits<float>::infinity();
}

void check_inputs(Section& section, const CaseSlices& slices, const Inputs& inputs) {
  for (std::size_t c = 0; c < slices.count(); ++c) {
    const std::span<const float> row = slices.of(c, inputs.logits);
    const bool finite = std::all_of(row.begin(), row.end(),
                                    [](float e) { return std::isfinite(e) || !is_present(e); });
    if (finite && std::any_of(row.begin(), row.end(), is_present)) continue;
    throw FileError(section.tensors().path(),
                    "case " + in_quotes(slices.name(c)) +
                        " should have finite or masked logits, and one that is present");
  }
}

// The results of one precision by name: tensors over all cases, and numbers and counts for each
// case.
struct CaseResults {
  std::map<std::string, std::vector<double>> tensors;
  std::map<std::string, std::vector<double>> scalars;
  std::map<std::string, std::vector<std::int64_t>> counts;
};

// Applies all transforms and their gradients to one row and appends the results.
template <class Scalar>
class RowEvaluator {
 public:
  RowEvaluator(std::span<const float> logits, std::span<const float> w, CaseResults& results)
      : logits_(logits.begin(), logits.end()),
        w_(w.begin(), w.end()),
        weights_(logits.size()),
        results_(results) {}

  void run() {
    run_softmax();
    run_adaptive();
    run_others();
  }

 private:
  void keep(const std::string& name, const std::vector<Scalar>& values) {
    std::vector<double>& all = results_.tensors[name];
    all.insert(all.end(), values.begin(), values.end());
  }
  void keep_scalar(const std::string& name, double value) {
    results_.scalars[name].push_back(value);
  }
  double weight_entropy() const { return entropy(std::span<const Scalar>(weights_)); }

  void run_softmax() {
    const LogitSummary summary = summarise_logits(std::span<const Scalar>(logits_), 1);
    attention_weights<Scalar>(logits_, AttentionTransform(), weights_);
    keep("softmax", weights_);
    keep_scalar("max", summary.max);
    keep_scalar("lse_minus_max", summary.log_sum);
    keep_scalar("entropy", summary.entropy);
    keep_scalar("entropy_published", published_entropy(to_doubles(weights_)));
    keep_scalar("polynomial", polynomial(AdaptiveRule{}, summary.entropy));
  }

  void run_adaptive() {
    AttentionTransform transform;
    transform.id = TransformId::kAdaptive;
    const TransformResult result = attention_weights<Scalar>(logits_, transform, weights_);
    keep("adaptive", weights_);
    keep_scalar("beta", result.beta);
    keep_scalar("entropy_adaptive", weight_entropy());
    double weighted = 0;
    for (std::size_t i = 0; i < w_.size(); ++i) {
      weighted += static_cast<double>(w_[i]) * static_cast<double>(weights_[i]);
    }
    keep_scalar("weighted_sum_adaptive", weighted);
    std::vector<Scalar> gradient(w_.size());
    const WeightedRow<Scalar> row = {logits_, weights_, result};
    attention_weights_backward<Scalar>(transform, row, BetaGradient::kThrough, w_, gradient);
    keep("grad_through", gradient);
    attention_weights_backward<Scalar>(transform, row, BetaGradient::kStopped, w_, gradient);
    keep("grad_stop", gradient);
  }

  void run_others() {
    // The settings of the golden data: softmax(ln(n) logits), and the two largest logits.
    run_other("logn", with_setting(TransformId::kLogN, std::numbers::e));
    keep_scalar("entropy_logn", weight_entropy());
    run_other("sparsemax", usual_transform(TransformId::kSparsemax));
    keep_support("sparsemax_support");
    run_other("entmax15", usual_transform(TransformId::kEntmax15));
    keep_support("entmax15_support");
    run_other("top2", with_setting(TransformId::kTopK, 2));
  }

  static AttentionTransform with_setting(TransformId id, double value) {
    AttentionTransform transform = usual_transform(id);
    transform.settings[0] = value;
    return transform;
  }
  void run_other(const std::string& name, const AttentionTransform& transform) {
    attention_weights<Scalar>(logits_, transform, weights_);
    keep(name, weights_);
  }
  void keep_support(const std::string& name) {
    results_.counts[name].push_back(
        std::ranges::count_if(weights_, [](Scalar weight) { return weight > 0; }));
  }

  std::vector<Scalar> logits_;
  std::vector<Scalar> w_;
  std::vector<Scalar> weights_;
  CaseResults& results_;
};

template <class Scalar>
CaseResults run_cases(const CaseSlices& slices, const Inputs& inputs) {
  CaseResults results;
  for (std::size_t c = 0; c < slices.count(); ++c) {
    RowEvaluator<Scalar>(slices.of(c, inputs.logits), slices.of(c, inputs.w), results).run();
  }
  return results;
}

void check_tensors(Section& section, const CaseSlices& slices, const CaseResults& float32,
                   const CaseResults& float64) {
  struct Limits {
    Tolerance float32;
    Tolerance float64;
  };
  const Limits weights = {tolerance::kCaseWeights, tolerance::kDoubleWeights};
  const Limits sparse = {tolerance::kCaseSparse, tolerance::kDoubleTensor};
  const Limits gradient = {tolerance::kCaseGradient, tolerance::kDoubleTensor};
  const std::map<std::string, Limits> allowed = {
      {"softmax", weights},    {"adaptive", weights},     {"logn", weights},
      {"top2", weights},       {"sparsemax", sparse},     {"entmax15", sparse},
      {"grad_stop", gradient}, {"grad_through", gradient}};
  const PlaceName place = [&](std::size_t i) { return slices.place(i); };
  for (const auto& [name, limits] : allowed) {
    section.guarded(name, [&, &name = name, &limits = limits] {
      const std::vector<double>& wide = float64.tensors.at(name);
      const std::vector<double> truth =
          to_doubles(section.tensors().floats(name, {static_cast<std::int64_t>(wide.size())}));
      section.values("softmax_cases.safetensors", name, Arithmetic::kFloat32,
                     float32.tensors.at(name), truth, limits.float32, place);
      section.values("softmax_cases.safetensors", name, Arithmetic::kFloat64, wide, truth,
                     limits.float64, place);
    });
  }
}

void check_scalars(Section& section, const CaseSlices& slices, const CaseResults& float32,
                   const CaseResults& float64) {
  // The README has no float32 tolerance for other numbers.
  const std::map<std::string, Tolerance> allowed = {
      {"entropy", tolerance::kCaseEntropy},           {"lse_minus_max", tolerance::kCaseEntropy},
      {"entropy_published", tolerance::kCaseEntropy}, {"entropy_logn", tolerance::kCaseEntropy},
      {"entropy_adaptive", tolerance::kCaseBeta},     {"beta", tolerance::kCaseBeta}};
  const PlaceName place = [&](std::size_t i) { return slices.name(i); };
  for (const auto& [name, wide] : float64.scalars) {
    const std::string quantity = "softmax_cases[*]." + name;
    section.guarded(quantity, [&, &name = name, &wide = wide] {
      std::vector<double> truth;
      for (std::size_t c = 0; c < slices.count(); ++c) {
        truth.push_back(section.cases().at(c).at(name).number());
      }
      const auto limit = allowed.find(name);
      if (limit != allowed.end()) {
        section.values("cases.json", quantity, Arithmetic::kFloat32, float32.scalars.at(name),
                       truth, limit->second, place);
      }
      section.values("cases.json", quantity, Arithmetic::kFloat64, wide, truth,
                     tolerance::kDoubleScalar, place);
    });
  }
}

double parse_theta(const CaseValue& parent, const std::string& key) {
  double theta = 0;
  const char* end = key.data() + key.size();
  const auto [stop, error] = std::from_chars(key.data(), end, theta);
  if (error != std::errc() || stop != end || !(theta > 0) || !std::isfinite(theta)) {
    throw FileError("cases.json", in_quotes(parent.place()) + " should have temperatures as keys");
  }
  return theta;
}

// Checks the entropy at the temperatures that the folder lists for each case.
void check_temperatures(Section& section, const CaseSlices& slices, const Inputs& inputs) {
  std::vector<double> truth;
  std::vector<double> float32;
  std::vector<double> float64;
  std::vector<std::string> places;
  for (std::size_t c = 0; c < slices.count(); ++c) {
    const std::span<const float> row = slices.of(c, inputs.logits);
    const std::vector<double> wide = to_doubles(row);
    const CaseValue listed = section.cases().at(c).at("entropy_at_theta");
    for (const std::string& key : listed.keys()) {
      const double theta = parse_theta(listed, key);
      truth.push_back(listed.at(key).number());
      float32.push_back(summarise_logits(row, theta).entropy);
      float64.push_back(summarise_logits(std::span<const double>(wide), theta).entropy);
      places.push_back(slices.name(c) + ", theta = " + key);
    }
  }
  const PlaceName place = [&](std::size_t i) { return places[i]; };
  const std::string quantity = "softmax_cases[*].entropy_at_theta";
  section.values("cases.json", quantity, Arithmetic::kFloat32, float32, truth,
                 tolerance::kCaseEntropy, place);
  section.values("cases.json", quantity, Arithmetic::kFloat64, float64, truth,
                 tolerance::kDoubleScalar, place);
}

// The indices of the two largest logits; of equal ones the lower index comes first.
std::vector<std::int32_t> top_two(std::span<const float> logits) {
  std::vector<std::int32_t> chosen;
  for (int round = 0; round < 2; ++round) {
    std::int32_t best = -1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(logits.size()); ++i) {
      if (!is_present(logits[i]) || (round == 1 && i == chosen[0])) continue;
      if (best < 0 || logits[i] > logits[best]) best = i;
    }
    if (best >= 0) chosen.push_back(best);
  }
  return chosen;
}

void check_counts(Section& section, const CaseSlices& slices, const Inputs& inputs,
                  const CaseResults& float64) {
  for (std::size_t c = 0; c < slices.count(); ++c) {
    const CaseValue item = section.cases().at(c);
    const std::span<const float> row = slices.of(c, inputs.logits);
    section.integer(item, "present", std::count_if(row.begin(), row.end(), is_present));
    for (const auto& [name, counts] : float64.counts)
      section.integer(item, name, counts[c]);
    const std::string quantity = item.place() + ".top2_indices";
    section.guarded(quantity, [&] {
      const std::vector<std::int32_t> expected = top_two(row);
      section.add(
          "cases.json", quantity, Arithmetic::kExact,
          compare_integers(
              expected, item.at("top2_indices").integers(), [](std::size_t) { return true; },
              index_in({static_cast<std::int64_t>(expected.size())})));
    });
  }
}

}  // namespace

void verify_softmax_cases(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "softmax_cases.safetensors", "softmax_cases", report);
  section.guarded("inputs", [&] {
    const Inputs inputs = read_inputs(section);
    const CaseSlices slices(section, section.cases(), inputs.logits.size());
    check_inputs(section, slices, inputs);
    const CaseResults float32 = run_cases<float>(slices, inputs);
    const CaseResults float64 = run_cases<double>(slices, inputs);
    check_tensors(section, slices, float32, float64);
    check_scalars(section, slices, float32, float64);
    section.guarded("entropy_at_theta", [&] { check_temperatures(section, slices, inputs); });
    check_counts(section, slices, inputs, float64);
  });
}

}  // namespace dispersion
