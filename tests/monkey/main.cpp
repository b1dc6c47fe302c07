// Plays with the window at random, and checks after each act what has to hold (checks.h).
// Usage: gui_monkey [--seed N] [--actions N] [--seconds N] [--replay LIST] [--folder FOLDER]
//                   [--patience SECONDS]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/monkey/checks.h"
#include "tests/monkey/monkey.h"

namespace {

using namespace dispersion;
using namespace dispersion::monkey;
using Clock = std::chrono::steady_clock;

struct Wishes {
  std::uint64_t seed = 1;
  std::uint64_t actions = ~std::uint64_t{0};
  double seconds = 60;
  int patience = 300;  // seconds without a frame after which the program is ended
  std::filesystem::path replay;
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "dispersion_monkey";
};

Wishes read_wishes(int argc, char** argv) {
  Wishes wishes;
  if (const char* seconds = std::getenv("DISPERSION_MONKEY_SECONDS"))
    wishes.seconds = std::strtod(seconds, nullptr);
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--seed") wishes.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--seconds") wishes.seconds = std::strtod(argv[i + 1], nullptr);
    if (name == "--patience") wishes.patience = std::atoi(argv[i + 1]);
    if (name == "--replay") wishes.replay = std::filesystem::absolute(argv[i + 1]);
    if (name == "--folder") wishes.folder = argv[i + 1];
    if (name != "--actions") continue;
    wishes.actions = std::strtoull(argv[i + 1], nullptr, 10);
    wishes.seconds = 1e9;
  }
  return wishes;
}

std::vector<Act> read_list(const std::filesystem::path& file) {
  std::vector<Act> acts;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (const std::optional<Act> act = read_act(line)) acts.push_back(*act);
  }
  return acts;
}

// Ends the program when no frame is drawn for so many seconds: that is a window that hangs. In a
// debugger, a few seconds show what a slow frame or a slow close waits for.
class Watch {
 public:
  Watch(const Pulse& pulse, int patience)
      : thread_([&pulse, patience](const std::stop_token& stop) {
          std::uint64_t seen = 0;
          for (int still = 0; !stop.stop_requested() && still < patience; ++still) {
            if (pulse.frames != seen) still = 0;
            seen = pulse.frames;
            std::this_thread::sleep_for(std::chrono::seconds(1));
          }
          if (stop.stop_requested()) return;
          std::fprintf(stderr, "monkey: the window hangs\n");
          std::abort();
        }) {}

 private:
  std::jthread thread_;
};

class Game {
 public:
  Game(const Wishes& wishes, std::ofstream& log)
      : wishes_(wishes),
        monkey_(make_playground(wishes.folder), log, pulse_),
        watch_(pulse_, wishes.patience) {}

  // Returns whether all was well.
  bool play() {
    try {
      wishes_.replay.empty() ? by_chance() : by_list();
      monkey_.play({&kRest, 0});
      monkey_.close();
    } catch (const std::exception& error) {
      std::printf("monkey: %s\n", error.what());
      return false;
    }
    return true;
  }

  void tell() const {
    const Counts& counts = monkey_.counts();
    int all = 0;
    std::string text;
    for (const auto& [name, count] : counts.acts) {
      text += ", " + std::to_string(count) + " " + std::string(name);
      all += count;
    }
    std::printf("monkey: seed %llu, %d acts%s\n", static_cast<unsigned long long>(wishes_.seed),
                all, text.c_str());
    std::printf(
        "monkey: good: %llu frames of %llu vertices, %d figures, %d states as text, %d steps "
        "undone and redone, %d answers of the worker\n",
        static_cast<unsigned long long>(pulse_.frames),
        static_cast<unsigned long long>(counts.vertices), counts.figures, counts.states,
        counts.undone, counts.answers);
    std::printf("monkey: at most %zu MiB of memory, closed within %.1f s\n",
                counts.most_memory >> 20, counts.longest_close);
  }

 private:
  void by_chance() {
    fuzz::Random random(wishes_.seed);
    const auto end = Clock::now() + std::chrono::duration<double>(wishes_.seconds);
    for (std::uint64_t i = 0; i < wishes_.actions && Clock::now() < end; ++i)
      monkey_.play(next_act(random));
  }

  void by_list() {
    for (const Act& act : read_list(wishes_.replay))
      monkey_.play(act);
  }

  Wishes wishes_;
  Pulse pulse_;
  Monkey monkey_;
  Watch watch_;
};

}  // namespace

int main(int argc, char** argv) {
  const Wishes wishes = read_wishes(argc, argv);
  const std::filesystem::path list = wishes.folder.string() + ".acts";
  std::ofstream log(list);
  std::printf("monkey: seed %llu; to replay: gui_monkey --replay %s\n",
              static_cast<unsigned long long>(wishes.seed), list.c_str());
  std::fflush(stdout);
  Game game(wishes, log);
  const bool good = game.play();
  game.tell();
  std::error_code ignored;
  if (good) std::filesystem::remove_all(wishes.folder, ignored);
  return good ? 0 : 1;
}
