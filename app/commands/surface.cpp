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
#include "app/commands/text.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"
#include "core/figure/surface_figure.h"

namespace dispersion {
namespace {

constexpr WholeRange kPointsRange = {2, 1025};
constexpr WholeRange kTermsRange = {1, 100};
constexpr WholeRange kExponentRange = {0, 1};
constexpr WholeRange kSizeRange = {1, 1 << 24};
constexpr WholeRange kSetsRange = {1, 100'000};
constexpr RealRange kLowLambda = {.low = 0, .high = 1, .high_included = false};
constexpr RealRange kHighLambda = {.low = 1, .low_included = false, .high = 1000};
constexpr RealRange kLowTheta = {.low = 1e-6, .high = 1, .high_included = false};
constexpr RealRange kHighTheta = {.low = 1, .low_included = false, .high = 1e6};

struct SurfaceOptions {
  RegionLimits limits;
  PowerSeries series;
  bool head = false;
  std::filesystem::path checkpoint;
  std::vector<int> sizes = doubling_sizes();
  int sets = 32;
  std::uint32_t set_seed = 1;
  int threads = 0;
  bool json = false;
  bool csv = false;
};

// Equal factors between the limits, and 1 among them.
std::vector<double> head_thetas(const RegionLimits& limits) {
  std::vector<double> thetas;
  const int half = std::max(2, limits.points / 4);
  for (const double exponent : grid_values({std::log(limits.lowest_theta), 0, half}))
    thetas.push_back(std::exp(exponent));
  for (const double exponent : grid_values({0, std::log(limits.highest_theta), half})) {
    if (exponent > 0) thetas.push_back(std::exp(exponent));
  }
  return thetas;
}

Json rows_json(const std::vector<double>& values, std::size_t columns) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % columns == 0) rows.push_back(Json::array());
    rows.back().push_back(std::isfinite(values[i]) ? Json(values[i]) : Json());
  }
  return rows;
}

std::vector<Json> region_points(const std::vector<PowerSeriesSurface>& regions) {
  std::vector<Json> points;
  for (const PowerSeriesSurface& region : regions) {
    std::size_t i = 0;
    for (const double theta : region.theta) {
      for (const double lambda : region.lambda)
        points.push_back({{"lambda", lambda}, {"theta", theta}, {"entropy", region.entropy[i++]}});
    }
  }
  return points;
}

int print_series(const SurfaceOptions& options) {
  const std::vector<PowerSeriesSurface> regions =
      power_series_regions(options.limits, options.series);
  const Figure figure = power_series_figure(regions, options.series);
  if (options.csv) {
    print(csv_text(region_points(regions)));
    return 0;
  }
  if (!options.json) {
    std::string text = figure.fields.front().subtitle + "\n\n     lambda      theta    entropy\n";
    for (const double lambda : {0.0, 0.5, 1.0, 1.5, 2.0}) {
      for (const double theta : {0.1, 1.0, 10.0}) {
        text +=
            align_right(fixed_text(lambda, 2), 11) + align_right(fixed_text(theta, 2), 11) +
            align_right(fixed_text(power_series_entropy(lambda, theta, options.series), 4), 11) +
            "\n";
      }
    }
    print(text + "\n" + figure.sentence + "\n");
    return 0;
  }
  Json object = {{"command", "surface"},
                 {"first_exponent", options.series.first_exponent},
                 {"terms", options.series.terms}};
  object.update(build_provenance(*make_cpu_backend(1)));
  object["regions"] = Json::array();
  for (const PowerSeriesSurface& region : regions) {
    object["regions"].push_back({{"lambda", region.lambda},
                                 {"theta", region.theta},
                                 {"entropy", rows_json(region.entropy, region.lambda.size())}});
  }
  object["sentence"] = with_plain_spaces(figure.sentence);
  print(json_line(object));
  return 0;
}

std::string head_text(const HeadSource& head, const HeadSurface& surface) {
  std::string text = "entropy (nats) of head " + head.name + ", mean over " +
                     std::to_string(surface.sets) + " sets\n\n    theta";
  for (const int size : surface.sizes)
    text += align_right("n=" + std::to_string(size), 9);
  const std::size_t columns = surface.sizes.size();
  for (std::size_t row = 0; row < surface.theta.size(); ++row) {
    text += "\n" + align_right(fixed_text(surface.theta[row], 3), 9);
    for (std::size_t column = 0; column < columns; ++column)
      text += align_right(fixed_text(surface.entropy[row * columns + column], 3), 9);
  }
  return text + "\n\n" + head_surface_figure(surface).sentence + "\n";
}

