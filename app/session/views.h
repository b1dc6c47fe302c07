#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace dispersion {

// What the middle of the window shows. Every view but the first is a study: an experiment whose
// figure is computed beside the training.
enum class View : int {
  kAttention,
  kTable,
  kFit,
  kSurfaces,
  kBounds,
  kSpread,
  kDepth,
  kStreaming,
  kPrecision,
};
inline constexpr std::size_t kViewCount = 9;

struct ViewName {
  View view = View::kAttention;
  std::string_view name;
  std::string_view help;
  std::string_view figure;  // name of its figure, as the command line has it
  bool theory = false;      // stands in the menu of that name
};

// All views in the order of the top bar; the n-th is opened by the key n.
extern const std::array<ViewName, kViewCount> kViews;

inline const ViewName& view_name(View view) {
  return kViews[static_cast<std::size_t>(view)];
}

}  // namespace dispersion
