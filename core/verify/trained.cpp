#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"
#include "core/io/file.h"
#include "core/verify/head_inputs.h"
#include "core/verify/head_runs.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

using Indices = std::vector<std::int32_t>;

// The sizes N with a tensor named eval.nN. or f32.eval.nN. or an entry in cases.json. Collecting
// them from all three makes a missing tensor a failure.
std::set<int> eval_sizes(Section& section) {
  std::set<int> sizes;
  const auto insert = [&](const std::string& digits) {
    int size = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, size);
    if (error != std::errc() || stop != end || size < 1) {
      throw FileError(section.tensors().path(), "has evaluation sets of size '" + digits + "'");
    }
    sizes.insert(size);
  };
  for (std::string name : section.tensors().names()) {
    if (name.starts_with("f32.")) name.erase(0, 4);
    if (!name.starts_with("eval.n")) continue;
    const std::size_t dot = name.find('.', 6);
    insert(name.substr(6, dot == std::string::npos ? dot : dot - 6));
  }
  for (const std::string& key : section.cases().at("eval").keys())
    insert(key);
  return sizes;
}

// The same sets in both precisions.
struct Runs {
  Evaluation float32;
  Evaluation float64;
};

void check_tensors(Section& section, const std::string& prefix, const Runs& runs,
                   const ItemSets& sets, int classes) {
  using E = Evaluation;
  const std::vector<std::int64_t> per_set = {sets.sets};
  const std::vector<std::int64_t> per_item = {sets.sets, sets.items};
  const std::vector<std::int64_t> per_class = {sets.sets, classes};
  const auto check = [&](const char* name, const std::vector<std::int64_t>& shape,
                         std::vector<double> E::*values, const Tolerance& limit,
                         StoredFloat32 stored = StoredFloat32::kExpected,
                         const Tolerance& float64 = tolerance::kDoubleTensor) {
    section.tensor(prefix + name, {shape, runs.float32.*values, runs.float64.*values}, limit,
                   stored, float64);
  };
  check("logit_max", per_set, &E::logit_max, tolerance::kTrainedLogits);
  check("logit_min", per_set, &E::logit_min, tolerance::kTrainedLogits);
  check("delta", per_set, &E::delta, tolerance::kTrainedLogits, StoredFloat32::kRounded);
  check("logit_gap", per_set, &E::logit_gap, tolerance::kTrainedLogits, StoredFloat32::kRounded);
  check("entropy", per_set, &E::entropy, tolerance::kTrainedEntropy, StoredFloat32::kRounded);
  check("entropy_published", per_set, &E::entropy_published, tolerance::kTrainedEntropy,
        StoredFloat32::kRounded);
  check("beta", per_set, &E::beta, tolerance::kTrainedBeta, StoredFloat32::kRounded);
  check("attention_on_max", per_set, &E::attention_on_max, tolerance::kTrainedWeights,
        StoredFloat32::kRounded, tolerance::kDoubleWeights);
  check("adaptive_attention_on_max", per_set, &E::adaptive_attention_on_max,
        tolerance::kTrainedWeights, StoredFloat32::kRounded, tolerance::kDoubleWeights);
  check("class_logits", per_class, &E::class_logits, tolerance::kTrainedClassLogits);
  check("adaptive_class_logits", per_class, &E::adaptive_class_logits,
        tolerance::kAdaptiveClassLogits);
  check("predicted_margin", per_set, &E::predicted_margin, tolerance::kTrainedMargin,
        StoredFloat32::kNone);
  check("predicted_adaptive_margin", per_set, &E::predicted_adaptive_margin,
        tolerance::kAdaptiveMargin, StoredFloat32::kNone);
  // The folder has whole rows for small sizes only; where it has one of the three, it has to have
  // all.
  const std::vector<std::string> rows = {"logits", "attention", "attention_adaptive"};
  const bool kept = std::any_of(rows.begin(), rows.end(), [&](const std::string& name) {
    return section.tensors().contains(prefix + name) ||
           section.tensors().contains("f32." + prefix + name);
  });
  if (!kept) return;
  check("logits", per_item, &E::logits, tolerance::kTrainedLogits);
  check("attention", per_item, &E::attention, tolerance::kTrainedWeights, StoredFloat32::kRounded,
        tolerance::kDoubleWeights);
  check("attention_adaptive", per_item, &E::attention_adaptive, tolerance::kTrainedWeights,
        StoredFloat32::kRounded, tolerance::kDoubleWeights);
}

