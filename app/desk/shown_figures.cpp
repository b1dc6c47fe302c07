#include "app/desk/shown_figures.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/desk/desk.h"
#include "app/desk/freshness.h"
#include "app/export/origin.h"
#include "app/export/stored_provenance.h"
#include "core/figure/dispersion_animation.h"
#include "core/figure/dispersion_figure.h"
#include "core/figure/number_text.h"
#include "core/figure/run_figure.h"
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

// The run hash of the open head at a step, where it is known.
std::string hash_at(const Desk& desk, const std::string& step) {
  if (desk.head.state && std::to_string(desk.head.state->step) == step)
    return run_hash(desk.status.recipe, *desk.head.state);
  return std::to_string(desk.status.hash_step) == step ? desk.status.run_hash : "";
}

Provenance head_provenance(const Desk& desk, const std::string& step) {
  Provenance head = {{"head", desk.status.origin},
                     {"recipe", recipe_to_json(desk.status.recipe)},
                     {"seed", std::to_string(desk.status.seed)},
                     {"step", step}};
  const std::string hash = hash_at(desk, step);
  if (!hash.empty()) head.emplace_back("run_hash", hash);
  return head;
}

void add_maps(const Desk& desk, Provenance& all) {
  all.emplace_back("temperature", exact_text(desk.view.theta));
  if (!desk.view.adaptive || desk.view.rule == AdaptiveRule()) return;
  std::string text = "coefficients of H^4 to H^0";
  for (const double coefficient : desk.view.rule.coefficients)
    text.append(" ").append(exact_text(coefficient));
  text += ", above H = " + exact_text(desk.view.rule.gate);
  if (desk.view.rule.guarded) text += ", held beyond H = " + exact_text(desk.view.rule.peak);
  all.emplace_back("adaptive rule", text);
}

// Build, then what is given, then what computed it and the date.
std::shared_ptr<const Figure> finished(Figure figure, const Provenance& more,
                                       const std::string& backend) {
  Provenance all = build_origin();
  add_missing(all, more);
  add_missing(all, figure.provenance);
  if (!backend.empty()) add_missing(all, {{"backend", backend}});
  try {
    const std::string date = date_of_environment();
    if (!date.empty()) all.emplace_back("date", date);
  } catch (const std::invalid_argument&) {
    // A date that is none is not told.
  }
  figure.provenance = std::move(all);
  return std::make_shared<const Figure>(std::move(figure));
}

// Once every size has its picture.
std::shared_ptr<const std::vector<Figure>> doubling(const Desk& desk,
                                                    const Provenance& provenance) {
  const ViewSnapshot& shown = *desk.shown;
  const auto empty = [](const AttentionFrame& frame) { return frame.items == 0; };
  if (shown.plain.size() < 2 || std::ranges::any_of(shown.plain, empty)) return nullptr;
  if (desk.view.adaptive &&
      (shown.adaptive.size() != shown.plain.size() || std::ranges::any_of(shown.adaptive, empty)))
    return nullptr;
  const std::vector<AttentionFrame> none;
  std::vector<Figure> figures = dispersion_animation(
      shown.plain, desk.view.adaptive ? shown.adaptive : none, desk.view.colour_scale);
  for (Figure& figure : figures)
    figure.provenance = provenance;
  return std::make_shared<const std::vector<Figure>>(std::move(figures));
}

ShownFigure attention(const Desk& desk) {
  const ViewSnapshot& shown = *desk.shown;
  const std::vector<AttentionFrame> none;
  Figure figure = dispersion_figure(shown.plain, desk.view.adaptive ? shown.adaptive : none,
                                    desk.view.colour_scale);
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < shown.plain.size() && i < shown.frame_step.size(); ++i) {
    if (shown.plain[i].items > 0) steps.push_back(shown.frame_step[i]);
  }
  Provenance more = head_provenance(desk, steps_text(steps));
  add_maps(desk, more);
  more.emplace_back("sets", std::to_string(kFrameSets) + " of every size, seed 1");
  const auto seen = finished(std::move(figure), more, desk.status.backend);
  return {"attention", seen, false, {}, doubling(desk, seen->provenance)};
}

// Points of another step, run or setting are hollow in the window and stand beside the line; a file
// leaves them out and says so, unless there are no others.
ShownFigure curves(const Desk& desk) {
  const ViewSnapshot& shown = *desk.shown;
  std::vector<bool> current(shown.sizes.size());
  for (std::size_t i = 0; i < current.size(); ++i)
    current[i] = row_current(shown, desk.status, i);
  const bool some = std::ranges::find(current, true) != current.end();
  std::vector<SizeRow> rows;
  std::vector<std::int64_t> steps;
  std::string left_out;
  for (std::size_t i = 0; i < current.size(); ++i) {
    if (some && !current[i]) {
      left_out.append(left_out.empty() ? "" : ", ").append(grouped_text(shown.sizes[i]));
      continue;
    }
    if (i < shown.row_step.size() && shown.row_step[i] >= 0) steps.push_back(shown.row_step[i]);
    for (const SizeRow& row : shown.rows) {
      if (row.items == shown.sizes[i] && (desk.view.adaptive || row.map == MapKind::kSoftmax))
        rows.push_back(row);
    }
  }
  // What is left of other settings does not have those of now.
  std::vector<AttentionMap> maps;
  if (some) maps = {plain_map(desk.view)};
  if (some && desk.view.adaptive) maps.push_back(adaptive_map(desk.view));
  Figure figure = size_figure(rows, maps);
  if (!left_out.empty()) figure.sentence = "Not counted yet at this step: n = " + left_out + ".";
  Provenance more = head_provenance(desk, steps_text(steps));
  add_maps(desk, more);
  return {
      "accuracy and entropy", finished(std::move(figure), more, desk.status.backend), false, {}};
}

ShownFigure run(const Desk& desk) {
  Figure figure = run_figure(desk.history, desk.status.seed);
  const Provenance more = head_provenance(desk, std::to_string(desk.history.back().step));
  return {"training", finished(std::move(figure), more, desk.status.backend), false, {}};
}

ShownFigure study(const Desk& desk, const StudyState& state, const SurfaceView& view) {
  Figure figure = state.result->figure;
  figure.name = view_name(desk.view.view).figure;
  Provenance more;
  // What the study says of the open head is completed while that is still the same.
  const std::string step(provenance_value(figure.provenance, "step"));
  if (!step.empty() &&
      provenance_value(figure.provenance, "seed") == std::to_string(desk.status.seed))
    more = head_provenance(desk, step);
  add_missing(more, figure.provenance);
  if (state.busy()) {
    more.emplace_back("state",
                      "not finished, " + fixed_text(100 * state.news.share, 0) + " % done");
  } else if (state.held) {
    more.emplace_back("state", "stopped before its end");
  } else if (state.stale) {
    more.emplace_back("state", "of the settings before the present ones");
  }
  return {std::string(view_name(desk.view.view).name), finished(std::move(figure), more, ""),
          desk.view.surfaces, view};
}

}  // namespace

std::vector<ShownFigure> shown_figures(const Desk& desk, const SurfaceView& view) {
  std::vector<ShownFigure> all;
  if (desk.view.view != View::kAttention) {
    const StudyState& state = desk.studies.of(desk.view.view);
    if (state.result) all.push_back(study(desk, state, view));
    return all;
  }
  if (desk.shown) {
    if (!desk.shown->plain.empty()) all.push_back(attention(desk));
    if (!desk.shown->rows.empty()) all.push_back(curves(desk));
  }
  if (!desk.history.empty()) all.push_back(run(desk));
  return all;
}

}  // namespace dispersion
