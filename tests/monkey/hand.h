#pragma once

#include <imgui.h>

#include <functional>
#include <string>
#include <vector>

#include "app/panels/actions_table.h"
#include "app/panels/lab.h"
#include "tests/gui/pretended_device.h"
#include "tests/monkey/act.h"
#include "tests/monkey/playground.h"

namespace dispersion::monkey {

// Carries acts out on an open window: moves its pointer, presses its keys, sends commands.
class Hand {
 public:
  // `after_frame` is called whenever a frame was drawn.
  Hand(Lab& lab, const Playground& playground, PretendedDevice& device,
       std::function<void()> after_frame);

  // Returns what was done, for people. kRest and kRestart are not for a hand.
  std::string carry_out(const Act& act);

  void frames(int count);
  void press(ImGuiKeyChord chord);
  // Nothing is held, typed or asked any more.
  void let_go();

 private:
  std::string move(fuzz::Random& dice);
  std::string click(fuzz::Random& dice, ImVec2 place);
  std::string drag(fuzz::Random& dice);
  std::string wheel(fuzz::Random& dice);
  std::string key(fuzz::Random& dice);
  std::string chord(fuzz::Random& dice);
  std::string action(fuzz::Random& dice);
  std::string number(fuzz::Random& dice);
  std::string type(fuzz::Random& dice);
  std::string paste(fuzz::Random& dice);
  std::string find(fuzz::Random& dice);
  std::string state(fuzz::Random& dice);
  std::string undo(fuzz::Random& dice);
  std::string run(fuzz::Random& dice);
  std::string resize(fuzz::Random& dice);
  std::string scale(fuzz::Random& dice);
  std::string minimise(fuzz::Random& dice);
  std::string focus(fuzz::Random& dice);
  std::string drop(fuzz::Random& dice);
  std::string save(fuzz::Random& dice);
  std::string export_figure(fuzz::Random& dice);
  std::string backend(fuzz::Random& dice);
  std::string lose_device(fuzz::Random& dice);

  // As panels do it: while a frame is drawn, so that it counts as the user's doing.
  void in_frame(std::function<void()> act);
  void run_in_frame(const std::string& id);
  ImVec2 any_place(fuzz::Random& dice) const;
  std::string any_text(fuzz::Random& dice) const;
  void point(ImVec2 place);
  void type_text(const std::string& text);
  void end_entry(fuzz::Random& dice);
  bool writes_a_file() const;
  Actor actor() { return {lab_.app(), lab_.session(), lab_.panels()}; }

  Lab& lab_;
  PretendedDevice& device_;
  std::function<void()> after_frame_;
  std::function<void()> in_frame_;  // to be done in the next frame; null: nothing
  std::filesystem::path home_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> garbage_;
  std::vector<std::string> states_;  // copied earlier
  std::vector<ImVec2> met_;          // places where an item was under the pointer
};

}  // namespace dispersion::monkey
