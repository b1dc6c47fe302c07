#include "app/panels/chord.h"

#include <array>

namespace dispersion {
namespace {

struct Modifier {
  ImGuiKeyChord chord;
  ImGuiKey left;
  ImGuiKey right;
};
constexpr std::array<Modifier, 4> kModifiers = {
    {{ImGuiMod_Ctrl, ImGuiKey_LeftCtrl, ImGuiKey_RightCtrl},
     {ImGuiMod_Shift, ImGuiKey_LeftShift, ImGuiKey_RightShift},
     {ImGuiMod_Alt, ImGuiKey_LeftAlt, ImGuiKey_RightAlt},
     {ImGuiMod_Super, ImGuiKey_LeftSuper, ImGuiKey_RightSuper}}};

}  // namespace

ImGuiKeyChord modifiers() {
  ImGuiKeyChord held = ImGui::GetIO().KeyMods;
  for (const Modifier& modifier : kModifiers) {
    if (ImGui::IsKeyReleased(modifier.left) || ImGui::IsKeyReleased(modifier.right))
      held |= modifier.chord;
  }
  return held;
}

bool pressed(ImGuiKeyChord chord) {
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  return modifiers() == (chord & ImGuiMod_Mask_) && ImGui::IsKeyPressed(key, false);
}

}  // namespace dispersion
