// The window as the program opens it, but with runs kept however short. Prints "trained" once a
// step of a new run is done. Usage: keeping_window FOLDER

#include <cstdio>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/commands/gui.h"

int main(int argc, char** argv) {
  using namespace dispersion;
  if (argc != 2) return 2;
  LabOptions options;
  options.keeping = {.folder = argv[1], .least_seconds = 0};
  bool told = false;
  const auto tell = [&told](Lab& lab) {
    lab.after_drawing = [&told, &lab] {
      if (told || lab.app().history.size() == 0) return;
      told = true;
      std::puts("trained");
      std::fflush(stdout);
    };
  };
  return show_window(options, window_backends(), load_head({}).checkpoint, "a test", tell);
}
