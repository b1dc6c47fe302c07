#pragma once

#include <imgui.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/actions_table.h"
#include "app/panels/lab.h"
#include "tests/fuzz/random.h"
#include "tests/gui/pretended_device.h"
#include "tests/monkey/playground.h"

namespace dispersion::monkey {

// From 0 to 1.
inline double share(fuzz::Random& dice) {
  return static_cast<double>(dice.below(1'000'001)) / 1e6;
}

// What acts are made of: moves the pointer of an open window, presses its keys, carries out its
// actions. Events go in where those of the desktop do.
class Hand {
 public:
  // `after_frame` is called whenever a frame was drawn.
  Hand(Lab& lab, const Playground& playground, PretendedDevice& device,
       std::function<void()> after_frame);

  Lab& lab() { return lab_; }
  AppState& app() { return lab_.app(); }
  PretendedDevice& device() { return device_; }
  const Playground& playground() const { return playground_; }
  std::vector<std::string>& states() { return states_; }

  void frames(int count);

  // `place` in shares of the window.
  void point(ImVec2 place);
  ImVec2 any_place(fuzz::Random& dice) const;
  // Where an item was under the pointer; anywhere when there was none.
  ImVec2 met_place(fuzz::Random& dice) const;
  void press(ImGuiKeyChord chord);
  // Presses or releases the modifiers of a chord.
  void hold_modifiers(ImGuiKeyChord chord, bool down);
  ImGuiKeyChord any_modifiers(fuzz::Random& dice) const;

  std::string any_text(fuzz::Random& dice) const;
  void type_text(const std::string& text);
  // Enter, Tab, Escape or nothing.
  void end_entry(fuzz::Random& dice);
  // Whether a dialog that writes files is open. Nothing is taken away from a path there, so that it
  // stays in the playground.
  bool writes_a_file();

  // As panels do it: while a frame is drawn, so that it counts as the user's doing.
  void in_frame(std::function<void()> act);
  std::vector<Action> all_actions() { return actions(lab_.app(), lab_.panels()); }
  void run(const std::string& id);
  // Some of these, one after the other; returns which.
  std::string run_some(std::span<const std::string_view> ids, std::size_t most, fuzz::Random& dice);
  Actor actor() { return {lab_.app(), lab_.session(), lab_.panels()}; }

  // Nothing is held, typed or asked any more.
  void let_go();

 private:
  Lab& lab_;
  Playground playground_;
  PretendedDevice& device_;
  std::function<void()> after_frame_;
  std::function<void()> in_frame_;  // to be done in the next frame; null: nothing
  std::vector<std::string> garbage_;
  std::vector<std::string> states_;  // copied earlier
  std::vector<ImVec2> met_;          // places where an item was under the pointer
};

}  // namespace dispersion::monkey
