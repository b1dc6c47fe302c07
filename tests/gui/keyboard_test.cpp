// What the keys of four keyboards do, without a keyboard: the layouts as tables, through the same
// functions that take the presses of a real one.

#include "app/window/keyboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/keys.h"

namespace dispersion {
namespace {

// The keys that write something, row by row, as GLFW calls them: the places of a US keyboard, and
// the key beside the left Shift that it lacks.
constexpr std::array<int, 48> kPlaces = {'`',  '1',
                                         '2',  '3',
                                         '4',  '5',
                                         '6',  '7',
                                         '8',  '9',
                                         '0',  '-',
                                         '=',  'Q',
                                         'W',  'E',
                                         'R',  'T',
                                         'Y',  'U',
                                         'I',  'O',
                                         'P',  '[',
                                         ']',  'A',
                                         'S',  'D',
                                         'F',  'G',
                                         'H',  'J',
                                         'K',  'L',
                                         ';',  '\'',
                                         '\\', GLFW_KEY_WORLD_1,
                                         'Z',  'X',
                                         'C',  'V',
                                         'B',  'N',
                                         'M',  ',',
                                         '.',  '/'};

// What these keys write, without and with Shift. ~ stands for a dead key, which writes nothing by
// itself and has no name.
struct Layout {
  const char* name;
  std::u32string_view plain;
  std::u32string_view shifted;
};
constexpr std::array<Layout, 4> kLayouts = {{
    {"us", U"`1234567890-=qwertyuiop[]asdfghjkl;'\\<zxcvbnm,./",
     U"~!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:\"|>ZXCVBNM<>?"},
    {"de", U"~1234567890ß~qwertzuiopü+asdfghjklöä#<yxcvbnm,.-",
     U"°!\"§$%&/()=?~QWERTZUIOPÜ*ASDFGHJKLÖÄ'>YXCVBNM;:_"},
    {"fr", U"²&é\"'(-è_çà)=azertyuiop~$qsdfghjklmù*<wxcvbn,;:!",
     U"~1234567890°+AZERTYUIOP~£QSDFGHJKLM%µ>WXCVBN?./§"},
    {"ch", U"§1234567890'~qwertzuiopè~asdfghjkléà$<yxcvbnm,.-",
     U"°+\"*ç%&/()=?~QWERTZUIOPü!ASDFGHJKLöä£>YXCVBNM;:_"},
}};

std::string utf8(char32_t character) {
  if (character == U'~') return "";
  if (character < 0x80) return {static_cast<char>(character)};
  return {static_cast<char>(0xC0 | (character >> 6)), static_cast<char>(0x80 | (character & 0x3F))};
}

// The chords that one press gives: that of its place, and that of its character.
std::vector<ImGuiKeyChord> chords(const Layout& layout, std::size_t i, const HeldModifiers& held) {
  const ImGuiKeyChord modifiers =
      (held.control ? ImGuiMod_Ctrl : 0) | (held.shift ? ImGuiMod_Shift : 0);
  const char32_t character = held.shift ? layout.shifted[i] : layout.plain[i];
  std::vector<ImGuiKeyChord> all;
  for (const ImGuiKey key : {key_of_place(kPlaces[i], utf8(layout.plain[i]), held),
                             key_of_character(character, kPlaces[i], held)}) {
    if (key != ImGuiKey_None) all.push_back(modifiers | key);
  }
  return all;
}

// The chord of the key that writes this character, on this layout.
std::vector<ImGuiKeyChord> chords_of(const Layout& layout, char32_t character, bool control) {
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    if (layout.plain[i] == character) return chords(layout, i, {.control = control});
    if (layout.shifted[i] == character)
      return chords(layout, i, {.control = control, .shift = true});
  }
  return {};
}

// How many commands of the window this chord carries out.
int actions_here(ImGuiKeyChord chord) {
  static const std::vector<Action> all = [] {
    AppState app;
    app.experiments.views = window_views();
    return actions(app, PanelState());
  }();
  return actions_of(all, chord);
}

class KeyboardLayout : public testing::TestWithParam<Layout> {};

TEST_P(KeyboardLayout, NoPressHasTwoActions) {
  const Layout& layout = GetParam();
  ASSERT_EQ(layout.plain.size(), kPlaces.size());
  ASSERT_EQ(layout.shifted.size(), kPlaces.size());
  int actions = 0;
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    for (const bool control : {false, true}) {
      for (const bool shift : {false, true}) {
        int of_press = 0;
        for (const ImGuiKeyChord chord : chords(layout, i, {.control = control, .shift = shift}))
          of_press += actions_here(chord);
        EXPECT_LE(of_press, 1) << "place " << kPlaces[i] << (control ? " Ctrl" : "")
                               << (shift ? " Shift" : "");
        actions += of_press;
      }
    }
  }
  // Nine views, theta, seven letters; with Ctrl two zooms, its end, six letters, and one more with
  // Shift: at least one press for each.
  EXPECT_GE(actions, 27);
}

