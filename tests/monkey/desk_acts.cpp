// What makes the window a desk: states, bookmarks, A beside B, several panes.

#include <array>

#include "app/session/state_string.h"
#include "tests/monkey/acts.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

std::string copy_state(Hand& hand) {
  hand.run("state.copy");
  const char* copied = ImGui::GetClipboardText();
  if (copied != nullptr) hand.states().emplace_back(copied);
  return "copied";
}

std::string state(Hand& hand, fuzz::Random& dice) {
  if (hand.states().empty() || dice.one_in(3)) return copy_state(hand);
  std::string text = dice.pick(hand.states());
  if (dice.one_in(4) && !text.empty()) text[dice.below(text.size())] = 'A';
  if (dice.one_in(6)) text = hand.any_text(dice);
  ImGui::SetClipboardText(text.c_str());
  hand.run("state.paste");
  hand.frames(2);
  return "opened";
}

// Keeps a state under any name, opens one, changes or removes one.
std::string bookmark(Hand& hand, fuzz::Random& dice) {
  const AppState& app = hand.app();
  const bool some = app.bookmarks && !app.bookmarks->empty();
  if (some && dice.one_in(2)) {
    hand.run("bookmark." + dice.pick(*app.bookmarks).id);
    hand.frames(1);
    return "opened";
  }
  BookmarkCommand command;
  command.folder = app.bookmarks_folder;
  if (some && dice.one_in(2)) {
    command.bookmark = dice.pick(*app.bookmarks);
    command.act = dice.one_in(2) ? BookmarkCommand::Act::kRemove : BookmarkCommand::Act::kChange;
  } else {
    command.bookmark.state = state_string(app);
  }
  command.bookmark.name = hand.any_text(dice);
  command.bookmark.note = hand.any_text(dice);
  hand.lab().session().send(command);
  hand.frames(2);
  return command.bookmark.id.empty() ? "kept" : "changed " + command.bookmark.id;
}

// Pins A, changes places with it, and looks at the difference.
std::string compare(Hand& hand, fuzz::Random& dice) {
  constexpr std::array<std::string_view, 4> kIds = {"compare.pin", "compare.swap", "compare.swap",
                                                    "compare.difference"};
  return hand.run_some(kIds, 4, dice);
}

std::string panes(Hand& hand, fuzz::Random& dice) {
  constexpr std::array<ImGuiKeyChord, 8> kChords = {ImGuiMod_Ctrl | ImGuiKey_1,
                                                    ImGuiMod_Ctrl | ImGuiKey_2,
                                                    ImGuiMod_Ctrl | ImGuiKey_3,
                                                    ImGuiMod_Ctrl | ImGuiKey_4,
                                                    ImGuiKey_F6,
                                                    ImGuiKey_F6,
                                                    ImGuiKey_D,
                                                    ImGuiMod_Ctrl | ImGuiKey_H};
  const ImGuiKeyChord chosen = dice.pick(kChords);
  hand.press(chosen);
  return chord_text(chosen);
}

constexpr std::array<ActKind, 4> kActs = {{{"state", 20, state},
                                           {"bookmark", 16, bookmark},
                                           {"compare", 20, compare},
                                           {"panes", 20, panes}}};

}  // namespace

std::span<const ActKind> desk_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
