#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/completion.h"
#include "app/commands/output.h"
#include "core/build_info.h"

namespace dispersion {
namespace {

constexpr int kFailure = 1;
constexpr int kReaderHasGone = 141;  // what a shell gives for programs that SIGPIPE ends

constexpr const char* kFooter =
    "Without a subcommand the window opens; without a display, a head is trained for a minute and\n"
    "figures of before and after are written.\n"
    "Exit code: 0, 1 for a failure, 2 for wrong usage, 130 after Ctrl-C, 141 when the reader of a\n"
    "pipe has gone.\n\n"
    "Examples:\n"
    "  dispersion_lab\n"
    "  dispersion_lab --state dispersion-lab:1:...\n"
    "  dispersion_lab train --steps 20000 --seed 1\n"
    "  dispersion_lab evaluate --sizes 16,256,4096";

int run_without_command() {
  return has_display() ? run_window({}) : run_without_display();
}

// Options of the window may stand without its command: "--state STATE" is "gui --state STATE".
std::vector<const char*> whole_line(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--state" || first.starts_with("--state=")) words.insert(words.begin() + 1, "gui");
  return words;
}

int carry_out(int argc, const char* const* argv) {
  CommandLine line("dispersion_lab", std::string(build_info().version),
                   "Trains the max-retrieval head of \"Softmax is not enough\" and shows how its "
                   "attention disperses as the number of items grows.",
                   kFooter);
  add_gui_command(line);
  add_train_command(line);
  add_evaluate_command(line);
  add_experiment_commands(line);
  add_describe_command(line);
  add_lesson_command(line);
  add_figure_command(line);
  add_animate_command(line);
  add_verify_command(line);
  add_headless_command(line);
  add_info_command(line);
  // Asked by the completion of a shell, with the words of its line up to the cursor.
  if (argc > 1 && std::string_view(argv[1]) == "--complete") {
    print(completion_lines(line.facts(), {argv + 2, argv + argc}));
    return 0;
  }
  const std::vector<const char*> words = whole_line(argc, argv);
  return line.run(static_cast<int>(words.size()), words.data(), run_without_command);
}

}  // namespace

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

int run_command_line(int argc, const char* const* argv) {
  prepare_standard_streams();
  try {
    return carry_out(argc, argv);
  } catch (const ReaderHasGone&) {
    return kReaderHasGone;
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return kFailure;
}

}  // namespace dispersion
