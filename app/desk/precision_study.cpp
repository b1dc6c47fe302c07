#include <string>

#include "app/desk/desk.h"
#include "app/desk/studies.h"
#include "core/experiment/precision_comparison.h"
#include "core/figure/precision_figure.h"

namespace dispersion {
namespace {

StudyResult compare(const TrainingState& state, const PrecisionSettings& settings,
                    const Provenance& provenance, Backend& backend, StudyProgress& progress) {
  const auto figure_of = [&](std::span<const PrecisionRow> rows) {
    Figure figure = precision_figure(rows);
    figure.provenance = provenance;
    return figure;
  };
  std::size_t shown = 0;
  const std::vector<PrecisionRow> rows = compare_precisions(
      backend, state.parameters, settings, [&](double share, std::span<const PrecisionRow> done) {
        // A new picture for every size that is finished in all precisions.
        if (done.size() >= shown + settings.precisions.size()) {
          progress.show(figure_of(done));
          shown = done.size();
        }
        return progress.keep_going(share);
      });
  return {figure_of(rows), {}, {}};
}

}  // namespace

StudyPlan plan_precision(const Desk& desk) {
  StudyPlan plan;
  PrecisionSettings settings;
  settings.sets = desk.study_settings.precision.sets;
  plan.key = study_key("precision", {static_cast<double>(settings.sets)});
  plan.head = desk.head.version;
  const auto state = desk.head.state;
  if (!state) return plan;
  plan.job = [state, settings, provenance = open_head_provenance(desk)](StudyTools& tools,
                                                                        StudyProgress& progress) {
    return compare(*state, settings, provenance, tools.backend(), progress);
  };
  return plan;
}

}  // namespace dispersion