// Compares argmaxes and predicted classes where the two largest values differ clearly, so that
// rounding cannot change them; in float64 that is nearly everywhere.
void check_decisions(Section& section, const std::string& prefix, const Runs& runs) {
  const auto check = [&](const std::string& name, Indices Evaluation::*indices,
                         std::vector<double> Evaluation::*gaps, double clear) {
    const std::vector<double>& gap = runs.float64.*gaps;
    const auto clearer_than = [&](double limit) {
      return [&gap, limit](std::size_t i) { return gap[i] > limit; };
    };
    section.integers(prefix + name, runs.float32.*indices, Arithmetic::kFloat32,
                     clearer_than(clear));
    section.integers(prefix + name, runs.float64.*indices, Arithmetic::kFloat64,
                     clearer_than(tolerance::kClearInDouble));
    section.integers("f32." + prefix + name, runs.float64.*indices, Arithmetic::kStored,
                     clearer_than(clear));
  };
  using E = Evaluation;
  check("argmax_logit", &E::argmax_logit, &E::logit_gap, tolerance::kClearLogitGap);
  check("predicted", &E::predicted, &E::predicted_margin, tolerance::kClearMargin);
  check("predicted_adaptive", &E::predicted_adaptive, &E::predicted_adaptive_margin,
        tolerance::kClearMargin);
  const auto always = [](std::size_t) { return true; };
  section.integers(prefix + "argmax_rho", runs.float64.argmax_rho, Arithmetic::kExact, always);
  section.integers("f32." + prefix + "argmax_rho", runs.float64.argmax_rho, Arithmetic::kExact,
                   always);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double share_equal(const Indices& a, const Indices& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    equal += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

void check_means(Section& section, const CaseValue& found, const Evaluation& e,
                 const ItemSets& sets) {
  section.integer(found, "sets", sets.sets);
  section.scalar(found, "mean_attention_on_max", mean(e.attention_on_max));
  section.scalar(found, "mean_adaptive_attention_on_max", mean(e.adaptive_attention_on_max));
  section.scalar(found, "mean_entropy", mean(e.entropy));
  section.scalar(found, "mean_entropy_published", mean(e.entropy_published));
  section.scalar(found, "mean_beta", mean(e.beta));
  section.scalar(found, "min_delta", *std::min_element(e.delta.begin(), e.delta.end()));
  section.scalar(found, "max_delta", *std::max_element(e.delta.begin(), e.delta.end()));
  section.scalar(found, "smallest_logit_gap",
                 *std::min_element(e.logit_gap.begin(), e.logit_gap.end()));
  section.scalar(found, "accuracy", share_equal(e.predicted, sets.label));
  section.scalar(found, "accuracy_adaptive", share_equal(e.predicted_adaptive, sets.label));
  section.scalar(found, "argmax_logit_is_argmax_rho", share_equal(e.argmax_logit, e.argmax_rho));
}

// Checks how often the argmaxes and predictions of the folder's float32 program differ from the
// float64 ones.
void check_disagreements(Section& section, const CaseValue& found, const std::string& prefix) {
  for (const char* name : {"argmax_logit", "argmax_rho", "predicted", "predicted_adaptive"}) {
    const Indices truth = section.tensors().integers(prefix + name);
    const Indices stored = section.tensors().integers("f32." + prefix + name);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < truth.size() && i < stored.size(); ++i) {
      count += truth[i] != stored[i] ? 1 : 0;
    }
    section.integer(found.at("f32_disagreements"), name, count);
  }
}

using Values = std::map<std::string, std::vector<double>>;

void append(std::vector<double>& all, const std::vector<double>& row) {
  all.insert(all.end(), row.begin(), row.end());
}

// Adds the statistics of one set; `top`: the index of its largest priority.
void add_set(const std::vector<double>& logits, std::size_t top, Values& values) {
  AttentionTransform adaptive;
  adaptive.id = TransformId::kAdaptive;
  std::vector<double> weights(logits.size());
  attention_weights<double>(logits, AttentionTransform{}, weights);
  append(values["attention"], weights);
  values["attention_on_max"].push_back(weights[top]);
  values["entropy_published"].push_back(published_entropy(weights));
  const TransformResult result = attention_weights<double>(logits, adaptive, weights);
  append(values["attention_adaptive"], weights);
  values["adaptive_attention_on_max"].push_back(weights[top]);
  values["entropy"].push_back(result.entropy_before);
  values["beta"].push_back(result.beta);
  const auto [low, high] = std::minmax_element(logits.begin(), logits.end());
  values["delta"].push_back(*high - *low);
}

// The folder's statistics of its own float32 logits (f32.PREFIXentropy and so on) were computed in
// float64 and rounded for storing, so where those logits are in the folder too, the statistics can
// be recomputed exactly.
void check_stored_statistics(Section& section, const std::string& prefix, const ItemSets& sets) {
  const std::string stored = "f32." + prefix;
  if (!section.tensors().contains(stored + "logits")) return;
  const std::vector<float> logits =
      section.tensors().floats(stored + "logits", {sets.sets, sets.items});
  const auto items = static_cast<std::size_t>(sets.items);
  Values values;
  for (std::size_t s = 0; s < static_cast<std::size_t>(sets.sets); ++s) {
    const std::span<const float> priority = std::span(sets.priority).subspan(s * items, items);
    add_set(to_doubles(std::span(logits).subspan(s * items, items)),
            static_cast<std::size_t>(first_largest(priority)), values);
  }
  for (const auto& [name, computed] : values) {
    section.guarded(stored + name, [&, &name = name, &computed = computed] {
      const bool weights = name.find("attention") != std::string::npos;
      section.values("trained.safetensors", stored + name + ", from f32 logits",
                     Arithmetic::kStored, computed,
                     to_doubles(section.tensors().floats(stored + name)),
                     weights ? tolerance::kDoubleWeights : tolerance::kDoubleTensor,
                     index_in({static_cast<std::int64_t>(computed.size())}));
    });
  }
}

void check_size(Section& section, int size, const Parameters<float>& head) {
  const std::string prefix = "eval.n" + std::to_string(size) + ".";
  const ItemSets sets = read_item_sets(section.tensors(), prefix, head.shape.classes);
  if (sets.items != size) {
    throw FileError(section.tensors().path(), "tensor '" + prefix + "rho' has sets of " +
                                                  std::to_string(sets.items) + " items");
  }
  check_labels(section, prefix, sets);
  const Runs runs = {evaluate_sets(head, sets),
                     evaluate_sets(convert_parameters<double>(head), sets)};
  check_tensors(section, prefix, runs, sets, head.shape.classes);
  check_decisions(section, prefix, runs);
  check_stored_statistics(section, prefix, sets);
  section.measured(prefix + "all_logits", {}, runs.float64.logits);
  const std::string key = std::to_string(size);
  section.guarded("trained.eval." + key, [&] {
    const CaseValue found = section.cases().at("eval").at(key);
    check_means(section, found, runs.float64, sets);
    check_disagreements(section, found, prefix);
  });
}

}  // namespace

void verify_trained(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "trained.safetensors", "trained", report);
  section.guarded("inputs", [&] {
    const Parameters<float> head = read_parameters(section.tensors(), "");
    double largest = 0;
    for (const float bias : head.tensor(TensorId::kKeyBias)) {
      largest = std::max(largest, std::abs(static_cast<double>(bias)));
    }
    section.scalar(section.cases(), "key_bias_max_abs", largest, tolerance::kDoubleTensor);
    for (const int size : eval_sizes(section)) {
      section.guarded("eval.n" + std::to_string(size) + ".",
                      [&] { check_size(section, size, head); });
    }
  });
}

}  // namespace dispersion
