#pragma once

#include <span>
#include <vector>

namespace dispersion {

// An item of a bar. Where there is no room for all, those of the smallest `keep` give way first.
struct BarItem {
  float width = 0;
  int keep = 0;
};

// Which items stand side by side in a bar of this room. Those that do not are reached through a
// menu, for whose button `menu` is kept free as soon as one of them has given way. All lengths in
// one unit.
std::vector<bool> items_in_bar(std::span<const BarItem> items, float room, float spacing,
                               float menu);

}  // namespace dispersion
