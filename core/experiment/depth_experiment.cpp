#include <algorithm>
#include <array>
#include <string>

#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

constexpr int kLongestCausal = 4096;  // causal attention costs n^2

struct NamedPattern {
  std::string_view name;
  TokenPattern pattern;
};
constexpr std::array<NamedPattern, 4> kPatterns = {{{"first", TokenPattern::kFirst},
                                                    {"last", TokenPattern::kLast},
                                                    {"half", TokenPattern::kHalf},
                                                    {"random", TokenPattern::kRandom}}};

std::vector<Setting> settings() {
  return {
      {.name = "tokens",
       .label = "tokens",
       .help =
           "One a among b, first or last, as in the corollary; half of each, against the remark "
           "in appendix C; or any of the vocabulary",
       .kind = SettingKind::kChoice,
       .value = 4,
       .shown_value = 0,
       .choices = {{"first", "a, b, b, …"},
                   {"last", "b, …, b, a"},
                   {"half", "a, b, a, b"},
                   {"random", "random"},
                   {"all", ""}}},
      {.name = "attention",
       .label = "attention",
       .help = "Every token sees all (BERT-style), or only those before it (GPT-style, causal)",
       .kind = SettingKind::kChoice,
       .value = 2,
       .shown_value = 0,
       .choices = {{"full", "BERT-style"}, {"causal", "causal"}, {"both", ""}}},
      {.name = "residual",
       .label = "residual",
       .help = "Whether a layer's input is added to its output",
       .kind = SettingKind::kChoice,
       .value = 2,
       .shown_value = 0,
       .choices = {{"without", "without"}, {"with", "with"}, {"both", ""}}},
      {.name = "layers",
       .label = "layers",
       .help = "Attention layers of the random stack",
       .low = 1,
       .high = 64,
       .value = 4},
      {.name = "width",
       .label = "width",
       .help = "Width of every embedding",
       .low = 1,
       .high = 512,
       .value = 64},
      {.name = "vocabulary",
       .label = "vocabulary",
       .help = "Different tokens",
       .low = 2,
       .high = 4096,
       .value = 16},
      {.name = "seed",
       .label = "seed",
       .help = "Seed of the stack's weights and of the tokens",
       .low = 0,
       .high = kLargestSeed,
       .value = 1},
      {.name = "sizes",
       .help = "Lengths with full attention",
       .kind = SettingKind::kSizes,
       .low = 1,
       .high = 1 << 20,
       .sizes = doubling_sizes(16, 131'072)},
      {.name = "causal-sizes",
       .help = "Lengths with causal attention, which costs n^2",
       .kind = SettingKind::kSizes,
       .low = 1,
       .high = kLongestCausal,
       .sizes = doubling_sizes(16, 1024)},
  };
}

// Whether a choice that is the name of one side, of the other, or "both" wants this side.
bool wanted(std::string_view choice, bool on, std::string_view name_on) {
  return choice == "both" || (choice == name_on) == on;
}

// The runs that the settings ask for, one for each kind of attention and of connections.
std::vector<DepthRun> planned_runs(const SettingValues& values) {
  const std::string_view tokens = values.choice("tokens");
  const std::string_view attention = values.choice("attention");
  const bool one = tokens != "all" && attention != "both";
  std::vector<DepthRun> runs;
  for (const NamedPattern& named : kPatterns) {
    if (tokens != "all" && tokens != named.name) continue;
    for (const bool causal : {false, true}) {
      if (!wanted(attention, causal, "causal")) continue;
      // Full attention sees no order: {b, ..., b, a} is {a, b, ..., b}.
      if (!causal && named.pattern == TokenPattern::kLast && !one) continue;
      for (const bool residual : {false, true}) {
        if (wanted(values.choice("residual"), residual, "with"))
          runs.push_back({named.pattern, {causal, residual}, {}, {}});
      }
    }
  }
  return runs;
}

void measure(const DepthStack& stack, const SettingValues& values, DepthRun& run,
             const Progress& progress) {
  std::vector<int> sizes = values.sizes(run.options.causal ? "causal-sizes" : "sizes");
  std::ranges::sort(sizes);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::vector<int> tokens =
        depth_tokens(run.pattern, sizes[i], stack.shape.vocabulary, values.seed("seed"));
    const std::vector<LayerSpread> layers =
        run_stack(stack, tokens, run.options,
                  progress.part(static_cast<double>(i) / static_cast<double>(sizes.size()),
                                static_cast<double>(i + 1) / static_cast<double>(sizes.size())));
    if (layers.size() < stack.layers.size()) return;
    run.items.push_back(sizes[i]);
    run.layers.push_back(layers);
  }
}

// After a stop: the runs that were finished, and the finished sizes of the run that was not.
std::vector<DepthRun> measured_runs(const SettingValues& values, const Progress& progress) {
  const DepthShape shape = {values.whole("layers"), values.whole("width"),
                            values.whole("vocabulary")};
  const DepthStack stack = random_stack(shape, values.seed("seed"), progress.part(0, 0));
  std::vector<DepthRun> runs = planned_runs(values);
  const auto count = static_cast<double>(runs.size());
  for (std::size_t i = 0; i < runs.size() && !progress.stopped(); ++i) {
    const auto done = static_cast<double>(i);
    measure(stack, values, runs[i], progress.part(done / count, (done + 1) / count));
  }
  std::erase_if(runs, [](const DepthRun& run) { return run.layers.empty(); });
  return runs;
}

// A line of the table: one layer at one length.
struct Line {
  const DepthRun* run;
  int items;
  std::size_t layer;
  LayerSpread spread;
};

std::vector<Line> lines_of(const DepthRun& run) {
  std::vector<Line> lines;
  for (std::size_t size = 0; size < run.layers.size(); ++size) {
    for (std::size_t layer = 0; layer < run.layers[size].size(); ++layer)
      lines.push_back({&run, run.items[size], layer, run.layers[size][layer]});
  }
  return lines;
}

std::string pattern_key(TokenPattern pattern) {
  return std::string(kPatterns.at(static_cast<std::size_t>(pattern)).name);
}

std::vector<ColumnOf<Line>> columns() {
  using Form = NumberForm;
  return {
      {{"tokens", ""}, [](const Line& l) { return pattern_key(l.run->pattern); }},
      {{"causal", ""}, [](const Line& l) { return l.run->options.causal; }},
      {{"residual", ""}, [](const Line& l) { return l.run->options.residual; }},
      {{"n", "n"}, [](const Line& l) { return std::int64_t{l.items}; }},
      {{"layer", "layer"}, [](const Line& l) { return static_cast<std::int64_t>(l.layer + 1); }},
      {{"delta", "logit spread", Form::kScientific, 3},
       [](const Line& l) { return l.spread.delta; }},
      {{"entropy", "H", Form::kFixed, 3}, [](const Line& l) { return l.spread.entropy; }},
      {{"largest_weight", "largest weight", Form::kScientific, 3},
       [](const Line& l) { return l.spread.largest_weight; }},
      {{"from_average", "from average", Form::kScientific, 3},
       [](const Line& l) { return l.spread.from_average; }}};
}

ResultTable table_of(const DepthRun& run) {
  ResultTable table = result_table("rows", columns(), lines_of(run));
  table.title = Statement::naming(depth_run_name(run)) + ": largest logit spread by layer";
  table.pivot = {.across = "layer", .shown = "delta", .prefix = ""};
  table.notes = {depth_figure(run).sentence};
  return table;
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs&, ExperimentBackends&,
                     const Progress& progress, const ShowFigure&) {
  const std::vector<DepthRun> runs = measured_runs(values, progress);
  ExperimentResult result;
  for (const DepthRun& run : runs)
    result.tables.push_back(table_of(run));
  if (runs.empty()) result.tables.push_back(result_table("rows", columns(), std::vector<Line>()));
  result.figure = depth_figure(runs.empty() ? DepthRun() : runs.front());
  const auto text = [&](std::string_view name) { return std::to_string(values.count(name)); };
  result.figure.provenance = {{"stack", text("layers") + " layers, width " + text("width") +
                                            ", vocabulary " + text("vocabulary") + ", seed " +
                                            text("seed")}};
  return result;
}

}  // namespace

Experiment depth_experiment() {
  return {
      .name = "depth",
      .title = "Depth",
      .summary = "Spread and entropy from layer to layer of a random stack",
      .paper_place = "appendix C",
      .help =
          "A random stack of attention layers without positions, BERT-style (all see all) and "
          "GPT-style (causal), without and with residual connections. Tokens: first "
          "{a, b, b, ...}, last {b, ..., b, a} (GPT-style only), half {a, b, a, b, ...}, random. "
          "The logit spread is the largest of a token: its largest minus its smallest logit "
          "q.k/sqrt(width). from_average says how far an attention output is from the plain "
          "average of the values, in root mean squares of the values. Entropies are in nats.",
      .examples = {"depth", "depth --tokens half --json",
                   "depth --layers 8 --width 128 --seed 3 --sizes 16,4096"},
      .theory = true,
      .uses_backend = false,
      .settings = settings(),
      .run = run,
  };
}

}  // namespace dispersion
