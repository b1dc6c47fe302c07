#pragma once

#include <imgui.h>

#include <span>

namespace dispersion {

// Fields into which the user types. After Enter they keep the keyboard, so that when the entry is
// refused, what is typed next goes into the field again and is not taken for shortcuts.

// A field for the text, which ends with a zero. Returns whether Enter was pressed.
bool keyboard_field(const char* id, std::span<char> text, ImGuiInputTextFlags flags = 0,
                    ImGuiInputTextCallback callback = nullptr, void* data = nullptr);

// Lets the keyboard go after an entry that was accepted. To be called right after the field.
void leave_keyboard_field();

// Whether the field in which the user types now has another text than when it was entered: Esc
// takes that back.
bool typed_text_changed();

// The focus of a field that gets the keyboard when it appears.
struct EntryFocus {
  bool wanted = false;       // the field is to get the keyboard
  bool waiting = false;      // it was asked for, and comes within two frames
  bool typed_ahead = false;  // the text was typed while the field waited
};

// keyboard_field() that gets the focus when it is wanted. What is typed before it has the focus
// replaces the text.
bool focused_field(const char* id, std::span<char> text, EntryFocus& focus,
                   ImGuiInputTextFlags flags = 0, ImGuiInputTextCallback callback = nullptr,
                   void* data = nullptr);

}  // namespace dispersion
