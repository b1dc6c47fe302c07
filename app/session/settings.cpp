#include "app/session/settings.h"

#include <algorithm>
#include <array>

namespace dispersion {
namespace {

constexpr std::array<std::string_view, 3> kThemeNames = {"dark", "light", "high contrast"};

// Puts the temperature and the rule of the view into a transform that uses them. Another transform
// stays as it is, so that it does not count as changed when they change.
AttentionTransform with_view(AttentionTransform transform, const ViewSettings& settings) {
  const TransformDefinition& definition = transform_definition(transform.id);
  if (definition.has_theta) transform.theta = settings.theta;
  if (definition.has_rule) transform.rule = settings.rule;
  return transform;
}

template <class Wanted>
std::vector<AttentionTransform> below_softmax(const ViewSettings& settings, Wanted wanted) {
  std::vector<AttentionTransform> all = {
      with_view(usual_transform(TransformId::kSoftmax), settings)};
  for (const TransformChoice& choice : settings.choices) {
    if (wanted(choice)) all.push_back(with_view(choice.transform, settings));
  }
  return all;
}

}  // namespace

std::string_view theme_name(Theme theme) {
  return kThemeNames[static_cast<std::size_t>(theme)];
}

std::optional<Theme> theme_of_name(std::string_view name) {
  const auto found = std::ranges::find(kThemeNames, name);
  if (found == kThemeNames.end()) return std::nullopt;
  return static_cast<Theme>(found - kThemeNames.begin());
}

Theme next_theme(Theme theme) {
  return static_cast<Theme>((static_cast<std::size_t>(theme) + 1) % kThemeNames.size());
}

std::vector<TransformChoice> usual_choices() {
  std::vector<TransformChoice> choices;
  for (const TransformDefinition* definition : transform_definitions()) {
    if (definition->id == TransformId::kSoftmax) continue;
    choices.push_back({usual_transform(definition->id), definition->id == TransformId::kAdaptive});
  }
  return choices;
}

std::vector<AttentionTransform> shown_transforms(const ViewSettings& settings) {
  return below_softmax(settings, [](const TransformChoice& choice) { return choice.shown; });
}

std::vector<AttentionTransform> computed_transforms(const ViewSettings& settings) {
  return below_softmax(settings, [](const TransformChoice& choice) {
    return choice.shown || choice.transform.id == TransformId::kAdaptive;
  });
}

bool is_shown(const ViewSettings& settings, TransformId id) {
  return id == TransformId::kSoftmax ||
         std::ranges::any_of(settings.choices, [id](const TransformChoice& choice) {
           return choice.transform.id == id && choice.shown;
         });
}

void show(ViewSettings& settings, TransformId id, bool shown) {
  for (TransformChoice& choice : settings.choices) {
    if (choice.transform.id == id) choice.shown = shown;
  }
}

bool shows_rule(const ViewSettings& settings) {
  return std::ranges::any_of(settings.choices, [](const TransformChoice& choice) {
    return choice.shown && transform_definition(choice.transform.id).has_rule;
  });
}

}  // namespace dispersion
