#include "app/commands/commands.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands/backend_choice.h"
#include "app/commands/head_source.h"
#include "app/commands/interrupt.h"
#include "app/commands/options.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/provenance.h"
#include "app/commands/text.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/size_table.h"
#include "core/figure/bounds_figure.h"
#include "core/figure/magnitude_text.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr WholeRange kSizeRange = {1, 1 << 24};
constexpr WholeRange kSetsRange = {1, 100'000};
constexpr WholeRange kClassRange = {0, 255};
constexpr RealRange kThetaRange = {.low = 1e-6, .high = 1e6};
constexpr RealRange kUnit = {.low = 0, .high = 1};

struct BoundsOptions {
  std::filesystem::path checkpoint;
  std::vector<int> sizes = doubling_sizes();
  int sets = 32;
  int slope_items = 256;
  CorollaryPair pair;
  std::uint32_t set_seed = 1;
  int threads = 0;
  bool json = false;
  bool csv = false;
};

struct BoundsResult {
  std::vector<BoundsRow> rows;
  std::vector<EntropySlope> slopes;
  Corollary corollary;
};

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json count(const std::optional<double>& items) {
  return items ? Json(*items) : Json();
}

Json row_json(const BoundsRow& row) {
  return {{"n", row.items},
          {"sets", row.sets},
          {"delta", number(row.delta)},
          {"mean_delta", number(row.mean_delta)},
          {"smallest_weight", number(row.smallest_weight)},
          {"largest_weight", number(row.largest_weight)},
          {"mean_largest_weight", number(row.mean_largest_weight)},
          {"lower", number(row.bounds.lower)},
          {"sharp_lower", number(row.bounds.sharp_lower)},
          {"sharp_upper", number(row.bounds.sharp_upper)},
          {"upper", number(row.bounds.upper)},
          {"violations", row.violations}};
}

Json slopes_json(const BoundsOptions& options, const std::vector<EntropySlope>& slopes) {
  Json rows = Json::array();
  for (const EntropySlope& slope : slopes) {
    rows.push_back({{"beta", slope.beta},
                    {"entropy", number(slope.entropy)},
                    {"formula", number(slope.formula)},
                    {"difference", number(slope.difference)}});
  }
  return {{"n", options.slope_items},
          {"largest_relative_error", slopes.empty() ? Json() : number(largest_slope_error(slopes))},
          {"rows", rows}};
}

Json corollary_json(const Corollary& c) {
  Json limits = Json::array();
  for (const FormatLimit& limit : c.limits) {
    limits.push_back({{"format", limit.format.name},
                      {"epsilon", limit.format.epsilon},
                      {"n", count(limit.items)},
                      {"n_of_proof", number(limit.items_of_proof)}});
  }
  return {{"priority_a", c.pair.priority_a},
          {"priority_b", c.pair.priority_b},
          {"class_a", c.pair.class_a},
          {"class_b", c.pair.class_b},
          {"query", c.pair.query},
          {"logit_a", number(c.logit_a)},
          {"logit_b", number(c.logit_b)},
          {"d", number(c.d)},
          {"predicted_of_a", c.predicted_of_a},
          {"predicted_of_b", c.predicted_of_b},
          {"first_error_n", count(c.first_error)},
          {"predicted_there", c.first_error ? Json(c.predicted_there) : Json()},
          {"weight_there", c.first_error ? Json(c.weight_there) : Json()},
          {"epsilon", "unit roundoff: half the distance from 1 to the next number"},
          {"limits", limits}};
}

Json result_json(const BoundsOptions& options, const HeadSource& head, const Backend& backend,
                 const BoundsResult& result) {
  Json object = {{"command", "bounds"}, {"checkpoint", head.name}};
  object.update(head_provenance(head.checkpoint.recipe, head.checkpoint.state));
  object["theta"] = options.pair.theta;
  object["set_seed"] = options.set_seed;
  object.update(build_provenance(backend));
  object["rows"] = Json::array();
  for (const BoundsRow& row : result.rows)
    object["rows"].push_back(row_json(row));
  object["entropy_slope"] = slopes_json(options, result.slopes);
  object["corollary"] = corollary_json(result.corollary);
  object["sentences"] = {with_plain_spaces(bounds_sentence(result.rows)),
                         with_plain_spaces(corollary_figure(result.corollary).sentence)};
  return object;
}

// A weight or a count in a column of its own.
std::string column(double value) {
  if (!std::isfinite(value)) return align_right("-", 13);
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", value);
  return align_right(text, 13);
}

std::string result_text(const BoundsOptions& options, const HeadSource& head,
                        const BoundsResult& result) {
  std::string text = "head: " + head.name + ", " + std::to_string(options.sets) +
                     " sets of every size\n\n        n    delta        lower  sharp lower"
                     "     smallest      largest  sharp upper        upper\n";
  for (const BoundsRow& row : result.rows) {
    text += align_right(std::to_string(row.items), 9) + align_right(fixed_text(row.delta, 1), 9) +
            column(row.bounds.lower) + column(row.bounds.sharp_lower) +
            column(row.smallest_weight) + column(row.largest_weight) +
            column(row.bounds.sharp_upper) + column(row.bounds.upper) + "\n";
  }
  text += "\n" + bounds_sentence(result.rows) + "\n";
  if (!result.slopes.empty()) {
    text += "dH/dbeta by differences is -beta Var(e) to " +
            magnitude_text(largest_slope_error(result.slopes)) +
            " of its largest value, at n = " + std::to_string(options.slope_items) + ".\n\n";
  }
  const Corollary& c = result.corollary;
  text += corollary_figure(c).sentence + "\nformat      epsilon      first n  exp(d)/epsilon\n";
  for (const FormatLimit& limit : c.limits) {
    text += align_left(limit.format.name, 6) + column(limit.format.epsilon) +
            column(limit.items.value_or(INFINITY)) + "   " + column(limit.items_of_proof) + "\n";
  }
  return text;
}

BoundsResult measure(Backend& backend, const BoundsOptions& options,
                     const Parameters<float>& parameters, InterruptGuard& interrupt) {
  BoundsResult result;
  ProgressBar bar;
  double all = 0;
  double done = 0;
  for (const int size : options.sizes)
    all += size;
  const Progress keep_going = [&](double) { return !interrupt.interrupted(); };
  const auto logits_of = [&](int size) {
    return size_logits(backend, parameters, options.set_seed, size, options.sets, keep_going);
  };
  for (const int size : options.sizes) {
    const SizeLogits logits = logits_of(size);
    if (interrupt.interrupted()) break;
    const std::optional<BoundsRow> row = bounds_row(logits, options.pair.theta, keep_going);
    if (!row) break;
    result.rows.push_back(*row);
    done += size;
    bar.update(done / all, "measuring");
  }
  if (!interrupt.interrupted())
    result.slopes = entropy_slopes(logits_of(options.slope_items), keep_going);
  // Only of all slopes is there a largest error.
  if (interrupt.interrupted()) result.slopes.clear();
  result.corollary = study_corollary(parameters, options.pair);
  return result;
}

int run_bounds(const BoundsOptions& options) {
  const HeadSource head = load_head(options.checkpoint);
  const Parameters<float>& parameters = head.checkpoint.state.parameters;
  InterruptGuard interrupt;
  const auto backend = make_cpu_backend(options.threads);
  BoundsResult result;
  try {
    result = measure(*backend, options, parameters, interrupt);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  if (options.csv) {
    std::vector<Json> rows;
    for (const BoundsRow& row : result.rows)
      rows.push_back(row_json(row));
    print(csv_text(rows));
  } else if (options.json) {
    print(json_line(result_json(options, head, *backend, result)));
  } else {
    print(result_text(options, head, result));
  }
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; the larger sizes are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "delta is the largest spread of the logits of the sets; lower and upper are lemma 2.1's\n"
    "exp(-d)/n and exp(d)/n with d = delta/theta, the sharp ones exp(-d)/(exp(-d)+n-1) and\n"
    "exp(d)/(exp(d)+n-1). The corollary's set {a, b, b, ...} is followed in closed form: a's "
    "weight\n"
    "is 1/(1+(n-1)exp(-d)). epsilon is the unit roundoff: 2^-24 for fp32, 2^-8 for bf16, 2^-11 "
    "for\n"
    "fp16, half the distance from 1 to the next number.\n\n"
    "Examples:\n"
    "  dispersion_lab bounds\n"
    "  dispersion_lab bounds --theta 0.5 --sizes 16,1024 --json\n"
    "  dispersion_lab bounds --rho-a 0.9 --rho-b 0.89 --class-a 3 --class-b 7";

}  // namespace

void add_bounds_command(CommandLine& line) {
  auto options = std::make_shared<BoundsOptions>();
  Subcommand& command = line.add_subcommand(
      "bounds",
      "A head's attention weights between the bounds of theory, and where they must fail");
  command.footer(kFooter);
  command.add_path("--checkpoint", "FILE", options->checkpoint,
                   "Head to measure (default: the trained head inside the program)");
  CorollaryPair& pair = options->pair;
  command.add_whole_list("--sizes", options->sizes, kSizeRange, "Items per set");
  command.add_whole("--sets", options->sets, kSetsRange, "Sets of every size");
  command.add_real("--theta", pair.theta, kThetaRange, "Temperature theta");
  command.add_whole("--slope-items", options->slope_items, kSizeRange,
                    "Items per set for dH/dbeta");
  command.add_real("--rho-a", pair.priority_a, kUnit, "Priority of a");
  command.add_real("--rho-b", pair.priority_b, kUnit, "Priority of the b's, below a's");
  command.add_whole("--class-a", pair.class_a, kClassRange, "Class of a");
  command.add_whole("--class-b", pair.class_b, kClassRange, "Class of the b's");
  command.add_real("--query", pair.query, kUnit, "Query of that set");
  command.add_whole("--seed", options->set_seed, kSeedRange, "Seed of the sets");
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print one JSON object instead of tables");
  command.add_flag("--csv", options->csv, "Print CSV: the weights and bounds, a line per size");
  command.exclude("--csv", {"--json"});
  command.on_run([options] { return run_bounds(*options); });
}

}  // namespace dispersion
