#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "app/session/mailbox.h"

namespace dispersion {

// What an exported figure says of the state of the window that it was made from.
struct FigureState {
  std::string text;   // a state string (state_string.h)
  std::string error;  // why there is none; empty: there is one
};

// Reads the provenance of the file. Never throws.
FigureState read_figure_state(const std::filesystem::path& file);

// Does so on a thread of its own. Of the files that wait only the newest counts.
class FigureOpener {
 public:
  // `wake` is called from the thread when an answer is there; it must neither block nor throw.
  explicit FigureOpener(std::function<void()> wake);
  FigureOpener(const FigureOpener&) = delete;
  FigureOpener& operator=(const FigureOpener&) = delete;

  void read(std::filesystem::path file);  // does not wait
  std::optional<FigureState> take();
  // Whether a file is still to be answered.
  bool reading() const { return answered_ < asked_; }

 private:
  struct Question {
    std::filesystem::path file;
    std::uint64_t number = 0;
  };
  struct Answer {
    FigureState state;
    std::uint64_t number = 0;  // of its question
  };

  void run(const std::stop_token& stop);

  std::function<void()> wake_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  WakeSignal wake_signal_;
  Latest<Question> questions_;
  Latest<Answer> answers_;
  std::jthread thread_;  // the last member, so that it is joined before the others are destroyed
};

}  // namespace dispersion
