#include "tests/statements/zoo.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "core/cpu/cpu_backend.h"
#include "core/head/forward.h"
#include "tests/shipped_head.h"

namespace dispersion {
namespace {

void scale(Parameters<float>& head, TensorId id, float factor) {
  for (float& weight : head.tensor(id))
    weight *= factor;
}

// The shipped head with other weights in the query projection, which scale all its logits.
Parameters<float> with_query_times(float factor) {
  Parameters<float> head = shipped_head();
  scale(head, TensorId::kQueryKernel, factor);
  scale(head, TensorId::kQueryBias, factor);
  return head;
}

// It does not see the priorities, so that all items of a class have the same logit.
Parameters<float> blind() {
  Parameters<float> head = shipped_head();
  const auto row = head.tensor(TensorId::kItem0Kernel).first(128);
  std::ranges::fill(row, 0.0F);
  return head;
}

// It gives every set the same class logits.
Parameters<float> mute() {
  Parameters<float> head = shipped_head();
  scale(head, TensorId::kReadout1Kernel, 0);
  return head;
}

Parameters<float> steep(float factor) {
  Parameters<float> head = shipped_head();
  scale(head, TensorId::kItem0Kernel, factor);
  return head;
}

Parameters<float> trained(int steps, double learning_rate) {
  Recipe recipe;
  recipe.learning_rate = learning_rate;
  const auto backend = make_cpu_backend(1);
  backend->load(recipe, {start_training(HeadShape{}, 1)});
  std::vector<StepRecord> records;
  backend->train(steps, records);
  return backend->state(0).parameters;
}

class CpuBackends : public ExperimentBackends {
 public:
  Backend& backend() override {
    if (!backend_) backend_ = make_cpu_backend(2);
    return *backend_;
  }
  SequenceBackend& sequence_backend() override {
    if (!sequence_backend_) sequence_backend_ = make_cpu_sequence_backend(2);
    return *sequence_backend_;
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequence_backend_;
};

void set_value(const Experiment& experiment, SettingValues& values, const std::string& name,
               const std::string& text) {
  const auto setting = std::ranges::find(experiment.settings, name, &Setting::name);
  if (setting == experiment.settings.end())
    throw std::logic_error(std::string(experiment.name) + " has no setting " + name);
  switch (setting->kind) {
    case SettingKind::kChoice:
      return values.set(name, std::string_view(text));
    case SettingKind::kSizes:
      return values.set(name, numbers(text));
    case SettingKind::kTransforms:
      throw std::logic_error("transforms are not set by text");
    default:
      values.set(name, std::stod(text));
  }
}

}  // namespace

std::vector<int> numbers(const std::string& text) {
  std::vector<int> all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    all.push_back(std::stoi(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return all;
}

const std::vector<ZooHead>& zoo() {
  static const std::vector<ZooHead> heads = {
      {"shipped", shipped_head()},
      {"untrained", initial_parameters(HeadShape{}, 7)},
      {"narrow", initial_parameters(HeadShape{.width = 16, .classes = 10}, 3)},
      {"one step", trained(1, 1e-3)},
      {"twenty steps", trained(20, 1e-3)},
      {"diverged", trained(20, 0.3)},
      {"constant", with_query_times(0)},
      {"negated", with_query_times(-1)},
      {"huge", with_query_times(100)},
      {"tiny", with_query_times(1e-4F)},
      {"blind", blind()},
      {"mute", mute()},
      {"needle", steep(8)},
  };
  return heads;
}

const ZooHead& zoo_head(const std::string& name) {
  const auto found = std::ranges::find(zoo(), name, &ZooHead::name);
  if (found == zoo().end()) throw std::logic_error("the zoo has no head '" + name + "'");
  return *found;
}

ExperimentHead experiment_head(const ZooHead& head, std::uint32_t seed) {
  auto state = std::make_shared<TrainingState>(start_training_from(head.parameters, seed));
  return {head.name, Recipe(), std::move(state), true};
}

ExperimentResult run_on(const std::string& experiment, const ZooHead& head,
                        const SettingTexts& settings, const std::vector<History>& histories) {
  const Experiment* found = find_experiment(experiment);
  if (found == nullptr) throw std::logic_error("there is no experiment " + experiment);
  SettingValues values(found->settings, SettingUse::kCommand);
  for (const auto& [name, text] : settings)
    set_value(*found, values, name, text);
  ExperimentInputs inputs;
  inputs.heads = {experiment_head(head)};
  inputs.histories = histories;
  CpuBackends backends;
  return run_experiment(*found, values, inputs, backends);
}

namespace {

ItemSets drawn_sets(std::uint32_t seed, int items, int sets) {
  ItemSets drawn;
  drawn.resize(sets, items);
  draw_item_sets(seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, drawn);
  return drawn;
}

template <class Logits>
ReferenceSets with_logits(const ItemSets& drawn, const Logits& logits) {
  ReferenceSets result{drawn.sets, drawn.items, {}, {}, {}, 0};
  const auto count = static_cast<std::ptrdiff_t>(drawn.priority.size());
  result.logits.assign(logits.data(), logits.data() + count);
  result.priority.assign(drawn.priority.begin(), drawn.priority.end());
  result.label.assign(drawn.label.begin(), drawn.label.end());
  return result;
}

}  // namespace

double logit_rounding(std::span<const double> logits) {
  double largest = 0;
  for (const double logit : logits)
    largest = std::max(largest, std::abs(logit));
  return 7 * std::sqrt(128.0) * 0x1p-24 * largest;
}

ReferenceSets cpu_sets(const Parameters<float>& head, std::uint32_t seed, int items, int sets) {
  const ItemSets drawn = drawn_sets(seed, items, sets);
  std::vector<float> logits;
  make_cpu_backend(1)->attention_logits(head, drawn.view(), logits);
  return with_logits(drawn, logits);
}

ReferenceSets reference_sets(const Parameters<float>& head, std::uint32_t seed, int items,
                             int sets) {
  const ItemSets drawn = drawn_sets(seed, items, sets);
  const Parameters<double> in_double = convert_parameters<double>(head);
  Activations<double> activations;
  forward(in_double, drawn.view(), AttentionTransform{}, activations);
  ReferenceSets result = with_logits(drawn, activations.attention_logits);
  result.rounding = logit_rounding(result.logits);
  return result;
}

std::vector<double> reference_weights(const double* logits, int items, double theta) {
  const double largest = *std::max_element(logits, logits + items);
  std::vector<long double> exponentials;
  long double sum = 0;
  for (int i = 0; i < items; ++i) {
    exponentials.push_back(std::exp(static_cast<long double>((logits[i] - largest) / theta)));
    sum += exponentials.back();
  }
  std::vector<double> weights;
  for (const long double exponential : exponentials)
    weights.push_back(static_cast<double>(exponential / sum));
  return weights;
}

double reference_entropy(const std::vector<double>& weights) {
  long double entropy = 0;
  for (const double weight : weights) {
    if (weight > 0) entropy -= weight * std::log(static_cast<long double>(weight));
  }
  return static_cast<double>(entropy);
}

}  // namespace dispersion
