#pragma once

#include <optional>
#include <span>

namespace dispersion {

// A rectangle of the desktop, in the units of the windowing system.
struct ScreenRect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  bool operator==(const ScreenRect&) const = default;
};

// So much of a window must be seen on a screen, for a person to find and to drag it.
inline constexpr int kLeastVisibleWidth = 100;
inline constexpr int kLeastVisibleHeight = 40;

// Where to put a window that was there when the program ended. It stays there while enough of its
// upper edge, by which it is dragged, is in one of the work areas; otherwise it moves into the
// nearest of them. Nothing where there is no work area or no window to speak of: the desktop
// decides then.
std::optional<ScreenRect> visible_place(const ScreenRect& wanted,
                                        std::span<const ScreenRect> work_areas);

}  // namespace dispersion
