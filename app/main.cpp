#include "app/commands/commands.h"

int main(int argc, char** argv) {
  return dispersion::run_command_line(argc, argv);
}
