#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/views.h"
#include "core/attention/transforms.h"
#include "core/figure/figure.h"
#include "core/head/recipe.h"

namespace dispersion {

enum class Theme { kDark, kLight };

// A transform that the user can show below plain softmax.
struct TransformChoice {
  // With its own settings; theta and rule are those of the view.
  AttentionTransform transform;
  bool shown = false;
};
// Every transform but softmax with its usual settings; adaptive temperature is shown.
std::vector<TransformChoice> usual_choices();

// What the user has set on how things look and what is looked at. Edited by panels; the worker
// learns of it through ViewRequest.
struct ViewSettings {
  View view = View::kAttention;
  double theta = 1;  // 0.05 .. 10
  AdaptiveRule rule;
  // What can be shown below plain softmax, in the order of transform_definitions().
  std::vector<TransformChoice> choices = usual_choices();
  int focused_items = 1024;  // the n that "At n = ..." speaks of
  ColourScale colour_scale = ColourScale::kSquareRoot;
  Theme theme = Theme::kDark;
  float ui_scale = 1;      // the user's zoom, on top of the display's
  bool projector = false;  // large type, one key
  bool surfaces = false;   // fields of experiments as surfaces and not as heat maps
};

// Fields of the run that the user edits before they take effect with "Start".
struct RunSettings {
  Recipe recipe;
  std::uint32_t seed = 1;
  std::int64_t stop_at = 100'000;
};

inline constexpr double kLowestTheta = 0.05;
inline constexpr double kHighestTheta = 10;

// Plain softmax and what is shown below it, in order.
std::vector<AttentionTransform> shown_transforms(const ViewSettings& settings);
// The same with adaptive temperature in any case, so that it shows at once when it is wanted.
std::vector<AttentionTransform> computed_transforms(const ViewSettings& settings);

// Whether the transform is shown; plain softmax always is.
bool is_shown(const ViewSettings& settings, TransformId id);
void show(ViewSettings& settings, TransformId id, bool shown);
// Whether one that is shown follows AttentionTransform::rule.
bool shows_rule(const ViewSettings& settings);

}  // namespace dispersion
