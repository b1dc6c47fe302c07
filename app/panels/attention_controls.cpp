#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/input_fields.h"
#include "app/panels/widgets.h"
#include "app/session/rule_origin.h"
#include "app/window/theme.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kPoints = 120;
constexpr double kLargestEntropy = 9.71;  // log 16,384

// A small curve of beta(H), with the mean entropy of every frame as a point on it.
void draw_rule_sketch(const AppState& app, Painter& painter) {
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const ImVec2 size = {ImGui::GetContentRegionAvail().x, painter.px(72)};
  ImGui::Dummy(size);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float base = start.y + size.y - painter.px(16);
  const float top = start.y + painter.px(4);
  std::array<double, kPoints> beta{};
  double largest = 1;
  for (int i = 0; i < kPoints; ++i) {
    beta[static_cast<std::size_t>(i)] =
        adaptive_beta(app.view.rule, kLargestEntropy * i / (kPoints - 1));
    largest = std::max(largest, beta[static_cast<std::size_t>(i)]);
  }
  const double scale = std::max(largest, 1.5) - 1;
  const auto place = [&](double entropy, double value) {
    const double y = (value - 1) / scale;
    return ImVec2{start.x + size.x * static_cast<float>(entropy / kLargestEntropy),
                  base - (base - top) * static_cast<float>(std::clamp(y, 0.0, 1.0))};
  };
  list->AddLine({start.x, base}, {start.x + size.x, base}, packed(p.line));
  std::array<ImVec2, kPoints> curve;
  for (int i = 0; i < kPoints; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    curve[at] = place(kLargestEntropy * i / (kPoints - 1), beta[at]);
  }
  list->AddPolyline(curve.data(), kPoints, packed(p.adaptive), 1.5F * painter.scale);
  if (app.snapshot && !app.snapshot->transforms.empty()) {
    for (const AttentionFrame& frame : app.snapshot->transforms.front().frames) {
      if (frame.items == 0 || !std::isfinite(frame.mean_entropy)) continue;
      const double entropy = std::clamp(frame.mean_entropy, 0.0, kLargestEntropy);
      list->AddCircleFilled(place(entropy, adaptive_beta(app.view.rule, entropy)),
                            painter.px(frame.items == app.view.focused_items ? 4 : 2),
                            packed(p.adaptive), 16);
    }
  }
  draw_text(painter, list, {start.x, base + painter.px(1)}, TextStyle::kSmall, p.muted, "H = 0");
  const char* right = "H = log 16 384";
  draw_text(painter, list,
            {start.x + size.x - measure(painter, TextStyle::kSmall, right).x, base + painter.px(1)},
            TextStyle::kSmall, p.muted, right);
  draw_text(painter, list, {start.x, top - painter.px(2)}, TextStyle::kSmall, p.muted, "β(H)");
  const std::string peak = "up to " + fixed_text(largest, 2);
  draw_text(painter, list,
            {start.x + size.x - measure(painter, TextStyle::kSmall, peak).x, top - painter.px(2)},
            TextStyle::kSmall, p.muted, peak);
}

double theta_position(double theta) {
  return std::log(theta / kLowestTheta) / std::log(kHighestTheta / kLowestTheta);
}

// Rounded to three digits, so that dragging gives values that are easy to say and to type.
double theta_at(double position) {
  const double theta = kLowestTheta * std::pow(kHighestTheta / kLowestTheta, position);
  const double unit = std::pow(10, std::floor(std::log10(theta)) - 2);
  return std::clamp(std::round(theta / unit) * unit, kLowestTheta, kHighestTheta);
}

void draw_theta(AppState& app, Painter& painter) {
  constexpr const char* kHelp =
      "Weights are softmax(logits / θ): below 1 sharper, above 1 flatter (equation 1 of the "
      "paper). "
      "The slider runs from 0.05 to 10 on a log scale; double click for 1.";
  number_field(painter, {"temperature θ", kLowestTheta, kHighestTheta, false, kHelp},
               app.view.theta);
  double position = theta_position(app.view.theta);
  if (slider(painter, "theta slider", position, theta_position(1), kHelp)) {
    app.view.theta = theta_at(position);
    if (std::fabs(position - theta_position(1)) < 0.012) app.view.theta = 1;
  }
}

