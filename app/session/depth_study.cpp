#include <string>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/experiment/size_table.h"
#include "core/figure/depth_figure.h"

namespace dispersion {
namespace {

constexpr int kLargest = 131'072;
constexpr int kLargestCausal = 1024;  // causal attention costs n^2

StudyResult run_depth(const DepthStudy& study, StudyProgress& progress) {
  bool whole = true;
  const DepthStack stack =
      random_stack(study.shape, study.seed, [&](double) { return whole = progress.keep_going(0); });
  if (!whole) return {};
  DepthRun run = {study.pattern, study.options, {}, {}};
  const std::vector<int> sizes =
      doubling_sizes(16, study.options.causal ? kLargestCausal : kLargest);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto layers =
        run_stack(stack, depth_tokens(study.pattern, sizes[i], study.shape.vocabulary, study.seed),
                  study.options, [&](double share) {
                    return progress.keep_going((static_cast<double>(i) + share) /
                                               static_cast<double>(sizes.size()));
                  });
    if (layers.size() < stack.layers.size()) break;
    run.layers.push_back(layers);
    run.items.push_back(sizes[i]);
  }
  StudyResult result;
  result.figure = depth_figure(run);
  result.figure.provenance = {{"stack", std::to_string(study.shape.layers) + " layers, width " +
                                            std::to_string(study.shape.width) + ", vocabulary " +
                                            std::to_string(study.shape.vocabulary) + ", seed " +
                                            std::to_string(study.seed)}};
  return result;
}

}  // namespace

StudyPlan plan_depth(const AppState& app) {
  StudyPlan plan;
  const DepthStudy study = app.study_settings.depth;
  plan.key = study_key(
      "depth", {1.0 * study.shape.layers, 1.0 * study.shape.width, 1.0 * study.shape.vocabulary,
                1.0 * study.seed, study.options.causal ? 1.0 : 0.0,
                study.options.residual ? 1.0 : 0.0, static_cast<double>(study.pattern)});
  plan.job = [study](StudyTools&, StudyProgress& progress) { return run_depth(study, progress); };
  return plan;
}

}  // namespace dispersion
