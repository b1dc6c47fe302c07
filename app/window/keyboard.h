#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace dispersion {

// Which keys of Dear ImGui a press on the user's keyboard stands for, whatever its layout. Letters
// and signs go by their character: Z is where the layout has it, and Ctrl and + is the chord that
// writes a +. The digit row goes by its place without Shift, and by its characters: with Shift on a
// French keyboard. A letter of an alphabet other than the Latin one goes by its place. Every press
// is one key at most.

struct HeldModifiers {
  bool control = false;
  bool shift = false;
  bool alt = false;
  bool super = false;
};

// The key of Dear ImGui for a press on the key that GLFW calls `place`; ImGuiKey_None where only
// the character counts. `name`: what the layout writes there without Shift, in UTF-8; empty when it
// is not known.
ImGuiKey key_of_place(int place, std::string_view name, const HeldModifiers& held);

// The key for a character that a press on the key `place` wrote; ImGuiKey_None for characters that
// do nothing, and where key_of_place() has given the key already. A plus is the keypad's.
ImGuiKey key_of_character(unsigned int character, int place, const HeldModifiers& held);

// Passes the presses that GLFW reports on to the current Dear ImGui context.
class Keyboard {
 public:
  enum class Action { kPress, kRepeat, kRelease };

  void key(int place, std::string_view name, Action action, const HeldModifiers& held);
  // Follows key() for every character, also while Ctrl or Alt is held. Text goes to Dear ImGui by
  // its own callback.
  void character(unsigned int character, const HeldModifiers& held);

 private:
  static constexpr std::size_t kPlaces = 512;  // more than GLFW_KEY_LAST

  std::array<ImGuiKey, kPlaces> pressed_{};  // as what each key was pressed
  int place_ = -1;                           // of the newest press
  bool repeated_ = false;                    // the newest press is a repetition of a held key
};

}  // namespace dispersion
