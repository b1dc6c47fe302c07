#include "app/panels/experiment_settings_panel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/fields.h"
#include "app/panels/widgets.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

constexpr double kOnTheOtherSide = 1e-6;  // how far apart two numbers stay that must not be equal

// What may be entered: the range of the setting, and its side of those that it must differ from.
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
    field.low = std::max(field.low, values.real(setting.above) + kOnTheOtherSide);
  for (const Setting& other : experiment.settings) {
    if (other.above == setting.name)
      field.high = std::min(field.high, values.real(other.name) - kOnTheOtherSide);
  }
  return field;
}

// One of the choices that have a label.
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
    segments(painter, label.c_str(), labels.data(), count, chosen, setting.help);
    gap(painter, 2);
  }
  values.set(setting.name, static_cast<double>(chosen));
}

// Those that are compared with plain softmax, in the order of their table.
void draw_transforms(Painter& painter, SettingValues& values) {
  std::vector<AttentionTransform> shown;
  for (const TransformDefinition* definition : transform_definitions()) {
    const auto found =
        std::ranges::find(values.transforms(), definition->id, &AttentionTransform::id);
    const bool before = found != values.transforms().end();
    bool on = before;
    if (definition->id != TransformId::kSoftmax) {
      const std::string label(definition->label);
      toggle(painter, label.c_str(), on, painter.palette->baseline, definition->help);
      gap(painter, 2);
    }
    if (on) shown.push_back(before ? *found : usual_transform(definition->id));
  }
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
      toggle(painter, setting.label.data(), on, painter.palette->baseline, setting.help);
      gap(painter, 2);
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
      return;  // for the command line
  }
}

// What a fit found, put to use at once.
void draw_rule_buttons(AppState& app, Painter& painter) {
  static const ExperimentResult kNothing;
  const auto& newest = app.experiments.of(app.view.view).result;
  const ExperimentResult& result = newest ? *newest : kNothing;
  AdaptiveRule& rule = app.view.rule;
  gap(painter, 4);
  section_title(painter, "Adaptive rule in use", rule == AdaptiveRule() ? "the paper's" : "own");
  const float width = ImGui::GetContentRegionAvail().x;
  const bool plain = result.rule && rule == *result.rule;
  if (result.rule && push_button(painter, plain ? "In use###use rule" : "Use as rule###use rule",
                                 plain ? ButtonKind::kPrimary : ButtonKind::kPlain, width,
                                 "Adaptive θ takes this head's polynomial, in every view."))
    rule = *result.rule;
  const bool guarded = result.guarded_rule && rule == *result.guarded_rule;
  if (result.guarded_rule &&
      push_button(painter, guarded ? "Guarded, in use###use guarded" : "Use guarded###use guarded",
                  guarded ? ButtonKind::kPrimary : ButtonKind::kPlain, width,
                  "The same, but beyond its peak β stays where it is instead of falling back to 1, "
                  "where the rule would switch itself off."))
    rule = *result.guarded_rule;
  if (rule != AdaptiveRule() && push_button(painter, "Paper's rule", ButtonKind::kPlain, width,
                                            "Puts the coefficients of the paper's listing back."))
    rule = AdaptiveRule();
}

}  // namespace

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

}  // namespace dispersion
