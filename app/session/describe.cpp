#include "app/session/describe.h"

#include <string>
#include <string_view>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/comparison.h"
#include "app/session/figure_snapshots.h"
#include "app/session/frame_at.h"
#include "app/session/run_status.h"
#include "app/session/state_string.h"
#include "app/session/told_values.h"
#include "core/build_info.h"
#include "core/figure/compared_values.h"
#include "core/figure/number_text.h"
#include "core/figure/size_values.h"
#include "core/figure/training_text.h"

namespace dispersion {
namespace {

void add_line(std::string& text, std::string_view section, std::string_view label,
              const std::string& value) {
  text.append(section).append("\t").append(label).append("\t").append(value).append("\n");
}

std::string recipe_text(const Recipe& recipe) {
  std::string text = "L2 ";
  text += l2_form_name(recipe.l2);
  text += ", λ " + plain_number(recipe.l2_lambda);
  text += ", learning rate " + plain_number(recipe.learning_rate);
  text += ", batch of " + counted_text(recipe.batch_sets, "set");
  text += " of " + std::to_string(recipe.smallest_set);
  text += " to " + counted_text(recipe.largest_set, "item");
  text.append(", ").append(head_path_name(recipe.path)).append(" path");
  text.append(", ").append(precision_name(recipe.precision));
  return text;
}

std::string rule_text(const ViewSettings& view) {
  if (!is_shown(view, TransformId::kAdaptive)) return "off";
  if (view.rule == AdaptiveRule()) return "on, the paper's";
  std::string text = "on, own: coefficients of H^4 to H^0";
  for (const double coefficient : view.rule.coefficients)
    text.append(" ").append(plain_number(coefficient));
  text += ", only above H = " + plain_number(view.rule.gate) + " nats";
  if (view.rule.guarded) text += ", held beyond H = " + plain_number(view.rule.peak) + " nats";
  return text;
}

void add_measurement(std::string& text, const AppState& app) {
  const FrameAt at = frame_at(app, app.view.focused_items);
  add_line(text, "measurement", "n", std::to_string(app.view.focused_items));
  add_line(text, "measurement", "temperature θ", plain_number(app.view.theta));
  add_line(text, "measurement", "adaptive θ", rule_text(app.view));
  for (const AttentionTransform& transform : shown_transforms(app.view)) {
    if (transform.id == TransformId::kSoftmax || transform.id == TransformId::kAdaptive) continue;
    add_line(text, "measurement", transform_definition(transform.id).label,
             transform_text(transform));
  }
  if (at.plain_row() == nullptr) return;
  const std::string of_run = at.row_of_run ? "" : " of the head before";
  if (app.status.has_run)
    add_line(text, "measurement", "training step", std::to_string(at.row_step) + of_run);
  add_line(text, "measurement", "sets", std::to_string(at.plain_row()->sets));
}

// What a copied number needs in order to be understood elsewhere.
std::string provenance_text(const AppState& app) {
  const RunStatus& status = app.status;
  std::string text;
  add_line(text, "program", "Dispersion Lab",
           std::string(build_info().version) + ", commit " + std::string(build_info().commit));
  add_line(text, "head", "origin", status.head_source);
  add_line(text, "head", "seed", status.has_run ? std::to_string(status.seed) : "unknown");
  add_line(text, "head", "recipe", status.has_run ? recipe_text(status.recipe) : "unknown");
  add_line(text, "head", "computed", computation_text(status));
  add_line(text, "head", "run hash",
           status.run_hash +
               (status.has_run ? " at step " + grouped_text(counted_step(status, status.hash_step))
                               : ""));
  add_measurement(text, app);
  return text;
}

void add_values(std::string& text, const std::string& section,
                const std::vector<NamedValue>& values) {
  for (const NamedValue& value : values) {
    // A value that shows a dash is not known yet, whatever `exact` says.
    if (value.value.text().starts_with("–")) continue;
    std::string exact = value.exact.empty() ? value.value.text() : value.exact;
    if (!value.unit.empty()) exact.append(" ").append(value.unit);
    add_line(text, section, value.label, exact);
  }
}

void add_age(std::string& text, std::string_view section, const std::string& age) {
  if (!age.empty()) add_line(text, section, "age", age);
}

void add_training(std::string& text, const AppState& app) {
  if (app.history.empty()) return;
  add_line(text, "training", "step", std::to_string(counted_step(app.status, app.status.step)));
  add_values(text, "training",
             batch_values(&app.history.back(), app.status.accuracy, app.status.recipe));
}

// The measurements at the focused n, and what plain softmax and the others differ in.
void add_focused_size(std::string& text, const FrameAt& at, int items) {
  const std::string section = "at n = " + std::to_string(items);
  add_age(text, section, row_age_text(at));
  for (const TransformAt& each : at.transforms) {
    const std::string name(transform_definition(each.id).label);
    add_values(text, section + ", " + name, size_values(each.id, each.row));
    if (each.id != TransformId::kSoftmax) {
      add_values(text, section + ", difference",
                 {accuracy_difference(name, each.id, each.row, at.plain_row())});
    }
  }
}

void add_why(std::string& text, const AppState& app, const FrameAt& at) {
  const int items = app.view.focused_items;
  const Statement explanation = told_explanation(app, items);
  if (explanation.empty()) return;
  add_age(text, "why", frame_age_text(at));
  add_values(text, "why", told_why_values(app, items));
  add_line(text, "why", "explanation", explanation);
}

void add_cell(std::string& text, const AppState& app) {
  const FrameAt at = frame_at(app, app.pointer.items);
  if (!has_cell(at, app.pointer)) return;
  const FrameCell cell = {app.pointer.set, app.pointer.column};
  add_line(text, "pointer", "set",
           std::to_string(cell.set + 1) + " at n = " + std::to_string(app.pointer.items));
  for (const TransformAt& each : at.transforms) {
    if (each.frame == nullptr) continue;
    add_values(text, "pointer, " + std::string(transform_definition(each.id).label),
               weight_values(*each.frame, cell));
  }
  add_values(text, "pointer", item_values(*at.logits, cell));
}

// "A<tab>0.25", "B<tab>0.41" and "B − A<tab>0.16" behind the label.
void add_compared(std::string& text, const std::string& section,
                  const std::vector<ComparedValue>& values) {
  for (const ComparedValue& value : values) {
    const auto add = [&](const char* side, const std::string& exact, std::string_view unit) {
      if (exact.empty()) return;
      add_line(text, section, value.label + ", " + side,
               exact + (unit.empty() ? "" : " " + std::string(unit)));
    };
    add("A", value.exact_a, value.unit);
    add("B", value.exact_b, value.unit);
    add("B − A", value.exact_difference, value.difference_unit());
  }
}

// Which states are compared, with the line of text that restores each.
void add_states(std::string& text, const AppState& app) {
  const AppState& a = app.comparison->a;
  add_line(text, "comparison", "A", state_text(a));
  add_line(text, "comparison", "B", present_text(app));
  const std::string progress = pinned_progress_text(app, app.view.view);
  if (!progress.empty()) add_line(text, "comparison", "age", progress);
  add_line(text, "comparison", "state of A", state_string(a));
  add_line(text, "comparison", "state of B", state_string(app));
}

// The same parts as of one state, with the numbers of A, of B and their difference.
void add_compared_size(std::string& text, const AppState& app) {
  const int items = app.view.focused_items;
  const std::string section = "at n = " + std::to_string(items);
  add_age(text, section, row_age_text(frame_at(app, items)));
  for (const TransformId id : compared_transforms(app)) {
    const std::string of = section + ", " + std::string(transform_definition(id).label);
    const ComparedRows rows = compared_rows_at(app, id, items);
    add_compared(text, of, compared_size_values(rows));
    const Statement interval = interval_text(rows);
    if (!interval.empty()) add_line(text, of, "accuracy, B − A, 95 %", interval);
    const Statement other = other_sets_text(rows);
    if (!other.empty()) add_line(text, of, "sets", other);
  }
}

void add_compared_why(std::string& text, const AppState& app) {
  const AppState& a = app.comparison->a;
  const int items = app.view.focused_items;
  add_compared(text, "why", side_by_side(told_why_values(a, items), told_why_values(app, items)));
  const ComparedText told = compared_text(told_sentences(a, items), told_sentences(app, items));
  const auto add = [&](const char* label, const Statement& explanation) {
    if (!explanation.empty()) add_line(text, "why", label, explanation);
  };
  add("explanation, A and B", told.both);
  add("explanation, A", told.a);
  add("explanation, B", told.b);
}

void add_compared_cell(std::string& text, const AppState& app) {
  const FrameAt a = frame_at(app.comparison->a, app.pointer.items);
  const FrameAt b = frame_at(app, app.pointer.items);
  if (!has_cell(b, app.pointer)) return;
  const FrameCell cell = {app.pointer.set, app.pointer.column};
  add_line(text, "pointer", "set",
           std::to_string(cell.set + 1) + " at n = " + std::to_string(app.pointer.items));
  for (const TransformId id : compared_transforms(app)) {
    add_compared(text, "pointer, " + std::string(transform_definition(id).label),
                 compared_weight_values(a.frame_under(id), b.frame_under(id), cell));
  }
  add_compared(
      text, "pointer",
      side_by_side(told_item_values(app.comparison->a, a, cell), told_item_values(app, b, cell)));
}

// The text of a figure whose provenance has been told.
std::string text_without_provenance(Figure figure) {
  figure.provenance.clear();
  return figure_text(figure);
}

// Of the curves of the run only what is said of them: they have a point for every step.
void add_figures(std::string& text, const AppState& app) {
  for (const FigureSnapshot& shown : figure_snapshots(app)) {
    text += "\n";
    text += shown.name == kTrainingName
                ? shown.figure->title.text() + "\n" + shown.figure->sentence.text() + "\n"
                : text_without_provenance(*shown.figure);
  }
}

void add_experiment(std::string& text, const AppState& app) {
  const ExperimentState& experiment = app.experiments.of(app.view.view);
  add_line(text, "view", "title", std::string(view_title(app.view.view)));
  if (experiment.update.phase == ExperimentPhase::kFailed)
    add_line(text, "view", "error", experiment.update.error);
  if (experiment.busy()) {
    add_line(text, "view", "state",
             "not finished, " + fixed_text(100 * experiment.update.share, 0) + " % done");
  }
  if (app.comparison) {
    add_figures(text, app);
  } else if (experiment.result) {
    text += "\n" + figure_text(experiment.result->figure);
  }
}

}  // namespace

std::string describe(const AppState& app) {
  std::string text = provenance_text(app);
  if (app.comparison) add_states(text, app);
  if (app.view.view != View::kAttention) {
    add_experiment(text, app);
    return text;
  }
  const FrameAt at = frame_at(app, app.view.focused_items);
  add_training(text, app);
  if (app.comparison) {
    add_compared_size(text, app);
    add_compared_why(text, app);
    add_compared_cell(text, app);
  } else {
    add_focused_size(text, at, app.view.focused_items);
    add_why(text, app, at);
    add_cell(text, app);
  }
  add_figures(text, app);
  return text;
}

}  // namespace dispersion
