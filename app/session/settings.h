#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/view_grid.h"
#include "app/session/views.h"
#include "core/attention/transforms.h"
#include "core/figure/figure.h"
#include "core/head/recipe.h"

namespace dispersion {

// The colours of the window.
enum class Theme { kDark, kLight, kHighContrast };

// "dark", "light", "high contrast".
std::string_view theme_name(Theme theme);
std::optional<Theme> theme_of_name(std::string_view name);
// The one that follows in the round through all.
Theme next_theme(Theme theme);

// A transform that the user can show below plain softmax.
struct TransformChoice {
  // Has its own settings; its theta and rule are ignored in favour of those of the view.
  AttentionTransform transform;
  bool shown = false;

  bool operator==(const TransformChoice&) const = default;
};
// Every transform but softmax with its usual settings; adaptive temperature is shown.
std::vector<TransformChoice> usual_choices();

// The head to which an adaptive rule was fitted.
struct RuleOrigin {
  std::string head;      // in words: "seed 1, step 100 000"; empty: the rule was fitted to none
  std::string run_hash;  // of the head

  bool operator==(const RuleOrigin&) const = default;
};

// The user's settings of what the window shows and how. Panels edit them; the worker gets what it
// needs in a ViewRequest.
struct ViewSettings {
  View view = View::kAttention;  // in front: of the pane in focus
  ViewGrid grid;
  double theta = 1;  // 0.05 .. 10
  AdaptiveRule rule;
  RuleOrigin rule_origin;  // of `rule`; empty where the user has typed it, and of the paper's
  // The transforms that can be shown below plain softmax, in the order of transform_definitions().
  std::vector<TransformChoice> choices = usual_choices();
  int focused_items = 1024;  // the focused size, of the panel "At n = ..."
  ColourScale colour_scale = ColourScale::kSquareRoot;
  Theme theme = Theme::kDark;
  float ui_scale = 1;      // the user's zoom, on top of the display's
  bool projector = false;  // large type for a projector
  bool surfaces = false;   // fields of experiments as surfaces and not as heat maps

  bool operator==(const ViewSettings&) const = default;
};

// Settings that take effect later: recipe and seed with a new run, stop_at when training starts.
struct RunSettings {
  Recipe recipe;
  std::uint32_t seed = 1;
  std::int64_t stop_at = 100'000;

  bool operator==(const RunSettings&) const = default;
};

inline constexpr double kLowestTheta = 0.05;
inline constexpr double kHighestTheta = 10;

// The transforms that the view shows, plain softmax first.
std::vector<AttentionTransform> shown_transforms(const ViewSettings& settings);
// The same, always with adaptive temperature, so that the view can show it without delay.
std::vector<AttentionTransform> computed_transforms(const ViewSettings& settings);

// Whether the transform is shown; plain softmax always is.
bool is_shown(const ViewSettings& settings, TransformId id);
void show(ViewSettings& settings, TransformId id, bool shown);
// Whether one of the shown transforms uses AttentionTransform::rule.
bool shows_rule(const ViewSettings& settings);

}  // namespace dispersion
