#include "app/commands/commands.h"

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/commands/backend_choice.h"
#include "app/commands/head_source.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/provenance.h"
#include "app/commands/streaming_attention.h"
#include "app/commands/text.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/entropy_surface.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"
#include "core/figure/streaming_figure.h"

namespace dispersion {
namespace {

constexpr WholeRange kSizeRange = {1, 1 << 24};
constexpr WholeRange kBlockRange = {1, 1 << 24};
constexpr RealRange kScaleRange = {.low = 0, .high = 1e6};
constexpr RealRange kOffsetRange = {.low = -1e9, .high = 1e9};

struct StreamingOptions {
  std::vector<int> sizes = doubling_sizes(16, 131'072);
  int block = 256;
  double scale = 20;
  double offset = 0;
  bool head = false;
  std::filesystem::path checkpoint;
  std::uint32_t seed = 1;
  int threads = 0;
  bool json = false;
  bool csv = false;
  StreamingAttentionOptions attention;
};

OutputForm form_of(const StreamingOptions& options) {
  return options.json ? OutputForm::kJson : options.csv ? OutputForm::kCsv : OutputForm::kTable;
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json row_json(const StreamingRow& row) {
  return {{"n", row.items},
          {"exact", number(row.exact)},
          {"blocks_double", number(row.blocks_double)},
          {"blocks_float", number(row.blocks_float)},
          {"uncentred_float", number(row.uncentred_float)},
          {"with_sign_slip", number(row.with_sign_slip)},
          {"with_maximum_slip", number(row.with_maximum_slip)},
          {"with_both_slips", number(row.with_both_slips)}};
}

std::string table_text(const std::vector<StreamingRow>& rows) {
  std::string text =
      "        n     exact  double in blocks  float in blocks  float uncentred  printed sign"
      "  printed maximum\n";
  for (const StreamingRow& row : rows) {
    text += align_right(std::to_string(row.items), 9) + align_right(fixed_text(row.exact, 5), 10) +
            align_right(fixed_text(row.blocks_double, 5), 18) +
            align_right(fixed_text(row.blocks_float, 5), 17) +
            align_right(fixed_text(row.uncentred_float, 5), 17) +
            align_right(fixed_text(row.with_sign_slip, 5), 14) +
            align_right(fixed_text(row.with_maximum_slip, 5), 17) + "\n";
  }
  return text + "\n" + streaming_figure(rows).sentence + "\n";
}

int run_streaming(const StreamingOptions& options) {
  const bool use_head = options.head || !options.checkpoint.empty();
  const HeadSource head = use_head ? load_head(options.checkpoint) : HeadSource();
  InterruptGuard interrupt;
  const auto backend = make_cpu_backend(options.threads);
  std::vector<StreamingRow> rows;
  {
    ProgressBar bar;
    for (const int size : options.sizes) {
      if (interrupt.interrupted()) break;
      bar.update(static_cast<double>(rows.size()) / static_cast<double>(options.sizes.size()),
                 "streaming");
      const auto row = streaming_row(
          use_head ? size_logits(*backend, head.checkpoint.state.parameters, options.seed, size, 1)
                         .logits
                   : uniform_logits(options.seed, size, options.scale, options.offset),
          options.block, [&](double) { return !interrupt.interrupted(); });
      if (row) rows.push_back(*row);
    }
  }
  std::vector<Json> row_objects;
  for (const StreamingRow& row : rows)
    row_objects.push_back(row_json(row));
  if (options.csv) {
    print(csv_text(row_objects));
  } else if (options.json) {
    Json object = {{"command", "streaming"}, {"logits", use_head ? "head" : "uniform"}};
    if (use_head) {
      object["checkpoint"] = head.name;
      object.update(head_provenance(head.checkpoint.recipe, head.checkpoint.state));
    } else {
      object["scale"] = options.scale;
      object["offset"] = options.offset;
    }
    object["set_seed"] = options.seed;
    object["block"] = options.block;
    object.update(build_provenance(*backend));
    object["rows"] = row_objects;
    object["sentence"] = rows.empty() ? "" : with_plain_spaces(streaming_figure(rows).sentence);
    print(json_line(object));
  } else {
    print(table_text(rows));
  }
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; the larger sizes are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "Entropies in nats. Logits are offset + scale U[0, 1), or with --head or --checkpoint those "
    "of\n"
    "a head on one set. Right is H = log L - S/L with L = sum exp(e - m), S = sum exp(e - m)(e - "
    "m).\n"
    "Appendix F prints it with the sign turned around, and lets a new item in with the maximum\n"
    "before it; its uncentred sums also lose digits in float when the logits have an offset.\n\n"
    "With --device the attention itself is computed, in two passes over the keys and in memory\n"
    "proportional to n: over random queries, keys and values [heads, n, channels], with the time\n"
    "it takes, the mean entropy and beta of its rows, and how far up to 64 rows are off from the\n"
    "same in double.\n\n"
    "Examples:\n"
    "  dispersion_lab streaming\n"
    "  dispersion_lab streaming --offset 10000 --json\n"
    "  dispersion_lab streaming --head --sizes 16,1024,131072\n"
    "  dispersion_lab streaming --device cuda --numbers bf16 --channels 128 --heads 8\n"
    "  dispersion_lab streaming --device cpu --causal --sizes 256,1024,4096";

}  // namespace

void add_streaming_command(CommandLine& line) {
  auto options = std::make_shared<StreamingOptions>();
  Subcommand& command = line.add_subcommand(
      "streaming", "Entropy computed while logits stream by, against the exact one (appendix F)");
  command.footer(kFooter);
  command.add_whole_list("--sizes", options->sizes, kSizeRange,
                         "Numbers of items; with --device, of tokens");
  command.add_whole("--block", options->block, kBlockRange, "Items per block");
  command.add_real("--scale", options->scale, kScaleRange, "Of the uniform logits");
  command.add_real("--offset", options->offset, kOffsetRange, "Of the uniform logits");
  command.add_flag("--head", options->head, "Logits of the head inside the program");
  command.add_path("--checkpoint", "FILE", options->checkpoint, "Logits of this head");
  command.add_whole("--seed", options->seed, kSeedRange, "Seed of the sets or sequences");
  add_threads_option(command, options->threads);
  add_streaming_attention_options(command, options->attention);
  command.exclude("--device", {"--block", "--scale", "--offset", "--head", "--checkpoint"});
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.add_flag("--csv", options->csv, "Print CSV, a line per size");
  command.exclude("--csv", {"--json"});
  command.on_run([options, &command] {
    if (!command.given("--device")) return run_streaming(*options);
    return run_streaming_attention(options->attention,
                                   command.given("--sizes") ? options->sizes : std::vector<int>(),
                                   options->seed, options->threads, form_of(*options));
  });
}

}  // namespace dispersion