TEST_P(KeyboardLayout, LettersGoByCharacter) {
  for (const char letter : std::string_view("aftpsrn")) {
    const auto all = chords_of(GetParam(), static_cast<char32_t>(letter), false);
    EXPECT_EQ(all, std::vector<ImGuiKeyChord>{ImGuiKey_A + (letter - 'a')}) << letter;
    EXPECT_EQ(actions_here(all.at(0)), 1) << letter;
  }
  for (const char letter : std::string_view("socedz")) {
    const auto all = chords_of(GetParam(), static_cast<char32_t>(letter), true);
    EXPECT_EQ(all, std::vector<ImGuiKeyChord>{ImGuiMod_Ctrl | (ImGuiKey_A + (letter - 'a'))});
    EXPECT_EQ(actions_here(all.at(0)), 1) << letter;
  }
}

TEST_P(KeyboardLayout, SignsGoByCharacter) {
  for (const char32_t sign : {U'+', U'-'}) {
    const auto all = chords_of(GetParam(), sign, true);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(actions_here(all[0]), 1);
    EXPECT_EQ(all[0] & ~ImGuiMod_Mask_, sign == U'+' ? ImGuiKey_KeypadAdd : ImGuiKey_Minus);
  }
}

TEST_P(KeyboardLayout, DigitsGoByPlaceAndByCharacter) {
  const Layout& layout = GetParam();
  for (std::size_t i = 1; i <= 10; ++i) {
    const ImGuiKey key = static_cast<ImGuiKey>(ImGuiKey_0 + static_cast<int>(i % 10));
    EXPECT_EQ(chords(layout, i, {}), std::vector<ImGuiKeyChord>{key});
    EXPECT_EQ(actions_here(key), 1);
    const auto written = chords_of(layout, U'0' + static_cast<char32_t>(i % 10), false);
    ASSERT_EQ(written.size(), 1U);
    EXPECT_EQ(written[0] & ~ImGuiMod_Mask_, key);
    EXPECT_EQ(actions_here(written[0]), 1);
  }
  // Ctrl and 0, by place and by character, end the zoom.
  for (const auto& all : {chords(layout, 10, {.control = true}), chords_of(layout, U'0', true)}) {
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(actions_here(all[0]), 1);
    EXPECT_EQ(all[0] & ~ImGuiMod_Mask_, ImGuiKey_0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, KeyboardLayout, testing::ValuesIn(kLayouts),
                         [](const auto& layout) { return std::string(layout.param.name); });

TEST(Keyboard, OtherAlphabetsGoByPlace) {
  EXPECT_EQ(key_of_place('T', "е", {}), ImGuiKey_T);
  EXPECT_EQ(key_of_place('T', "τ", {}), ImGuiKey_T);
  EXPECT_EQ(key_of_place('T', "", {}), ImGuiKey_T);
  EXPECT_EQ(key_of_place('T', "è", {}), ImGuiKey_None);
  EXPECT_EQ(key_of_place(';', "ж", {}), ImGuiKey_None);
}

TEST(Keyboard, TheKeypadActsOnce) {
  const HeldModifiers control = {.control = true};
  EXPECT_EQ(key_of_place(GLFW_KEY_KP_ADD, "+", control), ImGuiKey_KeypadAdd);
  EXPECT_EQ(key_of_character('+', GLFW_KEY_KP_ADD, control), ImGuiKey_None);
  EXPECT_EQ(key_of_place(GLFW_KEY_KP_3, "3", {}), ImGuiKey_Keypad3);
  EXPECT_EQ(key_of_character('3', GLFW_KEY_KP_3, {}), ImGuiKey_None);
}

// How often a chord and the key alone count as pressed in the frames after these presses, which all
// came in one frame.
struct Counts {
  int chord = 0;
  int alone = 0;
};
Counts presses_of(const std::vector<std::pair<int, Keyboard::Action>>& events) {
  ImGuiContext* context = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {100, 100};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  Keyboard keyboard;
  HeldModifiers held;
  for (const auto& [place, action] : events) {
    if (place == GLFW_KEY_LEFT_CONTROL) held.control = action == Keyboard::Action::kPress;
    keyboard.key(place, place == 'A' ? "a" : "", action, held);
  }
  Counts counts;
  for (int frame = 0; frame < 10; ++frame) {
    ImGui::NewFrame();
    counts.chord += pressed(ImGuiMod_Ctrl | ImGuiKey_A);
    counts.alone += pressed(ImGuiKey_A);
    ImGui::EndFrame();
  }
  ImGui::DestroyContext(context);
  return counts;
}

TEST(Keyboard, AChordInOneFrameIsAChordAndAKeyAfterOneIsNone) {
  using Action = Keyboard::Action;
  const auto chord = presses_of({{GLFW_KEY_LEFT_CONTROL, Action::kPress},
                                 {'A', Action::kPress},
                                 {'A', Action::kRelease},
                                 {GLFW_KEY_LEFT_CONTROL, Action::kRelease}});
  EXPECT_EQ(chord.chord, 1);
  EXPECT_EQ(chord.alone, 0);
  const auto after = presses_of({{GLFW_KEY_LEFT_CONTROL, Action::kPress},
                                 {GLFW_KEY_LEFT_CONTROL, Action::kRelease},
                                 {'A', Action::kPress},
                                 {'A', Action::kRelease}});
  EXPECT_EQ(after.chord, 0);
  EXPECT_EQ(after.alone, 1);
}

}  // namespace
}  // namespace dispersion
