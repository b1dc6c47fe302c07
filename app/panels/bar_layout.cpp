#include "app/panels/bar_layout.h"

#include <algorithm>
#include <cstddef>

namespace dispersion {
namespace {

float used(std::span<const BarItem> items, const std::vector<bool>& in_bar, float spacing) {
  float width = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (in_bar[i]) width += items[i].width + (width > 0 ? spacing : 0);
  }
  return width;
}

}  // namespace

std::vector<bool> items_in_bar(std::span<const BarItem> items, float room, float spacing,
                               float menu) {
  std::vector<bool> in_bar(items.size(), true);
  std::vector<std::size_t> first_to_go(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    first_to_go[i] = i;
  std::ranges::stable_sort(first_to_go, {}, [&](std::size_t i) { return items[i].keep; });
  float free = room;
  for (const std::size_t i : first_to_go) {
    if (used(items, in_bar, spacing) <= free) break;
    in_bar[i] = false;
    free = room - menu - spacing;
  }
  return in_bar;
}

}  // namespace dispersion
