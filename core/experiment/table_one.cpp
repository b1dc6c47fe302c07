#include "core/experiment/table_one.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/attention/rule_shape.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

constexpr double kHalfWidth = 0.005;                   // of the interval, as a fraction
constexpr double kNormalQuantile = 1.959963984540054;  // of 97.5 %
constexpr std::int64_t kFewestSets = 1024;

void validate(std::span<const TableHead> heads, const TableSettings& settings) {
  if (heads.empty()) throw std::invalid_argument("a table needs at least one head");
  if (settings.sizes.empty()) throw std::invalid_argument("a table needs at least one size");
  require_sizes(settings.sizes, settings.sets);
  if (settings.transforms.empty() || settings.transforms.front().id != TransformId::kSoftmax) {
    throw std::invalid_argument("the first transform of a table must be plain softmax");
  }
  for (auto t = settings.transforms.begin(); t != settings.transforms.end(); ++t) {
    validate(*t);
    if (std::ranges::find(settings.transforms.begin(), t, t->id, &AttentionTransform::id) != t)
      throw std::invalid_argument("a table has every transform once");
  }
}

double end_of_window(std::span<const AttentionTransform> transforms) {
  const auto adaptive =
      std::ranges::find(transforms, TransformId::kAdaptive, &AttentionTransform::id);
  const std::vector<RuleWindow> windows =
      rule_windows(adaptive == transforms.end() ? AdaptiveRule() : adaptive->rule);
  return windows.empty() ? 0 : windows.back().high;
}

// Adds a batch to the sums, and counts the sets in which a transform and softmax differ and those
// in which the rule is off.
void add_batch(const SetEvaluation& evaluation, std::span<const std::int32_t> labels,
               double window_end, TableTally& tally) {
  const TransformEvaluation& plain = evaluation.transforms.front();
  for (std::size_t m = 0; m < evaluation.transforms.size(); ++m) {
    add_evaluation(evaluation, labels, static_cast<int>(m), tally.rows[m]);
    for (std::size_t set = 0; set < labels.size(); ++set) {
      const bool plain_right = plain.predicted[set] == labels[set];
      const bool right = evaluation.transforms[m].predicted[set] == labels[set];
      tally.won[m] += right && !plain_right;
      tally.lost[m] += plain_right && !right;
    }
  }
  for (const float entropy : plain.entropy)
    tally.past_window += static_cast<double>(entropy) > window_end;
  tally.sets += evaluation.sets;
}

}  // namespace

std::vector<AttentionTransform> table_transforms() {
  return {{.id = TransformId::kSoftmax, .theta = 1, .rule = {}},
          {.id = TransformId::kAdaptive, .theta = 1, .rule = {}},
          {.id = TransformId::kHard, .theta = 1, .rule = {}}};
}

std::int64_t default_table_sets(int heads) {
  const auto half_width = [&](std::int64_t sets) {
    return kNormalQuantile * 0.5 / std::sqrt(static_cast<double>(sets) * std::max(1, heads));
  };
  std::int64_t sets = kFewestSets;
  while (half_width(sets) > kHalfWidth)
    sets *= 2;
  return sets;
}

TableRun start_table(std::span<const TableHead> heads, TableSettings settings) {
  validate(heads, settings);
  TableRun run;
  run.settings = std::move(settings);
  run.window_end = end_of_window(run.settings.transforms);
  for (const TableHead& head : heads) {
    run.seeds.push_back(head.seed);
    run.seeds_known = run.seeds_known && head.seed_known;
  }
  const std::size_t transforms = run.settings.transforms.size();
  for (const int size : run.settings.sizes) {
    TableTally empty;
    empty.won.resize(transforms);
    empty.lost.resize(transforms);
    for (const AttentionTransform& transform : run.settings.transforms)
      empty.rows.push_back({.items = size, .transform = transform});
    run.tallies.insert(run.tallies.end(), heads.size(), empty);
  }
  return run;
}

bool advance_table(TableRun& run, std::span<const TableHead> heads, Backend& backend) {
  if (heads.size() != run.seeds.size()) {
    throw std::invalid_argument("a table goes on with the heads it was started with");
  }
  const auto next = std::ranges::find_if(
      run.tallies, [&](const TableTally& tally) { return tally.sets < run.settings.sets; });
  if (next == run.tallies.end()) return false;
  const auto cell = static_cast<std::size_t>(next - run.tallies.begin());
  const std::size_t head = cell % heads.size();
  const int items = run.settings.sizes[cell / heads.size()];
  std::vector<std::int32_t> labels;
  const SetEvaluation evaluation = evaluate_next(
      backend, heads[head].parameters,
      {.seed = run.seeds[head], .items = items, .done = next->sets, .sets = run.settings.sets},
      run.settings.transforms, run.settings.evaluation, run.slice, labels);
  add_batch(evaluation, labels, run.window_end, *next);
  return evaluation.sets > 0;
}

double share_done(const TableRun& run) {
  double done = 0;
  double all = 0;
  for (std::size_t cell = 0; cell < run.tallies.size(); ++cell) {
    const double items = run.settings.sizes[cell / run.seeds.size()];
    done += items * static_cast<double>(run.tallies[cell].sets);
    all += items * static_cast<double>(run.settings.sets);
  }
  return all > 0 ? done / all : 1;
}

}  // namespace dispersion
