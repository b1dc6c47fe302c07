#include "app/session/figure_snapshots.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/export/provenance.h"
#include "app/session/app_state.h"
#include "app/session/run_status.h"
#include "core/figure/counted.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/io/checkpoint.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// "100000", or "900 to 1000"; empty: none.
std::string steps_text(const std::vector<std::int64_t>& steps) {
  if (steps.empty()) return "";
  const auto [low, high] = std::ranges::minmax(steps);
  return std::to_string(low) + (low == high ? "" : " to " + std::to_string(high));
}

// While a head is trained, small sizes show a newer step of it than large ones.
Statement mixed_steps_text(const AppState& app, const std::vector<std::int64_t>& steps) {
  if (steps.empty() || !app.status.has_run) return "";
  const auto [low, high] = std::ranges::minmax(steps);
  if (low == high) return "";
  return " The frames are of the steps " + count_of("first step of the frames", low) + " to " +
         count_of("last step of the frames", high) + ".";
}

// The run hash of the open head at a step; empty when it is not known.
std::string hash_at(const AppState& app, const std::string& step) {
  if (app.head.state && std::to_string(app.head.state->step) == step)
    return run_hash(app.status.recipe, *app.head.state);
  return std::to_string(app.status.hash_step) == step ? app.status.run_hash : "";
}

Provenance head_provenance(const AppState& app, const std::string& step) {
  Provenance head = {{"head", app.status.head_source}};
  if (app.status.has_run) {
    head.emplace_back("recipe", recipe_to_json(app.status.recipe));
    head.emplace_back("seed", std::to_string(app.status.seed));
    head.emplace_back("step", step);
  } else {
    head.emplace_back("run", kWeightsOnly);
  }
  const std::string hash = hash_at(app, step);
  if (!hash.empty()) head.emplace_back("run_hash", hash);
  return head;
}

void add_transforms(const AppState& app, Provenance& all) {
  all.emplace_back("temperature", exact_text(app.view.theta));
  std::string names;
  for (const AttentionTransform& transform : shown_transforms(app.view))
    names.append(names.empty() ? "" : " ").append(transform_text(transform));
  // Softmax alone and with adaptive temperature are what the paper has.
  if (names != "softmax" && names != "softmax adaptive") all.emplace_back("transforms", names);
  if (!shows_rule(app.view) || app.view.rule == AdaptiveRule()) return;
  std::string text = "coefficients of H^4 to H^0";
  for (const double coefficient : app.view.rule.coefficients)
    text.append(" ").append(exact_text(coefficient));
  text += ", above H = " + exact_text(app.view.rule.gate);
  if (app.view.rule.guarded) text += ", held beyond H = " + exact_text(app.view.rule.peak);
  all.emplace_back("adaptive rule", text);
}

// The figure with the user's zoom and its provenance: the build, `more`, what the figure has
// itself, the backend and the date.
std::shared_ptr<const Figure> finished(const AppState& app, Figure figure, const Provenance& more,
                                       const std::string& backend) {
  const auto zoom = app.zooms.find(figure.name);
  if (zoom != app.zooms.end()) figure = zoomed(std::move(figure), zoom->second);
  Provenance all = provenance_of_build();
  add_missing(all, more);
  add_missing(all, figure.provenance);
  if (!backend.empty()) add_missing(all, {{"backend", backend}});
  try {
    const std::string date = date_of_environment();
    if (!date.empty()) all.emplace_back("date", date);
  } catch (const std::invalid_argument&) {
    // A date in the environment that is not valid is left out.
  }
  figure.provenance = std::move(all);
  return std::make_shared<const Figure>(std::move(figure));
}

// The frames of the animation; null until every size is computed.
std::shared_ptr<const std::vector<Figure>> doubling(const AppState& app,
                                                    const Provenance& provenance) {
  const std::vector<TransformFrames> shown = shown_frames(*app.snapshot, app.view);
  const auto empty = [](const AttentionFrame& frame) { return frame.items == 0; };
  for (const TransformFrames& each : shown) {
    if (each.frames.size() < 2 || std::ranges::any_of(each.frames, empty)) return nullptr;
  }
  if (shown.empty()) return nullptr;
  std::vector<Figure> figures = dispersion_animation(shown, app.view.colour_scale);
  for (Figure& figure : figures)
    figure.provenance = provenance;
  return std::make_shared<const std::vector<Figure>>(std::move(figures));
}

