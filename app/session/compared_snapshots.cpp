#include "app/session/compared_snapshots.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "app/export/provenance.h"
#include "app/session/comparison.h"
#include "app/session/state_snapshot.h"
#include "app/session/state_string.h"
#include "core/figure/compared_sizes.h"
#include "core/figure/difference.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

Provenance of_both(const AppState& app, const Provenance& a, const Provenance& b) {
  Provenance all = b;
  for (const auto& [name, value] : a) {
    if (provenance_value(b, name) != value) all.emplace_back("A " + name, value);
  }
  all.emplace_back("A state", state_string(app.comparison->a));
  return all;
}

// "A: seed 1, step 100 000. B: temperature θ 1 → 0.5."
Statement states_text(const AppState& app) {
  return Statement::naming("A: " + state_text(app.comparison->a) + ". B: " + present_text(app) +
                           ".");
}

// The figure that both make together. Where A has none, that of B stands alone and says so.
FigureSnapshot together(const AppState& app, const FigureSnapshot* a, const FigureSnapshot& b) {
  Figure figure;
  if (a != nullptr && b.former_settings) {
    figure = pinned_alone(*a->figure);
    figure.sentence = states_text(app) + " " + figure.sentence;
    figure.provenance = of_both(app, a->figure->provenance, b.figure->provenance);
  } else if (a == nullptr) {
    figure = *b.figure;
    figure.sentence = Statement("B alone, A is not computed. ") + figure.sentence;
    figure.provenance = of_both(app, {}, b.figure->provenance);
  } else {
    figure = compared_figure(*a->figure, *b.figure, app.comparison->difference);
    figure.sentence = states_text(app) + " " + figure.sentence;
    figure.provenance = of_both(app, a->figure->provenance, b.figure->provenance);
  }
  figure.name += "-comparison";
  return {b.name, std::make_shared<const Figure>(std::move(figure)), b.surfaces, b.view};
}

std::vector<FigureSnapshot> all_together(const AppState& app, const std::vector<FigureSnapshot>& a,
                                         const std::vector<FigureSnapshot>& b) {
  std::vector<FigureSnapshot> all;
  for (const FigureSnapshot& of_b : b) {
    const auto of_a = std::ranges::find(a, of_b.name, &FigureSnapshot::name);
    all.push_back(together(app, of_a == a.end() ? nullptr : &*of_a, of_b));
  }
  return all;
}

// A, looked at as B is.
ShownState pinned(const AppState& app) {
  ShownState a = app.comparison->a;
  a.view.colour_scale = app.view.colour_scale;
  a.zooms = app.zooms;
  return a;
}

template <class Change>
void change(std::vector<FigureSnapshot>& all, const char* name, const Change& change) {
  const auto shown = std::ranges::find(all, std::string_view(name), &FigureSnapshot::name);
  if (shown == all.end()) return;
  Figure figure = *shown->figure;
  change(figure);
  shown->figure = std::make_shared<const Figure>(std::move(figure));
}

// The heat maps of the transform that the window shows.
void put_maps(Figure& figure, const AppState& app, const ShownState& a, const ShownState& b) {
  ComparedGrids grids =
      compared_grids(frames_under(a, app.comparison->shown), frames_under(b, app.comparison->shown),
                     app.view.colour_scale, app.comparison->difference);
  figure.title = "Attention of two states";
  figure.sentence = states_text(app);
  figure.grids = {std::move(grids.maps)};
  if (!grids.differences.strips.empty()) figure.grids.push_back(std::move(grids.differences));
}

// The difference at every n, on the sets that both have classified.
void add_size_difference(Figure& figure, const AppState& app, const ShownState& a,
                         const ShownState& b) {
  const ComparedPairs* counted = present_pairs(app);
  std::span<const SizePair> pairs;  // of the head of B
  if (counted != nullptr && counted->version == b.head.version) pairs = counted->pairs;
  const std::vector<SizeRow> rows_a = shown_rows(a);
  const std::vector<SizeRow> rows_b = shown_rows(b);
  const std::vector<ComparedRows> rows = compared_rows(rows_a, rows_b, pairs);
  LinePlot difference = accuracy_difference_plot(rows);
  if (app.comparison->difference && !difference.series.empty())
    figure.plots.push_back(std::move(difference));
  if (!rows.empty()) figure.tables.push_back(size_comparison_table(rows));
}

bool experiment_goes_on(const ExperimentState& state) {
  return !state.held && state.update.phase != ExperimentPhase::kFailed &&
         (!state.result || state.busy());
}

}  // namespace

std::vector<FigureSnapshot> compared_attention(const AppState& app, const ShownState& b) {
  const ShownState a = pinned(app);
  std::vector<FigureSnapshot> all = all_together(app, attention_figures(a), attention_figures(b));
  if (!a.snapshot || !b.snapshot) return all;
  change(all, kMapsName, [&](Figure& figure) { put_maps(figure, app, a, b); });
  change(all, kSizesName, [&](Figure& figure) { add_size_difference(figure, app, a, b); });
  return all;
}

std::vector<FigureSnapshot> compared_snapshots(const AppState& app, View view) {
  if (view == View::kAttention) return compared_attention(app, app);
  AppState a = app.comparison->a;
  a.zooms = app.zooms;
  std::vector<FigureSnapshot> of_a;
  if (!a.experiments.of(view).stale) of_a = present_figures(a, view);
  return all_together(app, of_a, present_figures(app, view));
}

bool pinned_unfinished(const AppState& app, View view) {
  if (!app.comparison) return false;
  const AppState& a = app.comparison->a;
  if (view != View::kAttention) return experiment_goes_on(a.experiments.of(view));
  if (!a.snapshot || !is_final(*a.snapshot, a.head)) return true;
  return app.status.phase != RunPhase::kTraining && present_pairs(app) == nullptr;
}

}  // namespace dispersion
