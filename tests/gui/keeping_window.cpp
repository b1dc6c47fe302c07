// The window as the program opens it, but with runs kept after a second of training.
// Usage: keeping_window FOLDER

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/commands/gui.h"

int main(int argc, char** argv) {
  using namespace dispersion;
  if (argc != 2) return 2;
  LabOptions options;
  options.keeping = {.folder = argv[1], .least_seconds = 1};
  return show_window(options, window_backends(), load_head({}).checkpoint, "a test");
}
