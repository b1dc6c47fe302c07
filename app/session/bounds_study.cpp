#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/experiment/bounds.h"
#include "core/experiment/size_table.h"
#include "core/figure/bounds_figure.h"

namespace dispersion {
namespace {

constexpr std::uint32_t kSetSeed = 1;
constexpr int kSlopeItems = 1024;

// The corollary's parts beside those of the lemma, with both sentences.
void append(Figure& figure, Figure more) {
  for (LinePlot& plot : more.plots)
    figure.plots.push_back(std::move(plot));
  for (Table& table : more.tables)
    figure.tables.push_back(std::move(table));
  if (!figure.sentence.empty() && !more.sentence.empty()) figure.sentence += " ";
  figure.sentence += more.sentence;
}

StudyResult measure(const TrainingState& state, const BoundsStudy& study, double theta,
                    const Provenance& provenance, Backend& backend, StudyProgress& progress) {
  std::vector<BoundsRow> rows;
  std::vector<EntropySlope> slopes;
  const std::vector<int> sizes = doubling_sizes();
  double items_done = 0;
  const double items = 2.0 * sizes.back();
  for (const int size : sizes) {
    bool whole = progress.keep_going(items_done / items);
    if (!whole) return {};
    const SizeLogits logits =
        size_logits(backend, state.parameters, kSetSeed, size, study.sets, [&](double share) {
          return whole = progress.keep_going(std::min((items_done + share * size) / items, 1.0));
        });
    if (!whole) return {};
    items_done += size;
    const auto keep_going = [&](double) {
      return whole = progress.keep_going(std::min(items_done / items, 1.0));
    };
    const std::optional<BoundsRow> row = bounds_row(logits, theta, keep_going);
    if (!row) return {};
    rows.push_back(*row);
    if (size == kSlopeItems) slopes = entropy_slopes(logits, keep_going);
    if (!whole) return {};
  }
  StudyResult result;
  result.figure = bounds_figure(rows, theta);
  result.figure.plots.push_back(slope_plot(slopes, kSlopeItems, study.sets));
  append(result.figure, corollary_figure(study_corollary(state.parameters, study.pair)));
  result.figure.provenance = provenance;
  return result;
}

}  // namespace

StudyPlan plan_bounds(const AppState& app) {
  StudyPlan plan;
  BoundsStudy study = app.study_settings.bounds;
  study.pair.theta = app.view.theta;
  plan.key = study_key(
      "bounds", {1.0 * study.sets, study.pair.theta, study.pair.priority_a, study.pair.priority_b,
                 1.0 * study.pair.class_a, 1.0 * study.pair.class_b});
  plan.head = app.head.version;
  const auto state = app.head.state;
  if (!state) return plan;
  plan.job = [state, study, provenance = open_head_provenance(app)](StudyTools& tools,
                                                                    StudyProgress& progress) {
    return measure(*state, study, study.pair.theta, provenance, tools.backend(), progress);
  };
  return plan;
}

}  // namespace dispersion
