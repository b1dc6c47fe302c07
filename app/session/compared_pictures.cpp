#include "app/session/compared_pictures.h"

#include <utility>

#include "app/session/comparison.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

std::vector<TransformId> ids_of(const ViewSettings& view) {
  std::vector<TransformId> ids;
  for (const AttentionTransform& transform : shown_transforms(view))
    ids.push_back(transform.id);
  return ids;
}

}  // namespace

Figure pinned_alone(Figure a) {
  a.sentence = "A alone, B is not computed for the present settings yet. " + a.sentence;
  return a;
}

void ComparedPictures::update(const AppState& app) {
  const Comparison& comparison = *app.comparison;
  Made now = {.a = comparison.a.snapshot,
              .b = app.snapshot,
              .shown = ids_of(comparison.a.view),
              .transform = comparison.shown,
              .scale = app.view.colour_scale,
              .difference = comparison.difference};
  const std::vector<TransformId> of_b = ids_of(app.view);
  now.shown.insert(now.shown.end(), of_b.begin(), of_b.end());
  if (now == made_) return;
  made_ = std::move(now);
  changed_ = true;
  maps_ = compared_grids(frames_under(comparison.a, comparison.shown),
                         frames_under(app, comparison.shown), app.view.colour_scale,
                         comparison.difference);
  const std::vector<SizeRow> a = shown_rows(comparison.a);
  const std::vector<SizeRow> b = shown_rows(app);
  accuracy_ = compared_plot(accuracy_plot(a), accuracy_plot(b));
  entropy_ = compared_plot(entropy_plot(a), entropy_plot(b));
}

bool ComparedPictures::take_change() {
  return std::exchange(changed_, false);
}

std::shared_ptr<const Figure> ComparedPictures::experiment(const AppState& app, View view) {
  const Comparison& comparison = *app.comparison;
  const auto& a = comparison.a.experiments.of(view).result;
  const auto& b = app.experiments.of(view).result;
  if (!a || !b || comparison.a.experiments.of(view).stale) return nullptr;
  const bool former = app.experiments.of(view).stale;
  Experiment& kept = experiments_[view];
  if (kept.a == a && kept.b == b && kept.difference == comparison.difference &&
      kept.former == former)
    return kept.figure;
  Figure figure = former ? pinned_alone(a->figure)
                         : compared_figure(a->figure, b->figure, comparison.difference);
  kept = {a, b, comparison.difference, former, std::make_shared<const Figure>(std::move(figure))};
  return kept.figure;
}

}  // namespace dispersion
