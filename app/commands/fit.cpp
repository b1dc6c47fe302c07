#include "app/commands/commands.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/backend_choice.h"
#include "app/commands/fit_output.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "core/cpu/cpu_backend.h"

namespace dispersion {
namespace {

constexpr WholeRange kSizeRange = {1, 1 << 24};
constexpr WholeRange kSetsRange = {1, 1'000'000};

struct FitOptions {
  std::filesystem::path checkpoint;
  std::uint32_t seed = 1;
  FitSettings settings;
  bool per_size = false;
  int threads = 0;
  bool json = false;
  bool csv = false;
};

FitRun run_all(const FitOptions& options, const HeadSource& head, Backend& backend,
               InterruptGuard& interrupt) {
  ProgressBar bar;
  FitRun run = start_fit(options.settings);
  while (!interrupt.interrupted() && advance_fit(run, head.checkpoint.state.parameters, backend)) {
    if (bar.due()) bar.update(share_done(run), "searching temperatures");
  }
  return run;
}

int run_fit(const FitOptions& options) {
  if (options.json && options.csv) throw UsageError("choose one of --json and --csv");
  FitOutput output;
  output.head =
      options.checkpoint.empty() ? shipped_head(options.seed) : load_head(options.checkpoint);
  output.per_size = options.per_size;
  InterruptGuard interrupt;
  const auto backend = make_cpu_backend(options.threads);
  output.run = run_all(options, output.head, *backend, interrupt);
  print(options.json  ? json_line(fit_json(output, *backend))
        : options.csv ? fit_csv(output.run)
                      : fit_text(output));
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; the last size may have fewer sets, later ones are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "As many sets are drawn at every size. Where the item with the largest priority has the "
    "largest\n"
    "logit already, colder is always better, and the set is dropped. For the others, theta is the "
    "one\n"
    "of 0.1, 0.2, ... 10 that puts the most attention on that item; 1/theta is then fitted as a\n"
    "polynomial of the entropy at theta = 1. theta = 0 is not tried: softmax is not defined "
    "there.\n\n"
    "Examples:\n"
    "  dispersion_lab fit\n"
    "  dispersion_lab fit --seed 3 --per-size --json\n"
    "  dispersion_lab fit --checkpoint runs/default/seed1.safetensors --csv > scatter.csv";

}  // namespace

void add_fit_command(CommandLine& line) {
  auto options = std::make_shared<FitOptions>();
  Subcommand& command = line.add_subcommand(
      "fit", "Fit the adaptive temperature's polynomial to a head, as the paper does");
  command.footer(kFooter);
  command.add_path("--checkpoint", "FILE", options->checkpoint, "Head to fit");
  command.add_whole("--seed", options->seed, kSeedRange,
                    "Fit the head inside the program that has this seed");
  command.exclude("--seed", {"--checkpoint"});
  command.add_whole_list("--sizes", options->settings.sizes, kSizeRange, "Items per set");
  command.add_whole("--sets", options->settings.sets, kSetsRange, "Sets drawn at every size");
  command.add_whole("--set-seed", options->settings.seed, kSeedRange, "Seed of the sets");
  command.add_flag("--per-size", options->per_size, "Also fit every size on its own");
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.add_flag("--csv", options->csv, "Print the scatter as comma-separated values");
  command.on_run([options] { return run_fit(*options); });
}

}  // namespace dispersion
