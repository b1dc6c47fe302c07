#include "app/panels/keyboard_focus.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr std::array<ImGuiKey, 2> kAcross = {ImGuiKey_LeftArrow, ImGuiKey_RightArrow};
constexpr std::array<ImGuiKey, 2> kAlong = {ImGuiKey_UpArrow, ImGuiKey_DownArrow};
constexpr std::array<ImGuiKey, 2> kPages = {ImGuiKey_PageUp, ImGuiKey_PageDown};
constexpr float kRing = 2;        // logical pixels: its width,
constexpr float kRingAround = 2;  // and the space to the item

// Dear ImGui moves the focus by keys that nobody owns.
template <std::size_t kCount>
void own(const std::array<ImGuiKey, kCount>& keys, ImGuiID owner) {
  for (const ImGuiKey key : keys)
    ImGui::SetKeyOwner(key, owner);
}

// -1, 0 or 1 by the first or second of the keys.
int step(const std::array<ImGuiKey, 2>& keys) {
  ImGui::SetKeyOwner(keys[0], ImGui::GetItemID());
  ImGui::SetKeyOwner(keys[1], ImGui::GetItemID());
  return static_cast<int>(ImGui::IsKeyPressed(keys[1])) -
         static_cast<int>(ImGui::IsKeyPressed(keys[0]));
}

// Whether the item got the focus by an arrow key in this very frame, before it was drawn: the key
// has done its work.
bool just_given() {
  return ImGui::GetStateStorage()->GetInt(ImGui::GetItemID(), -1) == ImGui::GetFrameCount();
}

ImGuiID window_id() {
  return ImGui::GetID("keys");
}

}  // namespace

bool something_focused() {
  return ImGui::GetIO().NavVisible;
}

bool item_focused() {
  return ImGui::GetIO().NavVisible && ImGui::IsItemFocused();
}

ArrowStep arrows_left_right() {
  if (!item_focused() || just_given()) return {};
  return {step(kAcross), 0};
}

ArrowStep arrows_both_ways() {
  if (!item_focused() || just_given()) return {};
  return {step(kAcross), step(kAlong)};
}

void move_focus(ImGuiID item) {
  ImGui::SetFocusID(item, ImGui::GetCurrentWindow());
  ImGui::SetNavCursorVisible(true);
  ImGui::GetStateStorage()->SetInt(item, ImGui::GetFrameCount());
}

void leave_arrows(Painter& painter) {
  if (item_focused()) painter.arrows_left = true;
}

void share_arrows(const Painter& painter) {
  const bool menu = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const bool typing = ImGui::GetIO().WantTextInput;
  // Pages are for the window also while an item has the focus; they would give it to another one.
  if (!menu) own(kPages, window_id());
  if (typing || (!menu && (!something_focused() || painter.arrows_left))) keep_arrows_from_focus();
}

void give_focus_back(Painter& painter) {
  const bool open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const bool closed = std::exchange(painter.popup_open, open) && !open;
  if (closed && !painter.focused_below) ImGui::SetNavCursorVisible(false);
  if (!open && !closed) painter.focused_below = something_focused();
}

void keep_arrows_from_focus() {
  own(kAcross, window_id());
  own(kAlong, window_id());
}

void keep_tab_from_focus() {
  own(std::array{ImGuiKey_Tab}, window_id());
}

void draw_focus_ring(const Painter& painter) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* window = g.NavWindow;
  if (!g.IO.NavVisible || window == nullptr || !g.NavIdIsAlive) return;
  ImRect item = ImGui::WindowRectRelToAbs(window, window->NavRectRel[g.NavLayer]);
  item.Expand(painter.px(kRingAround));
  const float line = std::max(1.0F, painter.px(kRing));
  ImRect clip = window->ClipRect;
  clip.Expand(painter.px(kRingAround + kRing));
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->PushClipRect(clip.Min, clip.Max);
  list->AddRect(item.Min, item.Max, packed(painter.palette->baseline), painter.px(6), line);
  list->PopClipRect();
}

}  // namespace dispersion
