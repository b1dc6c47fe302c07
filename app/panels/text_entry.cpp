#include "app/panels/text_entry.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace dispersion {
namespace {

// Appends the character as UTF-8 if there is room for it.
void append(std::span<char> text, unsigned int character) {
  char bytes[5] = {};
  ImTextCharToUtf8(bytes, character);
  const std::string_view added = bytes;
  const std::size_t used = std::strlen(text.data());
  if (used + added.size() + 1 > text.size()) return;
  std::memcpy(text.data() + used, bytes, added.size() + 1);
}

// Takes the characters of this frame, which Dear ImGui would drop.
void type_ahead(std::span<char> text, EntryFocus& focus) {
  ImVector<ImWchar>& characters = ImGui::GetIO().InputQueueCharacters;
  for (const ImWchar character : characters) {
    if (character < ' ' || character == 0x7F) continue;
    if (!std::exchange(focus.typed_ahead, true)) text[0] = '\0';
    append(text, character);
  }
  characters.resize(0);
}

// Puts the cursor behind the text, which Dear ImGui has selected as a whole.
void go_to_end() {
  ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetItemID());
  if (state != nullptr) state->SetSelection(state->TextLen, state->TextLen);
}

}  // namespace

bool keyboard_field(const char* id, std::span<char> text, ImGuiInputTextFlags flags,
                    ImGuiInputTextCallback callback, void* data) {
  bool& keep = ImGui::GetIO().ConfigInputTextEnterKeepActive;
  const bool before = std::exchange(keep, true);
  const bool entered = ImGui::InputText(
      id, text.data(), text.size(), flags | ImGuiInputTextFlags_EnterReturnsTrue, callback, data);
  keep = before;
  if (entered) go_to_end();
  return entered;
}

void leave_keyboard_field() {
  ImGui::GetCurrentContext()->InputTextReactivateId = 0;
}

bool typed_text_changed() {
  const ImGuiID item = ImGui::GetActiveID();
  const ImGuiInputTextState* state = item == 0 ? nullptr : ImGui::GetInputTextState(item);
  if (state == nullptr) return false;
  const std::string_view before(
      state->TextToRevertTo.Data,
      static_cast<std::size_t>(std::max(0, state->TextToRevertTo.Size - 1)));
  return before != std::string_view(state->TextA.Data, static_cast<std::size_t>(state->TextLen));
}

bool focused_field(const char* id, std::span<char> text, EntryFocus& focus,
                   ImGuiInputTextFlags flags, ImGuiInputTextCallback callback, void* data) {
  if (std::exchange(focus.wanted, false)) {
    ImGui::SetKeyboardFocusHere();
    focus.waiting = true;
  }
  const bool waited = focus.waiting;
  if (waited) type_ahead(text, focus);
  bool entered = keyboard_field(id, text, flags, callback, data);
  if (waited)
    entered = entered || ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
              ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
  if (ImGui::IsItemActive()) {
    focus.waiting = false;
    if (std::exchange(focus.typed_ahead, false)) go_to_end();
  }
  return entered;
}

}  // namespace dispersion
