#pragma once

#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "app/panels/lab.h"
#include "tests/monkey/act.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {

// How far it has come, for a watch that ends a program which hangs.
struct Pulse {
  std::atomic<std::uint64_t> frames = 0;
};

// What was done, and how often what has to hold was looked at.
struct Counts {
  std::map<std::string_view, int> acts;  // of each kind
  int states = 0;                        // settings that came back from their string
  int figures = 0;                       // in which no number was amiss
  std::uint64_t vertices = 0;            // drawn, all finite
  int answers = 0;                       // of the worker, waited for
  int undone = 0;                        // steps that were undone and done again
  std::size_t most_memory = 0;           // bytes
  double longest_close = 0;              // seconds
};

// Plays with the window as the program opens it, on a pretended device that can be lost, and checks
// after each act what has to hold.
class Monkey {
 public:
  // `log`: every act is written there before it is carried out.
  Monkey(const Playground& playground, std::ostream& log, Pulse& pulse);
  ~Monkey();

  void play(const Act& act);  // throws Fault
  void close();               // the window, as the user does; throws Fault

  const Counts& counts() const { return counts_; }

 private:
  void open();
  void rest();
  void wait_for_worker();
  void undo_and_redo();
  void go_back_and_forth();
  // Asks to undo one step, or to do one again where negative, and waits.
  void take_step(int step);
  void look_at_memory();
  void look_at_frame();
  void throw_what_was_seen();

  Playground playground_;
  std::ostream& log_;
  Pulse& pulse_;
  std::shared_ptr<PretendedDevice> device_ = std::make_shared<PretendedDevice>();
  std::unique_ptr<Lab> lab_;
  std::unique_ptr<Hand> hand_;
  Counts counts_;
  std::uint64_t acts_ = 0;
  std::string seen_;  // what was wrong with a frame; empty: nothing
};

}  // namespace dispersion::monkey
