#include "app/session/figure_snapshots.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/export/provenance.h"
#include "app/session/app_state.h"
#include "app/session/compared_snapshots.h"
#include "app/session/run_status.h"
#include "core/figure/counted.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/figure/trained_steps.h"
#include "core/io/checkpoint.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

std::string step_digits(const ShownState& state, std::int64_t step) {
  return std::to_string(counted_step(state.status, step));
}

// "100000", or "900 to 1000"; empty: none.
std::string steps_text(const ShownState& state, const std::vector<std::int64_t>& steps) {
  if (steps.empty()) return "";
  const auto [low, high] = std::ranges::minmax(steps);
  return step_digits(state, low) + (low == high ? "" : " to " + step_digits(state, high));
}

// While a head is trained, small sizes show a newer step of it than large ones.
Statement mixed_steps_text(const ShownState& state, const std::vector<std::int64_t>& steps) {
  if (steps.empty() || !state.status.has_run) return "";
  const auto [low, high] = std::ranges::minmax(steps);
  if (low == high) return "";
  return " The frames are of the steps " +
         count_of("first step of the frames", counted_step(state.status, low)) + " to " +
         count_of("last step of the frames", counted_step(state.status, high)) + ".";
}

// The run hash of the open head at a step, as step_digits() gives it; empty when it is not known.
std::string hash_at(const ShownState& state, const std::string& step) {
  if (state.head.state && step_digits(state, state.head.state->step) == step)
    return run_hash(state.status.recipe, *state.head.state);
  return step_digits(state, state.status.hash_step) == step ? state.status.run_hash : "";
}

Provenance head_provenance(const ShownState& state, const std::string& step) {
  Provenance head = {{"head", state.status.head_source}};
  if (state.status.has_run) {
    head.emplace_back("recipe", recipe_to_json(state.status.recipe));
    add_trained_steps(head, state.status.seed, step, state.status.steps_before);
  } else {
    head.emplace_back("run", kWeightsOnly);
  }
  const std::string hash = hash_at(state, step);
  if (!hash.empty()) head.emplace_back("run_hash", hash);
  return head;
}

void add_transforms(const ShownState& state, Provenance& all) {
  all.emplace_back("temperature", exact_text(state.view.theta));
  std::string names;
  for (const AttentionTransform& transform : shown_transforms(state.view))
    names.append(names.empty() ? "" : " ").append(transform_text(transform));
  // Softmax alone and with adaptive temperature are what the paper has.
  if (names != "softmax" && names != "softmax adaptive") all.emplace_back("transforms", names);
  if (!shows_rule(state.view) || state.view.rule == AdaptiveRule()) return;
  std::string text = "coefficients of H^4 to H^0";
  for (const double coefficient : state.view.rule.coefficients)
    text.append(" ").append(exact_text(coefficient));
  text += ", above H = " + exact_text(state.view.rule.gate);
  if (state.view.rule.guarded) text += ", held beyond H = " + exact_text(state.view.rule.peak);
  all.emplace_back("adaptive rule", text);
}

// The figure with the user's zoom and its provenance: the build, `more`, what the figure has
// itself, the backend and the date.
std::shared_ptr<const Figure> finished(const ShownState& state, Figure figure,
                                       const Provenance& more, const std::string& backend) {
  const auto zoom = state.zooms.find(figure.name);
  if (zoom != state.zooms.end()) figure = zoomed(std::move(figure), zoom->second);
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
std::shared_ptr<const std::vector<Figure>> doubling(const ShownState& state,
                                                    const Provenance& provenance) {
  const std::vector<TransformFrames> shown = shown_frames(*state.snapshot, state.view);
  const auto empty = [](const AttentionFrame& frame) { return frame.items == 0; };
  for (const TransformFrames& each : shown) {
    if (each.frames.size() < 2 || std::ranges::any_of(each.frames, empty)) return nullptr;
  }
  if (shown.empty()) return nullptr;
  std::vector<Figure> figures = dispersion_animation(shown, state.view.colour_scale);
  for (Figure& figure : figures)
    figure.provenance = provenance;
  return std::make_shared<const std::vector<Figure>>(std::move(figures));
}

FigureSnapshot attention(const ShownState& state) {
  const ViewSnapshot& shown = *state.snapshot;
  const std::vector<TransformFrames> transforms = shown_frames(shown, state.view);
  Figure figure = dispersion_figure(transforms, state.view.colour_scale);
  const std::vector<AttentionFrame>& plain = transforms.front().frames;
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < plain.size() && i < shown.frame_step.size(); ++i) {
    if (plain[i].items > 0) steps.push_back(shown.frame_step[i]);
  }
  figure.sentence += mixed_steps_text(state, steps);
  Provenance more = head_provenance(state, steps_text(state, steps));
  add_transforms(state, more);
  more.emplace_back("sets", std::to_string(kFrameSets) + " of every size, seed 1");
  const auto seen = finished(state, std::move(figure), more, state.status.backend);
  return {kMapsName, seen, false, {}, doubling(state, seen->provenance)};
}