std::vector<Json> head_points(const HeadSurface& surface) {
  std::vector<Json> points;
  std::size_t i = 0;
  for (const double theta : surface.theta) {
    for (const int size : surface.sizes) {
      const double entropy = surface.entropy[i++];
      if (std::isnan(entropy)) continue;
      points.push_back({{"n", size}, {"theta", theta}, {"entropy", entropy}});
    }
  }
  return points;
}

int print_head(const SurfaceOptions& options) {
  const HeadSource head = load_head(options.checkpoint);
  InterruptGuard interrupt;
  const auto backend = make_cpu_backend(options.threads);
  HeadSurface surface;
  {
    ProgressBar bar;
    surface = head_entropy_surface(*backend, head.checkpoint.state.parameters, options.set_seed,
                                   options.sizes, head_thetas(options.limits), options.sets,
                                   [&](double share, const HeadSurface&) {
                                     bar.update(share, "measuring");
                                     return !interrupt.interrupted();
                                   });
  }
  if (options.csv) {
    print(csv_text(head_points(surface)));
  } else if (options.json) {
    Json object = {{"command", "surface"}, {"checkpoint", head.name}};
    object.update(head_provenance(head.checkpoint.recipe, head.checkpoint.state));
    object["sets"] = surface.sets;
    object["set_seed"] = options.set_seed;
    object.update(build_provenance(*backend));
    object["n"] = surface.sizes;
    object["theta"] = surface.theta;
    object["entropy"] = rows_json(surface.entropy, surface.sizes.size());
    object["sentence"] = with_plain_spaces(head_surface_figure(surface).sentence);
    print(json_line(object));
  } else {
    print(head_text(head, surface));
  }
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; the larger sizes are missing");
  return interrupt.exit_code();
}

constexpr const char* kFooter =
    "The power series are lambda^i, taken as logits: softmax(lambda^i / theta). The paper does "
    "not\n"
    "give the outer limits of figure 5, nor whether i begins at 0 or 1. With --head or\n"
    "--checkpoint: the entropy of a trained head over theta and n instead. In nats.\n\n"
    "Examples:\n"
    "  dispersion_lab surface --json\n"
    "  dispersion_lab surface --first-exponent 0 --highest-lambda 3\n"
    "  dispersion_lab surface --head --sizes 16,1024,16384";

}  // namespace

void add_surface_command(CommandLine& line) {
  auto options = std::make_shared<SurfaceOptions>();
  Subcommand& command = line.add_subcommand(
      "surface", "Entropy over temperature, of power series (figure 5) or of a head");
  command.footer(kFooter);
  RegionLimits& limits = options->limits;
  command.add_whole("--first-exponent", options->series.first_exponent, kExponentRange,
                    "i of the first term, 0 or 1");
  command.add_whole("--terms", options->series.terms, kTermsRange, "Terms of the series");
  command.add_real("--lowest-lambda", limits.lowest_lambda, kLowLambda, "Below 1");
  command.add_real("--highest-lambda", limits.highest_lambda, kHighLambda, "Above 1");
  command.add_real("--lowest-theta", limits.lowest_theta, kLowTheta, "Below 1");
  command.add_real("--highest-theta", limits.highest_theta, kHighTheta, "Above 1");
  command.add_whole("--points", limits.points, kPointsRange, "Points along each side of a region");
  command.add_flag("--head", options->head, "The entropy of the head inside the program instead");
  command.add_path("--checkpoint", "FILE", options->checkpoint, "The entropy of this head instead");
  command.add_whole_list("--sizes", options->sizes, kSizeRange, "Of a head: items per set");
  command.add_whole("--sets", options->sets, kSetsRange, "Of a head: sets of every size");
  command.add_whole("--seed", options->set_seed, kSeedRange, "Of a head: seed of the sets");
  add_threads_option(command, options->threads);
  command.add_flag("--json", options->json, "Print one JSON object instead of a table");
  command.add_flag("--csv", options->csv, "Print CSV, a line per point");
  command.exclude("--csv", {"--json"});
  command.on_run([options] {
    const bool head = options->head || !options->checkpoint.empty();
    return head ? print_head(*options) : print_series(*options);
  });
}

}  // namespace dispersion
