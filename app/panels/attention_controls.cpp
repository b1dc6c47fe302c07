#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/fields.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

double theta_position(double theta) {
  return std::log(theta / kLowestTheta) / std::log(kHighestTheta / kLowestTheta);
}

// Rounded to three figures, so that a dragged value is one that can be said and typed.
double theta_at(double position) {
  const double theta = kLowestTheta * std::pow(kHighestTheta / kLowestTheta, position);
  const double unit = std::pow(10, std::floor(std::log10(theta)) - 2);
  return std::clamp(std::round(theta / unit) * unit, kLowestTheta, kHighestTheta);
}

void draw_theta(AppState& app, Painter& painter) {
  constexpr const char* kHelp =
      "Weights are softmax(logits / θ): below 1 sharper, above 1 flatter (section 2 of the paper). "
      "The slider runs from 0.05 to 10 on a log scale; double click for 1.";
  number_field(painter, {"temperature θ", kLowestTheta, kHighestTheta, false, kHelp},
               app.view.theta);
  double position = theta_position(app.view.theta);
  if (slider(painter, "theta slider", position, theta_position(1), kHelp)) {
    app.view.theta = theta_at(position);
    if (std::fabs(position - theta_position(1)) < 0.012) app.view.theta = 1;
  }
}

void draw_coefficients(AdaptiveRule& rule, Painter& painter) {
  constexpr std::array<const char*, 5> kNames = {"× H⁴", "× H³", "× H²", "× H", "constant"};
  constexpr double kLargest = 1e6;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    number_field(painter,
                 {kNames[i], -kLargest, kLargest, false,
                  "Coefficient of β(H) = 1/θ, the polynomial of figure 6; H in nats."},
                 rule.coefficients[i]);
  }
  number_field(painter,
               {"only above H =", 0, 100, false,
                "No correction at or below this entropy: such attention is sharp already."},
               rule.gate);
  // The app state finds the peak.
  if (toggle(painter, "hold β at its peak", rule.guarded, painter.palette->adaptive,
             "For more entropy than at the peak of the polynomial β stays there, instead of "
             "falling to "
             "1 and switching itself off. Not in the paper."))
    rule.peak = 0;
}

void draw_rule(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  bool adaptive = is_shown(app.view, TransformId::kAdaptive);
  toggle(painter, "adaptive θ", adaptive, painter.palette->adaptive,
         "Lets θ follow the entropy H of each row: θ = 1/β(H), at most 1, so that dispersed "
         "attention is "
         "sharpened again (section 4, figures 4 to 6). Key A.");
  show(app.view, TransformId::kAdaptive, adaptive);
  const bool paper = app.view.rule == AdaptiveRule();
  const char* label = state.rule_shown ? "close###rule"
                      : paper          ? "paper's β###rule"
                                       : "own β###rule";
  const float width = measure(painter, TextStyle::kSmall,
                              state.rule_shown ? "close"
                              : paper          ? "paper's β"
                                               : "own β")
                          .x +
                      painter.px(20);
  ImGui::SetCursorScreenPos({right - width, start.y - painter.px(2)});
  if (push_button(painter, label, ButtonKind::kPlain, width,
                  "Shows the polynomial β(H) and lets you change it.")) {
    state.rule_shown = !state.rule_shown;
  }
  if (!state.rule_shown) return;
  draw_rule_sketch(app, painter);
  draw_coefficients(app.view.rule, painter);
  if (!paper && push_button(painter, "Back to the paper's", ButtonKind::kPlain, 0,
                            "Puts the coefficients of the paper's listing back.")) {
    app.view.rule = AdaptiveRule();
  }
}

// A switch for a transform, and while it is on its settings.
void draw_choice(TransformChoice& choice, Painter& painter) {
  const TransformDefinition& definition = transform_definition(choice.transform.id);
  const std::string help =
      std::string(definition.help) + " (" + std::string(definition.source) + ")";
  toggle(painter, std::string(definition.label).c_str(), choice.shown,
         role_colour(*painter.palette, definition.colour), help);
  for (std::size_t i = 0; choice.shown && i < definition.settings.size(); ++i) {
    const TransformSetting& setting = definition.settings[i];
    const std::string label(setting.label);
    number_field(painter, {label.c_str(), setting.low, setting.high, setting.whole, setting.help},
                 choice.transform.settings[i]);
  }
}

// The transforms beside adaptive temperature: those that are shown, and all on demand.
void draw_choices(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  for (TransformChoice& choice : app.view.choices) {
    if (choice.transform.id == TransformId::kAdaptive) continue;
    if (state.transforms_shown || choice.shown) draw_choice(choice, painter);
  }
  if (push_button(
          painter, state.transforms_shown ? "fewer###transforms" : "other transforms###transforms",
          ButtonKind::kPlain, 0,
          "Other ways from logits to weights: each that is switched on is shown below softmax, "
          "on the same sets."))
    state.transforms_shown = !state.transforms_shown;
  if (!app.status.transforms_note.empty())
    flow_text(painter, TextStyle::kSmall, painter.palette->muted, app.status.transforms_note);
}

void draw_colour_scale(AppState& app, Painter& painter) {
  constexpr std::array<const char*, 3> kNames = {"linear", "square root", "log"};
  int chosen = static_cast<int>(app.view.colour_scale);
  if (segments(
          painter, "colour scale", kNames.data(), 3, chosen,
          "How a weight becomes a colour in the heat maps. Square root shows small weights without "
          "hiding large ones.")) {
    app.view.colour_scale = static_cast<ColourScale>(chosen);
  }
}

}  // namespace

void draw_attention_controls(AppState& app, PanelState& state) {
  section_title(state.painter, "Attention");
  draw_theta(app, state.painter);
  draw_rule(app, state);
  draw_choices(app, state);
  draw_colour_scale(app, state.painter);
}

}  // namespace dispersion