FigureSnapshot attention(const AppState& app) {
  const ViewSnapshot& shown = *app.snapshot;
  const std::vector<TransformFrames> transforms = shown_frames(shown, app.view);
  Figure figure = dispersion_figure(transforms, app.view.colour_scale);
  const std::vector<AttentionFrame>& plain = transforms.front().frames;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < plain.size() && i < shown.frame_step.size(); ++i) {
    if (plain[i].items > 0) steps.push_back(shown.frame_step[i]);
  }
  figure.sentence += mixed_steps_text(app, steps);
  Provenance more = head_provenance(app, steps_text(steps));
  add_transforms(app, more);
  more.emplace_back("sets", std::to_string(kFrameSets) + " of every size, seed 1");
  const auto seen = finished(app, std::move(figure), more, app.status.backend);
  return {"attention", seen, false, {}, doubling(app, seen->provenance)};
}

// Accuracy and entropy against n. Points of an older step, run or setting, which the window draws
// hollow, are left out with a sentence that says so, unless all points are old.
FigureSnapshot curves(const AppState& app) {
  const ViewSnapshot& shown = *app.snapshot;
  std::vector<bool> current(shown.sizes.size());
  for (std::size_t i = 0; i < current.size(); ++i)
    current[i] = row_current(shown, app.status, i);
  const bool some = std::ranges::find(current, true) != current.end();
  std::vector<SizeRow> rows;
  std::vector<std::int64_t> steps;
  Statement left_out;
  for (std::size_t i = 0; i < current.size(); ++i) {
    if (some && !current[i]) {
      if (!left_out.empty()) left_out += ", ";
      left_out += count_of("size not counted yet", shown.sizes[i]);
      continue;
    }
    if (i < shown.row_step.size() && shown.row_step[i] >= 0) steps.push_back(shown.row_step[i]);
    for (const SizeRow& row : shown.rows) {
      if (row.items == shown.sizes[i] && is_shown(app.view, row.transform.id)) rows.push_back(row);
    }
  }
  // Old points must not be labelled with the present transforms.
  std::vector<AttentionTransform> transforms;
  if (some) transforms = shown_transforms(app.view);
  Figure figure = size_figure(rows, transforms);
  if (!left_out.empty()) figure.sentence = "Not counted yet at this step: n = " + left_out + ".";
  Provenance more = head_provenance(app, steps_text(steps));
  add_transforms(app, more);
  return {"accuracy and entropy",
          finished(app, std::move(figure), more, app.status.backend),
          false,
          {}};
}

FigureSnapshot run(const AppState& app) {
  Figure figure = run_figure(run_curves(app), app.status.seed);
  const std::int64_t step = app.history.empty() ? app.status.step : app.history.back().step;
  const Provenance more = head_provenance(app, std::to_string(step));
  return {"training", finished(app, std::move(figure), more, app.status.backend), false, {}};
}

// Whether a figure's head is that of the open run, at any step. Another run may have its seed.
bool is_of_open_run(const AppState& app, const Provenance& provenance) {
  return app.status.has_run && provenance_value(provenance, "head") == app.status.head_source &&
         provenance_value(provenance, "recipe") == recipe_to_json(app.status.recipe) &&
         provenance_value(provenance, "seed") == std::to_string(app.status.seed);
}

FigureSnapshot experiment_figure(const AppState& app, const ExperimentState& state,
                                 const SurfaceView& view) {
  Figure figure = state.result->figure;
  Provenance more;
  // If the figure is of the run that is still open, it gets the full provenance of that head.
  const std::string step(provenance_value(figure.provenance, "step"));
  if (!step.empty() && is_of_open_run(app, figure.provenance)) more = head_provenance(app, step);
  add_missing(more, figure.provenance);
  if (state.busy()) {
    more.emplace_back("state",
                      "not finished, " + fixed_text(100 * state.update.share, 0) + " % done");
  } else if (state.held) {
    more.emplace_back("state", "stopped before its end");
  } else if (state.stale) {
    more.emplace_back("state", "of the settings before the present ones");
  }
  return {std::string(view_title(app.view.view)), finished(app, std::move(figure), more, ""),
          app.view.surfaces, view};
}

}  // namespace

std::vector<FigureSnapshot> figure_snapshots(const AppState& app, const SurfaceView& view) {
  std::vector<FigureSnapshot> all;
  if (app.view.view != View::kAttention) {
    const ExperimentState& state = app.experiments.of(app.view.view);
    if (state.result) all.push_back(experiment_figure(app, state, view));
    return all;
  }
  if (app.snapshot) {
    if (!app.snapshot->transforms.empty()) all.push_back(attention(app));
    if (!app.snapshot->rows.empty()) all.push_back(curves(app));
  }
  if (!app.history.empty() || app.status.earlier) all.push_back(run(app));
  return all;
}

}  // namespace dispersion