// Accuracy and entropy against n. Points of an older step, run or setting, which the window draws
// hollow, are left out with a sentence that says so, unless all points are old.
FigureSnapshot curves(const ShownState& state) {
  const ViewSnapshot& shown = *state.snapshot;
  std::vector<bool> current(shown.sizes.size());
  for (std::size_t i = 0; i < current.size(); ++i)
    current[i] = row_current(shown, state.status, i);
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
      if (row.items == shown.sizes[i] && is_shown(state.view, row.transform.id))
        rows.push_back(row);
    }
  }
  // Old points must not be labelled with the present transforms.
  std::vector<AttentionTransform> transforms;
  if (some) transforms = shown_transforms(state.view);
  Figure figure = size_figure(rows, transforms);
  if (!left_out.empty()) figure.sentence = "Not counted yet at this step: n = " + left_out + ".";
  Provenance more = head_provenance(state, steps_text(state, steps));
  add_transforms(state, more);
  return {kSizesName, finished(state, std::move(figure), more, state.status.backend), false, {}};
}

FigureSnapshot run(const ShownState& state) {
  Figure figure = run_figure(run_curves(state), state.status.seed);
  const std::int64_t step = state.history.empty() ? state.status.step : state.history.back().step;
  const Provenance more = head_provenance(state, step_digits(state, step));
  return {kTrainingName, finished(state, std::move(figure), more, state.status.backend), false, {}};
}

// Whether a figure's head is that of the open run, at any step. Another run may have its seed.
bool is_of_open_run(const ShownState& state, const Provenance& provenance) {
  return state.status.has_run && provenance_value(provenance, "head") == state.status.head_source &&
         provenance_value(provenance, "recipe") == recipe_to_json(state.status.recipe) &&
         provenance_value(provenance, "seed") == std::to_string(state.status.seed);
}

SurfaceView seen_from(const ShownState& state, View view) {
  const auto zoom = state.zooms.find(std::string(view_figure(view)));
  return zoom == state.zooms.end() ? SurfaceView() : zoom->second.seen_from;
}

FigureSnapshot experiment_figure(const AppState& app, View view) {
  const ExperimentState& state = app.experiments.of(view);
  Figure figure = state.result->figure;
  Provenance more;
  // If the figure is of the run that is still open, it gets the full provenance of that head.
  const std::string step(provenance_value(figure.provenance, "step"));
  if (!step.empty() && is_of_open_run(app, figure.provenance)) more = head_provenance(app, step);
  add_missing(more, figure.provenance);
  if (state.busy() && !state.result_complete) {
    more.emplace_back("progress",
                      "not finished, " + fixed_text(100 * state.update.share, 0) + " % done");
  } else if (state.held) {
    more.emplace_back("progress", "stopped before its end");
  } else if (state.stale) {
    more.emplace_back("progress", "of the settings before the present ones");
  } else if (state.update.phase == ExperimentPhase::kFailed) {
    more.emplace_back("progress", "not finished: " + state.update.error);
  }
  return {.name = std::string(view_title(view)),
          .figure = finished(app, std::move(figure), more, ""),
          .surfaces = app.view.surfaces,
          .view = seen_from(app, view),
          .former_settings = state.stale};
}

}  // namespace

std::vector<FigureSnapshot> attention_figures(const ShownState& state) {
  std::vector<FigureSnapshot> all;
  if (state.snapshot) {
    if (!state.snapshot->transforms.empty()) all.push_back(attention(state));
    if (!state.snapshot->rows.empty()) all.push_back(curves(state));
  }
  if (!state.history.empty() || state.status.earlier) all.push_back(run(state));
  return all;
}

std::vector<FigureSnapshot> figure_snapshots(const AppState& app, View view) {
  return app.comparison ? compared_snapshots(app, view) : present_figures(app, view);
}

std::vector<FigureSnapshot> figure_snapshots(const AppState& app) {
  return figure_snapshots(app, app.view.view);
}

std::vector<FigureSnapshot> present_figures(const AppState& app, View view) {
  if (view == View::kAttention) return attention_figures(app);
  if (!app.experiments.of(view).result) return {};
  return {experiment_figure(app, view)};
}

}  // namespace dispersion
