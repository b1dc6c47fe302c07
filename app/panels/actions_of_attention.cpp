#include <array>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/session/rule_origin.h"
#include "core/attention/transforms.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kGroup = "Attention";

void add_rule(std::vector<Action>& all, const AppState& app) {
  const bool adaptive = is_shown(app.view, TransformId::kAdaptive);
  all.push_back(
      {.id = "attention.adaptive",
       .group = kGroup,
       .name = "Adaptive θ on or off",
       .help = "Lets the temperature follow the entropy H of each row: θ/β(H), with a β of at "
               "least 1, which sharpens attention where it is above 1 (section 3, figures 4 and "
               "6).",
       .chords = {ImGuiKey_A},
       .act = [adaptive](const Actor& a) { show(a.app.view, TransformId::kAdaptive, !adaptive); },
       .value = adaptive ? "on" : "off"});
  all.push_back({.id = "attention.paper_rule",
                 .group = kGroup,
                 .name = "Adaptive rule of the paper",
                 .help = "Puts the coefficients of the paper's listing back.",
                 .act = [](const Actor& a) { use_paper_rule(a.app.view); },
                 .available = !(app.view.rule == AdaptiveRule()),
                 .value = app.view.rule == AdaptiveRule() ? "in use" : ""});
}

void add_temperature(std::vector<Action>& all, const AppState& app) {
  all.push_back(
      {.id = "attention.theta",
       .group = kGroup,
       .name = "Temperature θ",
       .help = "Weights are softmax(logits / θ): below 1 sharper, above 1 flatter "
               "(equation 1 of the paper).",
       .act = [](const Actor& a) { show_field(a.app, a.state, "temperature θ"); },
       .value = plain_number(app.view.theta),
       .number = ActionNumber{kLowestTheta, kHighestTheta, false,
                              [](const Actor& a, double theta) { a.app.view.theta = theta; }}});
  all.push_back({.id = "attention.theta_one",
                 .group = kGroup,
                 .name = "Temperature θ back to 1",
                 .chords = {ImGuiKey_0, ImGuiMod_Shift | ImGuiKey_0},
                 .act = [](const Actor& a) { a.app.view.theta = 1; }});
}

void add_transforms(std::vector<Action>& all, const AppState& app) {
  for (const TransformChoice& choice : app.view.choices) {
    const TransformId id = choice.transform.id;
    if (id == TransformId::kAdaptive) continue;
    const TransformDefinition& definition = transform_definition(id);
    const bool shown = choice.shown;
    all.push_back({.id = "transform." + std::string(definition.name),
                   .group = "Transforms",
                   .name = "Show " + std::string(definition.label),
                   .help = std::string(definition.help),
                   .act = [id, shown](const Actor& a) { show(a.app.view, id, !shown); },
                   .value = shown ? "on" : "off"});
  }
}

void add_colour_scales(std::vector<Action>& all, const AppState& app) {
  constexpr std::array<const char*, 3> kNames = {"linear", "square root", "logarithmic"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto scale = static_cast<ColourScale>(i);
    all.push_back({.id = "colours." + std::string(kNames[i]),
                   .group = kGroup,
                   .name = "Colours of weights: " + std::string(kNames[i]),
                   .help = "How a weight becomes a colour in the heat maps.",
                   .act = [scale](const Actor& a) { a.app.view.colour_scale = scale; },
                   .value = app.view.colour_scale == scale ? "chosen" : ""});
  }
}

}  // namespace

void add_attention_actions(std::vector<Action>& all, const AppState& app) {
  add_rule(all, app);
  add_temperature(all, app);
  add_colour_scales(all, app);
  add_transforms(all, app);
}

}  // namespace dispersion
