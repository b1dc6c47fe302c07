#include "app/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/experiment_fields.h"
#include "app/panels/widgets.h"
#include "app/session/rule_origin.h"
#include "core/attention/transforms.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kLeastDistance = 1e-6;  // between two settings of which one must be larger

}  // namespace

NumberField field_of(const Setting& setting, const Experiment& experiment,
                     const SettingValues& values) {
  NumberField field = {setting.label.data(), setting.low, setting.high,
                       setting.kind == SettingKind::kWhole, setting.help};
  if (setting.of_view) {
    field.low = kLowestTheta;
    field.high = kHighestTheta;
  }
  if (setting.low_open) field.low = std::nextafter(field.low, field.high);
  if (setting.high_open) field.high = std::nextafter(field.high, field.low);
  if (!setting.above.empty())
    field.low = std::max(field.low, values.real(setting.above) + kLeastDistance);
  for (const Setting& other : experiment.settings) {
    if (other.above == setting.name)
      field.high = std::min(field.high, values.real(other.name) - kLeastDistance);
  }
  return field;
}

namespace {

// Offers those of the choices that have a label.
void draw_choice(Painter& painter, const Setting& setting, SettingValues& values) {
  std::vector<const char*> labels;
  for (const SettingChoice& choice : setting.choices) {
    if (!choice.label.empty()) labels.push_back(choice.label.data());
  }
  const int count = static_cast<int>(labels.size());
  int chosen = values.whole(setting.name);
  const std::string label(setting.label);
  if (count > 2) {
    choice_field(painter, label.c_str(), labels.data(), count, chosen, setting.help);
  } else {
    segment_field(painter, label.c_str(), labels.data(), count, chosen, setting.help);
  }
  values.set(setting.name, static_cast<double>(chosen));
}

// A switch for every transform that can be compared with plain softmax, in the order of the table
// of transforms.
void draw_transforms(Painter& painter, SettingValues& values) {
  std::vector<AttentionTransform> shown;
  gap(painter, 2);
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, painter.px(3));
  for (const TransformDefinition* definition : transform_definitions()) {
    const auto found =
        std::ranges::find(values.transforms(), definition->id, &AttentionTransform::id);
    const bool before = found != values.transforms().end();
    bool on = before;
    if (definition->id != TransformId::kSoftmax) {
      const std::string label(definition->label);
      toggle(painter, label.c_str(), on, role_colour(*painter.palette, definition->colour),
             definition->help);
    }
    if (on) shown.push_back(before ? *found : usual_transform(definition->id));
  }
  ImGui::PopStyleVar();
  values.set_transforms(std::move(shown));
}

void draw_setting(AppState& app, Painter& painter, const Setting& setting,
                  const Experiment& experiment, SettingValues& values) {
  switch (setting.kind) {
    case SettingKind::kWhole:
    case SettingKind::kReal: {
      double value = setting.of_view ? app.view.theta : values.real(setting.name);
      if (!number_field(painter, field_of(setting, experiment, values), value)) return;
      if (setting.of_view) app.view.theta = value;
      values.set(setting.name, value);
      return;
    }
    case SettingKind::kFlag: {
      bool on = values.flag(setting.name);
      ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, painter.px(3));
      toggle(painter, setting.label.data(), on, painter.palette->baseline, setting.help);
      ImGui::PopStyleVar();
      values.set(setting.name, on ? 1 : 0);
      return;
    }
    case SettingKind::kChoice:
      draw_choice(painter, setting, values);
      return;
    case SettingKind::kTransforms:
      draw_transforms(painter, values);
      return;
    case SettingKind::kSizes:
      return;  // can only be set on the command line
  }
}

// Buttons that make a fitted rule the adaptive rule of the window, or restore the paper's.
void draw_rule_buttons(AppState& app, Painter& painter) {
  static const ExperimentResult kNoResult;
  const auto& newest = app.experiments.of(app.view.view).result;
  const ExperimentResult& result = newest ? *newest : kNoResult;
  const AdaptiveRule& rule = app.view.rule;
  const auto use = [&](const AdaptiveRule& fitted) {
    app.view.rule = fitted;
    app.view.rule_origin = rule_origin(result.figure.provenance);
  };
  gap(painter, 4);
  section_title(painter, "Adaptive rule in use", rule == AdaptiveRule() ? "the paper's" : "own");
  const float width = ImGui::GetContentRegionAvail().x;
  const bool plain = result.rule && rule == *result.rule;
  if (result.rule &&
      push_button(painter, plain ? "In use###use rule" : "Use as rule###use rule",
                  plain ? ButtonKind::kPrimary : ButtonKind::kPlain, width, result.rule_text))
    use(*result.rule);
  const bool guarded = result.guarded_rule && rule == *result.guarded_rule;
  if (result.guarded_rule &&
      push_button(painter, guarded ? "Guarded, in use###use guarded" : "Use guarded###use guarded",
                  guarded ? ButtonKind::kPrimary : ButtonKind::kPlain, width,
                  result.guarded_rule_text))
    use(*result.guarded_rule);
  if (rule != AdaptiveRule() && push_button(painter, "Paper's rule", ButtonKind::kPlain, width,
                                            "Puts the coefficients of the paper's listing back."))
    use_paper_rule(app.view);
}

