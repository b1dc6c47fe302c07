#include "app/commands/commands.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands/head_source.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/provenance.h"
#include "app/commands/text.h"
#include "app/embedded/histories.h"
#include "core/cpu/cpu_backend.h"
#include "core/figure/number_text.h"
#include "core/figure/spread_figure.h"
#include "core/io/history_file.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr WholeRange kSetsRange = {1, 65'536};
constexpr WholeRange kItemsRange = {1, 65'536};
constexpr std::int64_t kMostItems = 1 << 20;

struct SpreadOptions {
  std::vector<fs::path> histories;
  std::vector<fs::path> checkpoints;
  SpreadTerms terms;
  SpreadSets sets;
  bool json = false;
  bool csv = false;
};

struct MeasuredHead {
  HeadSource head;
  Spread spread;
};

std::vector<History> load_histories(const std::vector<fs::path>& files) {
  std::vector<History> histories;
  for (const fs::path& file : files)
    histories.push_back(read_history(file));
  if (!files.empty()) return histories;
  for (const EmbeddedHistory& shipped : embedded_histories())
    histories.push_back(parse_history("shipped " + shipped.name, shipped.csv));
  if (histories.empty()) {
    throw std::runtime_error(
        "no training histories are shipped with this build; name some with --history (train writes "
        "seedK.history.csv beside a head) or measure heads with --checkpoint");
  }
  return histories;
}

std::vector<MeasuredHead> measure_heads(const SpreadOptions& options) {
  if (std::int64_t{options.sets.sets} * options.sets.items > kMostItems) {
    throw UsageError("--sets times --items is more than " + std::to_string(kMostItems));
  }
  const ItemSets sets = draw_spread_sets(options.sets);
  std::vector<MeasuredHead> measured;
  for (const fs::path& file : options.checkpoints) {
    HeadSource head = load_head(file);
    const Spread spread =
        measure_spread(head.checkpoint.state.parameters, sets.view(), options.terms);
    measured.push_back({std::move(head), spread});
  }
  return measured;
}

Json spread_json(const Spread& spread) {
  return {{"delta", spread.delta},
          {"bound", spread.bound},
          {"largest_share", spread.largest_share},
          {"sigma_query", spread.sigma_query},
          {"sigma_key", spread.sigma_key},
          {"query_norm", spread.query_norm},
          {"item_norm", spread.item_norm},
          {"kernel_norm", spread.kernel_norm}};
}

Json history_json(const History& history) {
  Json rows = Json::array();
  for (const HistoryRow& row : history) {
    Json object = {{"seed", row.seed}, {"step", row.step}};
    object.update(spread_json(row.spread));
    object["cross_entropy"] = row.cross_entropy;
    object["l2"] = row.l2;
    object["accuracy"] = row.accuracy;
    rows.push_back(object);
  }
  return rows;
}

Json mean_json(const HistoryMean& mean) {
  return {{"step", mean.step},           {"seeds", mean.seeds},           {"delta", mean.delta},
          {"delta_low", mean.delta_low}, {"delta_high", mean.delta_high}, {"bound", mean.bound},
          {"bound_low", mean.bound_low}, {"bound_high", mean.bound_high}};
}

Json measured_json(const MeasuredHead& measured) {
  Json object = {{"checkpoint", measured.head.name}};
  object.update(head_provenance(measured.head.checkpoint.recipe, measured.head.checkpoint.state));
  object.update(spread_json(measured.spread));
  return object;
}

Json result_json(const SpreadOptions& options, const std::vector<History>& histories,
                 const std::vector<MeasuredHead>& measured) {
  Json object = {{"command", "spread"},
                 {"scaled", options.terms.scaled},
                 {"biases", options.terms.biases},
                 {"bound_must_hold", !options.terms.biases},
                 {"sets", options.sets.sets},
                 {"items", options.sets.items},
                 {"set_seed", options.sets.seed}};
  object.update(build_provenance(*make_cpu_backend(1)));
  object["histories"] = Json::array();
  for (const History& history : histories)
    object["histories"].push_back(history_json(history));
  object["mean"] = Json::array();
  for (const HistoryMean& mean : mean_over_seeds(histories))
    object["mean"].push_back(mean_json(mean));
  object["measured"] = Json::array();
  for (const MeasuredHead& head : measured)
    object["measured"].push_back(measured_json(head));
  object["sentence"] = with_plain_spaces(spread_figure(histories).sentence);
  return object;
}

std::string result_csv(const std::vector<History>& histories,
                       const std::vector<MeasuredHead>& measured) {
  if (!histories.empty()) {
    std::vector<Json> rows;
    for (const HistoryMean& mean : mean_over_seeds(histories))
      rows.push_back(mean_json(mean));
    return csv_text(rows);
  }
  std::vector<Json> rows;
  for (const MeasuredHead& head : measured) {
    Json row = measured_json(head);
    row.erase("recipe");
    rows.push_back(row);
  }
  return csv_text(rows);
}

std::string number(double value) {
  return align_right(fixed_text(value, 2), 12);
}

std::string means_text(const std::vector<History>& histories) {
  std::string text = "        step  seeds   delta mean         low        high  bound mean\n";
  for (const HistoryMean& mean : mean_over_seeds(histories)) {
    text += align_right(std::to_string(mean.step), 12) +
            align_right(std::to_string(mean.seeds), 7) + " " + number(mean.delta) +
            number(mean.delta_low) + number(mean.delta_high) + number(mean.bound) + "\n";
  }
  return text + "\n" + spread_figure(histories).sentence + "\n";
}

std::string measured_text(const SpreadOptions& options, const std::vector<MeasuredHead>& heads) {
  std::string text =
      std::to_string(options.sets.sets) + " sets of " + std::to_string(options.sets.items) +
      " items, logits " + (options.terms.scaled ? "scaled by 1/sqrt(width)" : "unscaled") +
      (options.terms.biases ? ", with biases: the bound need not hold\n" : ", without biases\n") +
      "       delta       bound  largest %     sigma Q     sigma K         |y|" + "      max|x|\n";
  for (const MeasuredHead& head : heads) {
    const Spread& s = head.spread;
    text += number(s.delta) + number(s.bound) +
            align_right(fixed_text(100 * s.largest_share, 1), 11) + number(s.sigma_query) +
            number(s.sigma_key) + number(s.query_norm) + number(s.item_norm) + "  " +
            head.head.name + ", step " + std::to_string(head.head.checkpoint.state.step) + "\n";
  }
  return text;
}

int run_spread(const SpreadOptions& options) {
  const bool measure = !options.checkpoints.empty();
  if (!measure && (options.terms != SpreadTerms())) {
    throw UsageError(
        "--scaled and --biases need --checkpoint: a history holds the proposition's "
        "own logits, without scale and biases");
  }
  // Heads alone are measured without the shipped histories beside them.
  std::vector<History> histories;
  if (!measure || !options.histories.empty()) histories = load_histories(options.histories);
  const std::vector<MeasuredHead> measured = measure_heads(options);
  if (options.json) {
    print(json_line(result_json(options, histories, measured)));
  } else if (options.csv) {
    print(result_csv(histories, measured));
  } else {
    print((histories.empty() ? "" : means_text(histories)) +
          (measure ? measured_text(options, measured) : ""));
  }
  return 0;
}

constexpr const char* kFooter =
    "delta is the largest minus the smallest logit of a set; the bound is 2 sigma_max(Q)\n"
    "sigma_max(K) |y| max|x|, with y and x what Q and K are applied to. Low and high are the\n"
    "smallest and the largest seed. With biases the bound need not hold: Q's bias adds to y Q "
    "(K's\n"
    "adds the same to every logit and cancels).\n\n"
    "Examples:\n"
    "  dispersion_lab spread\n"
    "  dispersion_lab spread --history runs/default/seed1.history.csv --json\n"
    "  dispersion_lab spread --checkpoint runs/default/seed1.safetensors --scaled --biases";

}  // namespace

void add_spread_command(CommandLine& line) {
  auto options = std::make_shared<SpreadOptions>();
  Subcommand& command = line.add_subcommand(
      "spread",
      "Compare the spread of the logits with the bound that weights put on it (figure 9)");
  command.footer(kFooter);
  command.add_paths("--history", "FILE", options->histories,
                    "Training histories to read (default: those of the shipped heads)");
  command.add_paths("--checkpoint", "FILE", options->checkpoints, "Heads to measure now");
  command.add_flag("--scaled", options->terms.scaled,
                   "Both sides times 1/sqrt(width), as the head scales its logits");
  command.add_flag("--biases", options->terms.biases, "Logits with the biases of Q and K");
  command.add_whole("--sets", options->sets.sets, kSetsRange, "Sets to measure on");
  command.add_whole("--items", options->sets.items, kItemsRange, "Items per set");
  command.add_whole("--seed", options->sets.seed, kSeedRange, "Seed of the sets");
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.add_flag("--csv", options->csv, "Print CSV: means over seeds, or the heads measured");
  command.exclude("--csv", {"--json"});
  command.on_run([options] { return run_spread(*options); });
}

}  // namespace dispersion