// Returns whether the user has changed the rule.
bool draw_coefficients(AdaptiveRule& rule, Painter& painter) {
  constexpr std::array<const char*, 5> kNames = {"× H⁴", "× H³", "× H²", "× H", "constant"};
  constexpr double kLargest = 1e6;
  bool changed = false;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    changed |= number_field(painter,
                            {kNames[i], -kLargest, kLargest, false,
                             "Coefficient of β(H) = 1/θ, the polynomial of figure 6; H in nats."},
                            rule.coefficients[i]);
  }
  changed |= number_field(
      painter,
      {"only above H =", 0, 100, false,
       "β is 1 at or below this entropy, which is that of attention that is sharp already."},
      rule.gate);
  // AppState computes the peak of the changed rule.
  changed |=
      toggle(painter, "hold β for large H", rule.guarded, painter.palette->adaptive,
             "For more entropy than at the peak of the polynomial β stays as it is there. The "
             "paper's rule falls instead, and is 1 from about H = 5.94 on. Not in the paper.");
  if (changed) rule.peak = 0;
  return changed;
}

// To which head the rule was fitted, and whether that is another one than the open head.
void draw_rule_origin(const AppState& app, const Painter& painter) {
  const std::string text = rule_origin_text(app.view.rule_origin, app.status);
  if (text.empty()) return;
  const Palette& p = *painter.palette;
  flow_text(painter, TextStyle::kSmall,
            of_other_head(app.view.rule_origin, app.status) ? p.adaptive : p.muted, text);
}

void draw_rule(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  bool adaptive = is_shown(app.view, TransformId::kAdaptive);
  toggle(painter, "adaptive θ", adaptive, painter.palette->adaptive, "");
  action_tooltip(app, state, "attention.adaptive");
  show(app.view, TransformId::kAdaptive, adaptive);
  const bool paper = app.view.rule == AdaptiveRule();
  const std::string name = state.rule_shown                    ? "close"
                           : paper                             ? "paper's β"
                           : app.view.rule_origin.head.empty() ? "own β"
                                                               : "fitted β";
  const float width = measure(painter, TextStyle::kSmall, name).x + painter.px(20);
  ImGui::SetCursorScreenPos({right - width, start.y - painter.px(2)});
  if (push_button(painter, (name + "###rule").c_str(), ButtonKind::kPlain, width,
                  "Shows the polynomial β(H) and lets you change it.")) {
    state.rule_shown = !state.rule_shown;
  }
  draw_rule_origin(app, painter);
  if (!state.rule_shown) return;
  draw_rule_sketch(app, painter);
  if (draw_coefficients(app.view.rule, painter)) app.view.rule_origin = {};
  if (!paper && push_button(painter, "Back to the paper's", ButtonKind::kPlain, 0,
                            "Puts the coefficients of the paper's listing back."))
    use_paper_rule(app.view);
}

// The switch of a transform and, while it is on, its settings.
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

// The transforms other than adaptive temperature: all of them when the user has asked for the list,
// otherwise those that are shown.
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

}  // namespace

void draw_attention_controls(AppState& app, PanelState& state) {
  section_title(state.painter, "Attention");
  draw_theta(app, state.painter);
  draw_rule(app, state);
  draw_choices(app, state);
}

namespace {

constexpr const char* kSetSizeHelp =
    "How many items a set has; the paper trains on 5 to 16. The more there are, the smaller is the "
    "bound on every weight of softmax (theorem 2.2, figures 2 and 7).";

void draw_number_and_buttons(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  const std::string text = "n = " + grouped_text(app.view.focused_items);
  draw_text(painter, ImGui::GetWindowDrawList(), start, TextStyle::kBig, painter.palette->text,
            text);
  const float double_width = painter.px(48);
  const float half_width = painter.px(34);
  const float y = start.y + painter.px(2);
  ImGui::SetCursorScreenPos({right - double_width - half_width - painter.px(6), y});
  if (push_button(painter, "½", ButtonKind::kPlain, half_width, "")) double_items(app, state, -1);
  action_tooltip(app, state, "size.halve");
  ImGui::SetCursorScreenPos({right - double_width, y});
  if (push_button(painter, "× 2", ButtonKind::kPrimary, double_width, ""))
    double_items(app, state, 1);
  action_tooltip(app, state, "size.double");
}

}  // namespace

void draw_size_panel(AppState& app, PanelState& state) {
  section_title(state.painter, "Set size");
  draw_number_and_buttons(app, state);
  const int last = static_cast<int>(doubling_sizes().size()) - 1;
  const double at = static_cast<double>(size_index(app.view.focused_items)) / last;
  double position = at;
  if (slider(state.painter, "size slider", position, 6.0 / last, kSetSizeHelp, 1.0 / last)) {
    const int index = static_cast<int>(std::lround(position * last));
    focus_items(app, state, doubling_sizes()[static_cast<std::size_t>(index)]);
  }
}

}  // namespace dispersion
