#include "core/experiment/experiment.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/trained_steps.h"
#include "core/head/forward.h"
#include "core/io/checkpoint.h"
#include "core/io/text.h"
#include "core/task/item_sets.h"

namespace dispersion {
namespace {

// Gives a figure the name of its experiment, and its provenance the head that it is computed from.
class FigureLabel {
 public:
  FigureLabel(const Experiment& experiment, const SettingValues& values,
              const ExperimentInputs& inputs)
      : name_(experiment.name) {
    if (!experiment.takes_head(values) || experiment.heads == HeadUse::kAll) return;
    if (inputs.heads.empty()) return;
    const ExperimentHead& head = inputs.heads.front();
    provenance_ = {{"head", head.name}};
    if (head.has_run) {
      provenance_.emplace_back("recipe", recipe_to_json(head.recipe));
      add_trained_steps(provenance_, head.state->seed,
                        std::to_string(head.steps_before + head.state->step), head.steps_before);
    } else {
      provenance_.emplace_back("run", kWeightsOnly);
    }
    provenance_.emplace_back("run_hash", run_hash(head.recipe, *head.state));
  }

  void put_on(Figure& figure) const {
    figure.name = name_;
    figure.provenance.insert(figure.provenance.begin(), provenance_.begin(), provenance_.end());
  }

 private:
  std::string name_;
  Provenance provenance_;
};

// Sets with queries from 0 to 1, each with all classes at priorities from 0 to 1.
ItemSets sets_of_all_inputs() {
  constexpr int kQueries = 3;
  constexpr int kPriorities = 9;
  ItemSets sets;
  sets.resize(kQueries, kPriorities * kClasses);
  for (int set = 0; set < kQueries; ++set) {
    sets.query[static_cast<std::size_t>(set)] = static_cast<float>(set) / (kQueries - 1);
    for (int item = 0; item < sets.items; ++item) {
      const auto at = static_cast<std::size_t>(set * sets.items + item);
      const int step = item / kClasses;
      sets.priority[at] = static_cast<float>(step) / (kPriorities - 1);
      sets.item_class[at] = static_cast<std::uint8_t>(item % kClasses);
    }
  }
  return sets;
}

// Throws where two heads are the same: means and intervals over heads take them for independent.
void require_different_heads(const std::vector<ExperimentHead>& heads) {
  for (auto head = heads.begin(); head != heads.end(); ++head) {
    const auto same = std::find_if(heads.begin(), head, [&](const ExperimentHead& other) {
      return same_bits(other.state->parameters, head->state->parameters);
    });
    if (same == head) continue;
    throw std::runtime_error(path_text(head->name) + ": holds the same head as " +
                             path_text(same->name) + "; expected different ones");
  }
}

// The same for the histories of runs.
void require_different_histories(const std::vector<History>& histories) {
  for (auto history = histories.begin(); history != histories.end(); ++history) {
    if (history->empty() || std::find(histories.begin(), history, *history) == history) continue;
    throw std::runtime_error("two histories are the same, that of seed " +
                             std::to_string(history->front().seed) +
                             "; expected those of different runs");
  }
}

}  // namespace

void require_finite_attention(const std::string& name, const Parameters<float>& head) {
  const ItemSets sets = sets_of_all_inputs();
  Activations<float> activations;
  forward(head, sets.view(), AttentionTransform{}, activations);
  const std::span<const float> logits(activations.attention_logits.data(),
                                      static_cast<std::size_t>(sets.sets * sets.items));
  const bool finite = std::ranges::all_of(logits, [](float e) { return std::isfinite(e); });
  if (!finite) throw std::runtime_error(path_text(name) + ": gives attention that is not finite");
}

ExperimentResult run_experiment(const Experiment& experiment, const SettingValues& values,
                                const ExperimentInputs& inputs, ExperimentBackends& backends,
                                const Progress& progress, const ShowFigure& show) {
  values.require_valid();
  require_different_heads(inputs.heads);
  require_different_histories(inputs.histories);
  if (experiment.takes_head(values)) {
    for (const ExperimentHead& head : inputs.heads)
      require_finite_attention(head.name, head.state->parameters);
  }
  const FigureLabel label(experiment, values, inputs);
  const auto show_labelled = [&](Figure partial) {
    if (!show) return;
    label.put_on(partial);
    show(std::move(partial));
  };
  ExperimentResult result = experiment.run(values, inputs, backends, progress, show_labelled);
  label.put_on(result.figure);
  return result;
}

std::string Experiment::summary_with_place() const {
  return std::string(summary).append(" (").append(paper_place).append(")");
}

bool Experiment::has_setting(std::string_view setting) const {
  return std::ranges::find(settings, setting, &Setting::name) != settings.end();
}

bool Experiment::takes_head(const SettingValues& values) const {
  if (heads == HeadUse::kByChoice) return values.choice("logits") == "head";
  return heads != HeadUse::kNone;
}

bool Experiment::figure_of_sets() const {
  return has_setting("sets") && (heads == HeadUse::kOne || heads == HeadUse::kAll);
}

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> made;
    for (const auto& make : kExperiments)
      made.push_back(make());
    return made;
  }();
  return all;
}

const Experiment* find_experiment(std::string_view name) {
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name || (!name.empty() && experiment.former_name == name))
      return &experiment;
  }
  return nullptr;
}

std::string stored_text(const std::string& commit, const std::string& backend) {
  return "computed before, by commit " + commit + ", " + backend;
}

Setting sets_setting(int sets, double most, std::string_view help) {
  return {.name = "sets",
          .label = "sets of every size",
          .help = help,
          .low = 1,
          .high = most,
          .value = static_cast<double>(sets)};
}

Setting set_seed_setting() {
  return {.name = "set-seed",
          .label = "seed of the sets",
          .help = "Other sets, same head",
          .low = 0,
          .high = kLargestSeed,
          .value = 1};
}

Setting sizes_setting() {
  return {.name = "sizes",
          .help = "Items per set",
          .kind = SettingKind::kSizes,
          .low = 1,
          .high = kLargestSize,
          .sizes = doubling_sizes()};
}

Setting transforms_setting(std::vector<AttentionTransform> transforms, std::string_view help) {
  return {.name = "transforms",
          .label = "transforms",
          .help = help,
          .kind = SettingKind::kTransforms,
          .transforms = std::move(transforms)};
}

std::vector<AttentionTransform> paper_transforms() {
  return {usual_transform(TransformId::kSoftmax), usual_transform(TransformId::kAdaptive)};
}

std::vector<AttentionTransform> compared_transforms(const SettingValues& values) {
  std::vector<AttentionTransform> compared = {usual_transform(TransformId::kSoftmax)};
  for (const AttentionTransform& transform : values.transforms()) {
    if (transform.id != TransformId::kSoftmax) compared.push_back(transform);
  }
  return compared;
}

std::string sets_text(const SettingValues& values) {
  return std::to_string(values.count("sets")) + " of every size, seed " +
         std::to_string(values.count("set-seed"));
}

}  // namespace dispersion