// The settings of the experiment in front, section by section.
void draw_experiment_settings(AppState& app, Painter& painter) {
  const Experiment& experiment = experiment_in(app.view.view);
  SettingValues& values = app.experiment_settings.of(app.view.view);
  for (const Setting& setting : experiment.settings) {
    if (setting.label.empty() || !values.applies(setting)) continue;
    if (!setting.section.empty()) {
      gap(painter, 4);
      section_title(painter, setting.section);
    }
    draw_setting(app, painter, setting, experiment, values);
  }
  if (experiment.gives_rule) draw_rule_buttons(app, painter);
}

// Rounded, so that the text does not change in every frame.
std::string duration_text(double seconds) {
  if (seconds < 10) return fixed_text(seconds, 1) + " s";
  if (seconds < 90) return fixed_text(seconds, 0) + " s";
  return fixed_text(seconds / 60, seconds < 600 ? 1 : 0) + " min";
}

std::string left_text(double seconds) {
  if (seconds < 0) return "";
  if (seconds < 20) return ", about " + fixed_text(std::ceil(seconds), 0) + " s left";
  if (seconds < 90) return ", about " + fixed_text(5 * std::ceil(seconds / 5), 0) + " s left";
  return ", about " + fixed_text(std::ceil(seconds / 60), 0) + " min left";
}

}  // namespace

void draw_experiment_buttons(ExperimentState& experiment, Painter& painter, float width) {
  if (experiment.busy()) {
    if (push_button(painter, "Stop###experiment", ButtonKind::kPlain, width,
                    "Stops the computation. What has been computed is kept.")) {
      experiment.stop = true;
    }
    return;
  }
  const bool failed = experiment.update.phase == ExperimentPhase::kFailed;
  if (!experiment.held && !failed) return;
  if (push_button(painter, failed ? "Try again###experiment" : "Go on###experiment",
                  ButtonKind::kPrimary, width, ""))
    experiment.go = true;
}

std::string experiment_progress_text(const ExperimentState& experiment) {
  const ExperimentUpdate& update = experiment.update;
  const std::string percent = fixed_text(std::floor(100 * update.share), 0) + " %";
  if (experiment.held) return "stopped at " + percent;
  switch (update.phase) {
    case ExperimentPhase::kWaiting:
      return experiment.asked == 0 ? "not begun" : "waiting";
    case ExperimentPhase::kRunning:
      return percent + left_text(update.seconds_left);
    case ExperimentPhase::kDone:
      return update.seconds < 0.1 ? "done" : "done, " + duration_text(update.seconds);
    case ExperimentPhase::kStopped:
      return "stopped at " + percent;
    case ExperimentPhase::kFailed:
      break;
  }
  return "failed";
}

std::string experiment_note(const ExperimentState& experiment) {
  std::string note = experiment.of_other_run ? "of the head before" : "";
  if (!experiment.busy() && !experiment.held) return note;
  return note + (note.empty() ? "" : "; ") + experiment_progress_text(experiment);
}

void draw_experiment_controls(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  ExperimentState& experiment = app.experiments.of(app.view.view);
  section_title(painter, view_title(app.view.view));
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, view_help(app.view.view));
  gap(painter, 2);
  draw_experiment_settings(app, painter);
  gap(painter, 8);
  section_title(painter, "Computation");
  value_row(painter, {"state",
                      Statement::naming(experiment_progress_text(experiment)),
                      plain_number(experiment.update.share),
                      {},
                      "Experiments are computed beside the training, on a thread of their own.",
                      "as a share of 1"});
  progress_line(painter,
                experiment.update.phase == ExperimentPhase::kDone ? 1 : experiment.update.share);
  gap(painter, 2);
  draw_experiment_buttons(experiment, painter, ImGui::GetContentRegionAvail().x);
}

}  // namespace dispersion
