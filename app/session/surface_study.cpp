#include <cmath>
#include <string>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/experiment/size_table.h"
#include "core/figure/surface_figure.h"

namespace dispersion {
namespace {

constexpr int kThetas = 49;
constexpr std::uint32_t kSetSeed = 1;

// By equal factors between the limits.
std::vector<double> thetas(const SurfaceStudy& study) {
  std::vector<double> values;
  for (int i = 0; i < kThetas; ++i) {
    const double share = static_cast<double>(i) / (kThetas - 1);
    values.push_back(study.head_lowest_theta *
                     std::pow(study.head_highest_theta / study.head_lowest_theta, share));
  }
  return values;
}

StudyPlan plan_series(const SurfaceStudy& study) {
  StudyPlan plan;
  const RegionLimits limits = study.limits;
  const PowerSeries series = {study.first_exponent, study.terms};
  plan.key =
      study_key("series", {1.0 * series.first_exponent, 1.0 * series.terms, limits.lowest_lambda,
                           limits.highest_lambda, limits.lowest_theta, limits.highest_theta});
  plan.job = [limits, series](StudyTools&, StudyProgress& progress) {
    bool whole = true;
    const std::vector<PowerSeriesSurface> regions = power_series_regions(
        limits, series, [&](double share) { return whole = progress.keep_going(share); });
    StudyResult result;
    if (whole) result.figure = power_series_figure(regions, series);
    return result;
  };
  return plan;
}

StudyPlan plan_head_surface(const AppState& app, const SurfaceStudy& study) {
  StudyPlan plan;
  plan.key = study_key("head surface",
                       {1.0 * study.sets, study.head_lowest_theta, study.head_highest_theta});
  plan.head = app.head.version;
  const auto state = app.head.state;
  if (!state) return plan;
  plan.job = [state, study, provenance = open_head_provenance(app)](StudyTools& tools,
                                                                    StudyProgress& progress) {
    StudyResult result;
    const HeadSurface surface = head_entropy_surface(
        tools.backend(), state->parameters, kSetSeed, doubling_sizes(), thetas(study), study.sets,
        [&](double share, const HeadSurface&) { return progress.keep_going(share); });
    result.figure = head_surface_figure(surface);
    result.figure.provenance = provenance;
    return result;
  };
  return plan;
}

}  // namespace

StudyPlan plan_surfaces(const AppState& app) {
  const SurfaceStudy& study = app.study_settings.surface;
  return study.of_head ? plan_head_surface(app, study) : plan_series(study);
}

}  // namespace dispersion
