#include "app/commands/command_line.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include "app/commands/animate.h"
#include "app/commands/bounds.h"
#include "app/commands/depth.h"
#include "app/commands/evaluate.h"
#include "app/commands/figure.h"
#include "app/commands/fit.h"
#include "app/commands/gui.h"
#include "app/commands/headless.h"
#include "app/commands/help_format.h"
#include "app/commands/info.h"
#include "app/commands/precision.h"
#include "app/commands/spread.h"
#include "app/commands/standard_streams.h"
#include "app/commands/streaming.h"
#include "app/commands/study.h"
#include "app/commands/suggestion.h"
#include "app/commands/surface.h"
#include "app/commands/table.h"
#include "app/commands/train.h"
#include "app/commands/usage_error.h"
#include "app/commands/verify.h"
#include "core/build_info.h"
#include "core/io/error.h"

namespace dispersion {
namespace {

constexpr int kFailure = 1;
constexpr int kWrongUsage = 2;

constexpr const char* kFooter =
    "Without a subcommand the window opens; without a display, a head is trained for a minute and\n"
    "figures of before and after are written.\n"
    "Exit code: 0, 1 for a failure, 2 for wrong usage, 130 after Ctrl-C.\n\n"
    "Examples:\n"
    "  dispersion_lab\n"
    "  dispersion_lab train --steps 20000 --seed 1\n"
    "  dispersion_lab evaluate --sizes 16,256,4096";

bool has_display() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

int run_without_subcommand() {
  if (has_display()) return run_window(GuiOptions());
  const HeadlessOptions options;
  print(
      "No display (neither DISPLAY nor WAYLAND_DISPLAY is set): instead of opening a window, a "
      "head\n"
      "is trained for a minute and drawn before and after; the figures go to " +
      options.out.string() + ".\n");
  return run_headless(options);
}

void add_gui_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<GuiOptions>();
  CLI::App& command = *app.add_subcommand("gui", "Open the window");
  command.footer("Example:\n  dispersion_lab gui --checkpoint runs/default/seed1.safetensors");
  command
      .add_option("--checkpoint", options->checkpoint,
                  "Head to show first (default: the trained head inside the program)")
      ->type_name("FILE");
  command.callback([options, &exit_code] { exit_code = run_window(*options); });
}

struct VerifyOptions {
  std::filesystem::path folder;
  bool json = false;
};

void add_verify_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App& command =
      *app.add_subcommand("verify", "Recompute the reference values in a folder and compare them");
  command.footer(
      "Prints the worst error of every quantity against its tolerance; exit code 1 if one is "
      "above.\n\n"
      "Example:\n"
      "  dispersion_lab verify tests/golden");
  command.add_option("FOLDER", options->folder, "Folder with reference values")->required();
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.callback([options, &exit_code] {
    std::error_code ignored;
    if (!std::filesystem::is_directory(options->folder, ignored)) {
      throw FileError(options->folder, "is no folder; expected one with reference values");
    }
    exit_code = run_verify(options->folder, options->json);
  });
}

int refuse_usage(const CLI::App& app, const std::string& what) {
  const CLI::App& command = chosen_command(app);
  const std::string name = app.get_name() + (&command == &app ? "" : " " + command.get_name());
  print_error(what + "; see " + name + " --help");
  return kWrongUsage;
}

int carry_out(int argc, const char* const* argv) {
  int exit_code = 0;
  CLI::App app(
      "Trains the max-retrieval head of \"Softmax is not enough\" and shows how its attention "
      "disperses as the number of items grows.",
      "dispersion_lab");
  app.formatter(std::make_shared<HelpFormat>());  // subcommands take it over
  app.footer(kFooter);
  app.set_version_flag("--version", std::string(build_info().version));
  app.require_subcommand(0, 1);
  add_gui_command(app, exit_code);
  add_train_command(app, exit_code);
  add_evaluate_command(app, exit_code);
  add_table_command(app, exit_code);
  add_study_command(app, exit_code);
  add_fit_command(app, exit_code);
  add_figure_command(app, exit_code);
  add_animate_command(app, exit_code);
  add_verify_command(app, exit_code);
  add_spread_command(app, exit_code);
  add_surface_command(app, exit_code);
  add_bounds_command(app, exit_code);
  add_depth_command(app, exit_code);
  add_streaming_command(app, exit_code);
  add_precision_command(app, exit_code);
  add_headless_command(app, exit_code);
  add_info_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version) {
    print("dispersion_lab " + std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::Success&) {  // --help
    print(app.help());
    return 0;
  } catch (const CLI::ExtrasError&) {
    return refuse_usage(app, unknown_arguments_text(app));
  } catch (const CLI::RequiredError& error) {
    // A misspelt argument is the likelier reason for a missing one.
    const bool unknown = !app.remaining(true).empty();
    return refuse_usage(app, unknown ? unknown_arguments_text(app) : error.what());
  } catch (const CLI::ArgumentMismatch& error) {
    return refuse_usage(app, repeated_argument_text(app, error.what()));
  } catch (const CLI::ParseError& error) {
    return refuse_usage(app, error.what());
  } catch (const UsageError& error) {
    return refuse_usage(app, error.what());
  }
  if (app.get_subcommands().empty()) return run_without_subcommand();
  return exit_code;
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  prepare_standard_streams();
  try {
    return carry_out(argc, argv);
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
  } catch (const std::exception& error) {
    print_error(error.what());
  }
  return kFailure;
}

}  // namespace dispersion
