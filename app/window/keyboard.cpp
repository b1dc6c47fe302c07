#include "app/window/keyboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

// Of Dear ImGui's backend for GLFW, which does not declare it in its header.
ImGuiKey ImGui_ImplGlfw_KeyToImGuiKey(int keycode, int scancode);

namespace dispersion {
namespace {

bool in_digit_row(int place) {
  return place >= GLFW_KEY_0 && place <= GLFW_KEY_9;
}

bool on_keypad(int place) {
  return place >= GLFW_KEY_KP_0 && place <= GLFW_KEY_KP_EQUAL;
}

// Keys that write something, but the space bar and the keypad.
bool writes(int place) {
  return place >= GLFW_KEY_APOSTROPHE && place <= GLFW_KEY_WORLD_2;
}

ImGuiKey digit_key(int digit) {
  return static_cast<ImGuiKey>(ImGuiKey_0 + digit);
}

ImGuiKey letter_key(int letter) {
  return static_cast<ImGuiKey>(ImGuiKey_A + letter);
}

// Whether the name is a letter of Greek, Cyrillic or an alphabet after them in Unicode (U+0370 and
// up), not an accented Latin letter or a sign.
bool of_another_alphabet(std::string_view name) {
  if (name.size() < 2) return false;
  const auto first = static_cast<unsigned char>(name[0]);
  const auto second = static_cast<unsigned char>(name[1]);
  return first > 0xCD || (first == 0xCD && second >= 0xB0);
}

bool is_modifier(int place) {
  return place >= GLFW_KEY_LEFT_SHIFT && place <= GLFW_KEY_RIGHT_SUPER;
}

// Dear ImGui takes two changes of one key in two frames, so that what is reported after this comes
// in a later frame than what was reported before it. No shortcut has the key.
void end_frame_here() {
  ImGui::GetIO().AddKeyEvent(ImGuiKey_F24, true);
  ImGui::GetIO().AddKeyEvent(ImGuiKey_F24, false);
}

bool is_zoom_sign(std::string_view name) {
  return name == "+" || name == "-" || name == "=";
}

}  // namespace

ImGuiKey key_of_place(int place, std::string_view name, const HeldModifiers& held) {
  if (in_digit_row(place)) {
    // A key that writes a sign, such as the - of a French 6, is that sign together with Ctrl.
    const bool by_character = held.shift || (held.control && is_zoom_sign(name));
    return by_character ? ImGuiKey_None : digit_key(place - GLFW_KEY_0);
  }
  if (!writes(place)) return ImGui_ImplGlfw_KeyToImGuiKey(place, 0);
  if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'z') return letter_key(name[0] - 'a');
  if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') return letter_key(name[0] - 'A');
  const bool letter = place >= GLFW_KEY_A && place <= GLFW_KEY_Z;
  if (letter && (name.empty() || of_another_alphabet(name))) return letter_key(place - GLFW_KEY_A);
  return ImGuiKey_None;
}

ImGuiKey key_of_character(unsigned int character, int place, const HeldModifiers& held) {
  if (on_keypad(place)) return ImGuiKey_None;
  if (character >= '0' && character <= '9') {
    const bool by_place = in_digit_row(place) && !held.shift;
    return by_place ? ImGuiKey_None : digit_key(static_cast<int>(character - '0'));
  }
  if (!held.control) return ImGuiKey_None;
  if (character == '+') return ImGuiKey_KeypadAdd;
  if (character == '-') return ImGuiKey_Minus;
  // Where = is the plus without Shift, Ctrl and = is as good; a German = is Shift and 0.
  return character == '=' && !held.shift ? ImGuiKey_Equal : ImGuiKey_None;
}

void Keyboard::key(int place, std::string_view name, Action action, const HeldModifiers& held) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, held.control);
  io.AddKeyEvent(ImGuiMod_Shift, held.shift);
  io.AddKeyEvent(ImGuiMod_Alt, held.alt);
  io.AddKeyEvent(ImGuiMod_Super, held.super);
  repeated_ = action == Action::kRepeat;
  if (action != Action::kRelease) place_ = place;
  if (repeated_ || place < 0 || static_cast<std::size_t>(place) >= kPlaces) return;
  ImGuiKey& pressed = pressed_[static_cast<std::size_t>(place)];
  if (pressed != ImGuiKey_None) io.AddKeyEvent(std::exchange(pressed, ImGuiKey_None), false);
  // Shortcuts count a modifier as held in the frame of its release (keys.cpp).
  if (action == Action::kRelease && is_modifier(place)) end_frame_here();
  if (action == Action::kRelease) return;
  pressed = key_of_place(place, name, held);
  if (pressed != ImGuiKey_None) io.AddKeyEvent(pressed, true);
}

void Keyboard::character(unsigned int character, const HeldModifiers& held) {
  if (repeated_) return;
  const ImGuiKey key = key_of_character(character, place_, held);
  if (key == ImGuiKey_None) return;
  ImGui::GetIO().AddKeyEvent(key, true);
  ImGui::GetIO().AddKeyEvent(key, false);
}

}  // namespace dispersion
