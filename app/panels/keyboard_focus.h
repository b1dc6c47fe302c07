#pragma once

#include <imgui.h>

#include "app/panels/painter.h"

namespace dispersion {

// The keyboard focus, with which everything is reached without a mouse. Tab goes from item to item,
// Enter and Space act on the item, Esc leaves it. The focused item has a ring; after a click there
// is no ring and keys are for the window again.

// For every InvisibleButton: it takes part in Tab and in the ring.
inline constexpr ImGuiButtonFlags kFocusable = ImGuiButtonFlags_EnableNav;
// For every child window: Tab passes into it and out of it.
inline constexpr ImGuiChildFlags kTabbedThrough = ImGuiChildFlags_NavFlattened;

// Whether an item of the window has the focus, and whether the item drawn last has it.
bool something_focused();
bool item_focused();

// For an item that is one of a group with one place in the order of Tab: whether it is that place.
// The arrow keys go from one to the next.
class TabStop {
 public:
  explicit TabStop(bool stop) { ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, !stop); }
  ~TabStop() { ImGui::PopItemFlag(); }
  TabStop(const TabStop&) = delete;
  TabStop& operator=(const TabStop&) = delete;
};

// How far the arrow keys move the focused item's value in this frame: -1, 0 or 1 along x, to the
// right, and along y, downwards. The keys do nothing else then. All 0 where the item drawn last
// does not have the focus.
struct ArrowStep {
  int x = 0;
  int y = 0;
};
ArrowStep arrows_left_right();
ArrowStep arrows_both_ways();

// Gives the focus to the item of this id, which is to be drawn in the current Dear ImGui window.
void move_focus(ImGuiID item);

// For a focused item that leaves the arrow keys to the window; to be called right after it.
void leave_arrows(Painter& painter);
// Keeps the arrow keys from moving the focus while they are for the window. Once per frame.
void share_arrows(const Painter& painter);

// Once a menu or a card over the window has closed, an item has the focus only where one had it
// before: what was typed there was not for the item that was clicked last. Once per frame.
void give_focus_back(Painter& painter);

// Keeps arrow keys and Tab from moving the focus in the next frame.
void keep_arrows_from_focus();
void keep_tab_from_focus();

// Draws the ring around the focused item, over all windows. To be called at the end of the frame.
void draw_focus_ring(const Painter& painter);

}  // namespace dispersion
