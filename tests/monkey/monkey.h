#pragma once

#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>

#include "app/panels/lab.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {

// How far it has come, for a watch that ends a program which hangs.
struct Pulse {
  std::atomic<std::uint64_t> frames = 0;
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

  const std::map<Kind, int>& counts() const { return counts_; }
  std::size_t most_memory() const { return most_memory_; }
  double longest_close() const { return longest_close_; }  // seconds
  int undone() const { return undone_; }                   // checks of undo that were made

 private:
  void open();
  void rest();
  void wait_for_worker();
  void undo_and_redo();
  bool steps_are(std::size_t count);
  void check_memory();
  void look_at_frame();
  void throw_what_was_seen();

  Playground playground_;
  std::ostream& log_;
  Pulse& pulse_;
  std::shared_ptr<PretendedDevice> device_ = std::make_shared<PretendedDevice>();
  std::unique_ptr<Lab> lab_;
  std::unique_ptr<Hand> hand_;
  std::map<Kind, int> counts_;
  std::uint64_t acts_ = 0;
  std::string seen_;  // what was wrong with a frame; empty: nothing
  int undone_ = 0;
  std::size_t most_memory_ = 0;
  double longest_close_ = 0;
};

}  // namespace dispersion::monkey
