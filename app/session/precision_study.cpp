#include <algorithm>
#include <string>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/studies.h"
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

// What was measured of this head before, just as it is asked for; null: nothing.
const StoredPrecision* find_stored(const StudyMaterial& material, const std::string& hash,
                                   const PrecisionSettings& settings) {
  const auto found = std::ranges::find_if(material.precisions, [&](const StoredPrecision& stored) {
    return stored.run_hash == hash && stored.settings == settings;
  });
  return found == material.precisions.end() ? nullptr : &*found;
}

StudyResult stored_result(const StoredPrecision& stored, Provenance provenance) {
  Figure figure = precision_figure(stored.rows);
  provenance.emplace_back("stored", stored_text(stored.commit, stored.backend));
  figure.provenance = std::move(provenance);
  return {figure, {}, {}};
}

}  // namespace

StudyPlan plan_precision(const AppState& app) {
  StudyPlan plan;
  PrecisionSettings settings;
  settings.sets = app.study_settings.precision.sets;
  plan.key = study_key("precision", {static_cast<double>(settings.sets)});
  plan.head = app.head.version;
  const auto state = app.head.state;
  if (!state) return plan;
  plan.job = [state, settings, recipe = app.status.recipe, material = app.material,
              provenance = open_head_provenance(app)](StudyTools& tools, StudyProgress& progress) {
    if (material && !material->precisions.empty()) {
      const std::string hash = run_hash(recipe, *state);
      const StoredPrecision* stored = find_stored(*material, hash, settings);
      if (stored != nullptr) return stored_result(*stored, provenance);
    }
    return compare(*state, settings, provenance, tools.backend(), progress);
  };
  return plan;
}

}  // namespace dispersion
