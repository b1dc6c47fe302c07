#include <memory>
#include <string>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/attention/transforms.h"
#include "core/experiment/table_summary.h"
#include "core/figure/table_figure.h"

namespace dispersion {
namespace {

// Whether that table is the one asked for.
bool is_stored(const StudyMaterial& material, const TableStudy& study) {
  return material.table && material.table->settings.sets == study.sets &&
         material.table->settings.transforms == study.transforms;
}

Provenance provenance(const TableRun& run, const std::string& stored) {
  std::string seeds;
  for (const std::uint32_t seed : run.seeds)
    seeds.append(" ").append(std::to_string(seed));
  Provenance all = {{"heads", "shipped, seeds" + seeds},
                    {"sets", std::to_string(run.settings.sets) + " of every size for every head"}};
  if (!stored.empty()) all.emplace_back("stored", stored);
  return all;
}

Figure figure_of(const TableRun& run, const std::string& stored = "") {
  Figure figure = table_figure(summarise_table(run));
  figure.provenance = provenance(run, stored);
  return figure;
}

StudyResult make_table(const StudyMaterial& material, const std::string& settings,
                       const TableStudy& study, StudyShelf& shelf, Backend& backend,
                       StudyProgress& progress) {
  // What one backend has counted, another does not go on with.
  const std::string key = settings + " " + backend.description();
  if (is_stored(material, study))
    return {figure_of(*material.table, material.table_source), {}, {}};
  if (shelf.table_key != key || !shelf.table) {
    shelf.table = start_table(material.heads, {.sets = study.sets, .transforms = study.transforms});
    shelf.table_key = key;
  }
  TableRun& run = *shelf.table;
  std::size_t shown = 0;
  while (advance_table(run, material.heads, backend)) {
    // A new picture for every cell that is finished, not for every batch.
    std::size_t finished = 0;
    for (const TableTally& tally : run.tallies)
      finished += tally.sets >= run.settings.sets;
    if (finished != shown || (shown == 0 && finished == 0)) progress.show(figure_of(run));
    shown = finished;
    if (!progress.keep_going(share_done(run))) break;
  }
  return {figure_of(run), {}, {}};
}

}  // namespace

// Goes on where it was stopped, as long as the settings are the same.
StudyPlan plan_table(const AppState& app) {
  StudyPlan plan;
  const TableStudy study = app.study_settings.table;
  plan.key = study_key("table", {1.0 * study.sets});
  for (const AttentionTransform& transform : study.transforms)
    plan.key += " " + transform_text(transform);
  const auto material = app.material;
  if (!material || !app.shelf) return plan;
  plan.job = [material, shelf = app.shelf, study, key = plan.key](StudyTools& tools,
                                                                  StudyProgress& progress) {
    return make_table(*material, key, study, *shelf, tools.backend(), progress);
  };
  return plan;
}

}  // namespace dispersion
