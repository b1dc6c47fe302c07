#pragma once

#include <cstdint>
#include <string>

#include "app/session/views.h"
#include "core/attention/attention_map.h"
#include "core/figure/figure.h"
#include "core/head/recipe.h"

namespace dispersion {

enum class Theme { kDark, kLight };

// What the user has set on how things look and what is looked at. Edited by panels; the worker
// learns of it through ViewRequest.
struct ViewSettings {
  View view = View::kAttention;
  double theta = 1;      // 0.05 .. 10
  bool adaptive = true;  // show the adaptive maps beside plain softmax
  AdaptiveRule rule;
  int focused_items = 1024;  // the n that "At n = ..." speaks of
  ColourScale colour_scale = ColourScale::kSquareRoot;
  Theme theme = Theme::kDark;
  float ui_scale = 1;      // the user's zoom, on top of the display's
  bool projector = false;  // large type, one key
  bool surfaces = false;   // fields of studies as surfaces and not as heat maps
};

// Fields of the run that the user edits before they take effect with "Start".
struct RunSettings {
  Recipe recipe;
  std::uint32_t seed = 1;
  std::int64_t stop_at = 100'000;
};

inline constexpr double kLowestTheta = 0.05;
inline constexpr double kHighestTheta = 10;

AttentionMap plain_map(const ViewSettings& settings);
AttentionMap adaptive_map(const ViewSettings& settings);

}  // namespace dispersion
