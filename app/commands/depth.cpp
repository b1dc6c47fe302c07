#include "app/commands/commands.h"

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/provenance.h"
#include "app/commands/text.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/size_table.h"
#include "core/figure/depth_figure.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr WholeRange kLayerRange = {1, 64};
constexpr WholeRange kWidthRange = {1, 512};
constexpr WholeRange kVocabularyRange = {2, 4096};
constexpr WholeRange kSizeRange = {1, 1 << 20};
// Causal attention costs n^2.
constexpr int kLongestCausal = 4096;

struct NamedPattern {
  std::string_view name;
  TokenPattern pattern;
};
constexpr std::array<NamedPattern, 4> kPatterns = {{{"first", TokenPattern::kFirst},
                                                    {"last", TokenPattern::kLast},
                                                    {"half", TokenPattern::kHalf},
                                                    {"random", TokenPattern::kRandom}}};

struct DepthCommandOptions {
  DepthShape shape;
  std::uint32_t seed = 1;
  std::string tokens = "all";
  std::vector<int> sizes = doubling_sizes(16, 131'072);
  std::vector<int> causal_sizes = doubling_sizes(16, 1024);
  bool json = false;
  bool csv = false;
};

std::string_view pattern_key(TokenPattern pattern) {
  for (const NamedPattern& named : kPatterns) {
    if (named.pattern == pattern) return named.name;
  }
  return "";
}

// Every asked pattern, full and causal, without and with residual connections.
std::vector<DepthRun> planned_runs(const DepthCommandOptions& options) {
  for (const int size : options.causal_sizes) {
    if (size > kLongestCausal) {
      throw UsageError("--causal-sizes: causal attention costs n^2; at most " +
                       std::to_string(kLongestCausal) + " items, not " + std::to_string(size));
    }
  }
  std::vector<DepthRun> runs;
  for (const NamedPattern& named : kPatterns) {
    if (options.tokens != "all" && options.tokens != named.name) continue;
    for (const bool causal : {false, true}) {
      // Full attention sees no order: {b, ..., b, a} is {a, b, ..., b}.
      if (!causal && named.pattern == TokenPattern::kLast) continue;
      for (const bool residual : {false, true}) {
        runs.push_back(
            {named.pattern, {causal, residual}, causal ? options.causal_sizes : options.sizes, {}});
      }
    }
  }
  return runs;
}

// Fills the layers; false when interrupted, with the sizes that are done.
bool measure(const DepthCommandOptions& options, std::vector<DepthRun>& runs,
             InterruptGuard& interrupt) {
  const Progress keep_going = [&](double) { return !interrupt.interrupted(); };
  const DepthStack stack = random_stack(options.shape, options.seed, keep_going);
  if (interrupt.interrupted()) return false;
  ProgressBar bar;
  double done = 0;
  for (DepthRun& run : runs) {
    for (const int items : run.items) {
      const auto layers =
          run_stack(stack, depth_tokens(run.pattern, items, options.shape.vocabulary, options.seed),
                    run.options, keep_going);
      if (layers.size() < stack.layers.size()) {
        run.items.resize(run.layers.size());
        return false;
      }
      run.layers.push_back(layers);
    }
    bar.update(++done / static_cast<double>(runs.size()), "measuring");
  }
  return true;
}

Json layer_json(std::size_t layer, const LayerSpread& spread) {
  return {{"layer", layer + 1},
          {"delta", spread.delta},
          {"entropy", spread.entropy},
          {"largest_weight", spread.largest_weight},
          {"from_average", spread.from_average}};
}

Json run_json(const DepthRun& run) {
  Json object = {{"tokens", pattern_key(run.pattern)},
                 {"causal", run.options.causal},
                 {"residual", run.options.residual},
                 {"sentence", with_plain_spaces(depth_figure(run).sentence)},
                 {"rows", Json::array()}};
  for (std::size_t size = 0; size < run.layers.size(); ++size) {
    Json layers = Json::array();
    for (std::size_t layer = 0; layer < run.layers[size].size(); ++layer)
      layers.push_back(layer_json(layer, run.layers[size][layer]));
    object["rows"].push_back({{"n", run.items[size]}, {"layers", layers}});
  }
  return object;
}

std::vector<Json> flat_rows(const std::vector<DepthRun>& runs) {
  std::vector<Json> rows;
  for (const DepthRun& run : runs) {
    for (std::size_t size = 0; size < run.layers.size(); ++size) {
      for (std::size_t layer = 0; layer < run.layers[size].size(); ++layer) {
        Json row = {{"tokens", pattern_key(run.pattern)},
                    {"causal", run.options.causal},
                    {"residual", run.options.residual},
                    {"n", run.items[size]}};
        row.update(layer_json(layer, run.layers[size][layer]));
        rows.push_back(row);
      }
    }
  }
  return rows;
}

std::string run_text(const DepthRun& run) {
  std::string text = depth_run_name(run) + ": spread of the logits by layer\n        n";
  if (run.layers.empty()) return text + "\n\n";
  for (std::size_t layer = 0; layer < run.layers.front().size(); ++layer)
    text += align_right(std::to_string(layer + 1), 11);
  for (std::size_t size = 0; size < run.layers.size(); ++size) {
    text += "\n" + align_right(std::to_string(run.items[size]), 9);
    for (const LayerSpread& spread : run.layers[size]) {
      char number[32];
      std::snprintf(number, sizeof number, "%.3e", spread.delta);
      text += align_right(number, 11);
    }
  }
  return text + "\n" + depth_figure(run).sentence + "\n\n";
}

int run_depth(const DepthCommandOptions& options) {
  std::vector<DepthRun> runs = planned_runs(options);
  InterruptGuard interrupt;
  const bool finished = measure(options, runs, interrupt);
  std::erase_if(runs, [](const DepthRun& run) { return run.layers.empty(); });
  if (options.csv) {
    print(csv_text(flat_rows(runs)));
  } else if (options.json) {
    Json object = {{"command", "depth"},
                   {"layers", options.shape.layers},
                   {"width", options.shape.width},
                   {"vocabulary", options.shape.vocabulary},
                   {"seed", options.seed}};
    object.update(build_provenance(*make_cpu_backend(1)));
    object["runs"] = Json::array();
    for (const DepthRun& run : runs)
      object["runs"].push_back(run_json(run));
    print(json_line(object));
  } else {
    std::string text;
    for (const DepthRun& run : runs)
      text += run_text(run);
    print(text);
  }
  if (finished) return 0;
  print_error("interrupted; later runs are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "A random stack of attention layers without positions: BERT-style (all see all) and GPT-style\n"
    "(causal), without and with residual connections. Tokens: first {a, b, b, ...}, last\n"
    "{b, ..., b, a} (GPT-style only), half {a, b, a, b, ...}, random. The spread is the largest "
    "of\n"
    "an item's logits; from_average says how far an attention output is from the plain average of\n"
    "the values, in root mean squares of the values.\n\n"
    "Examples:\n"
    "  dispersion_lab depth\n"
    "  dispersion_lab depth --tokens half --json\n"
    "  dispersion_lab depth --layers 8 --width 128 --seed 3 --sizes 16,4096";

}  // namespace

void add_depth_command(CommandLine& line) {
  auto options = std::make_shared<DepthCommandOptions>();
  Subcommand& command = line.add_subcommand(
      "depth", "Spread and entropy from layer to layer of a random stack (appendix C)");
  command.footer(kFooter);
  command.add_whole("--layers", options->shape.layers, kLayerRange, "Attention layers");
  command.add_whole("--width", options->shape.width, kWidthRange, "Width of embeddings");
  command.add_whole("--vocabulary", options->shape.vocabulary, kVocabularyRange, "Distinct tokens");
  command.add_whole("--seed", options->seed, kSeedRange, "Seed of weights and tokens");
  command.add_name("--tokens", options->tokens, {"first", "last", "half", "random", "all"},
                   "first, last, half, random or all");
  command.show_default("--tokens", "all");
  command.add_whole_list("--sizes", options->sizes, kSizeRange, "Lengths with full attention");
  command.add_whole_list("--causal-sizes", options->causal_sizes, kSizeRange,
                         "Lengths with causal attention, which costs n^2; at most 4096");
  command.add_flag("--json", options->json, "Print one JSON object instead of tables");
  command.add_flag("--csv", options->csv, "Print CSV, a line per run, length and layer");
  command.exclude("--csv", {"--json"});
  command.on_run([options] { return run_depth(*options); });
}

}  // namespace dispersion
