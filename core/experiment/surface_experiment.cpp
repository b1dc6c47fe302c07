#include <cmath>
#include <string>

#include "core/experiment/entropy_surface.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr SettingCondition kSeries = {"logits", "series"};
constexpr SettingCondition kHead = {"logits", "head"};

std::vector<Setting> settings() {
  Setting sizes = sizes_setting();
  Setting sets = sets_setting(32, 100'000, "Sets of every n behind the mean entropy");
  Setting set_seed = set_seed_setting();
  for (Setting* setting : {&sizes, &sets, &set_seed})
    setting->only_with = kHead;
  return {
      {.name = "logits",
       .label = "surface of",
       .help =
           "Figure 5, whose ten logits are a power series lambda^i; or a head: its entropy over "
           "n and theta",
       .kind = SettingKind::kChoice,
       .choices = {{"series", "power series"}, {"head", "this head"}}},
      {.name = "first-exponent",
       .label = "first exponent",
       .help = "Figure 5 does not say whether the powers begin with lambda^0 or lambda^1",
       .low = 0,
       .high = 1,
       .value = 1,
       .only_with = kSeries},
      {.name = "terms",
       .label = "terms",
       .help = "Logits in a series; the figure has 10",
       .low = 1,
       .high = 1000,
       .value = 10,
       .only_with = kSeries},
      {.name = "lowest-theta",
       .label = "lowest θ",
       .help = "Lower end of the temperatures, below 1",
       .kind = SettingKind::kReal,
       .low = 1e-6,
       .high = 1,
       .high_open = true,
       .value = 0.02},
      {.name = "highest-theta",
       .label = "highest θ",
       .help = "Upper end of the temperatures, above 1",
       .kind = SettingKind::kReal,
       .low = 1,
       .high = 1e6,
       .low_open = true,
       .value = 10},
      {.name = "lowest-lambda",
       .label = "lowest λ",
       .help = "Lower end of the bases, below 1",
       .kind = SettingKind::kReal,
       .low = -10,
       .high = 1,
       .high_open = true,
       .value = 0,
       .only_with = kSeries},
      {.name = "highest-lambda",
       .label = "highest λ",
       .help = "Upper end of the bases, above 1",
       .kind = SettingKind::kReal,
       .low = 1,
       .high = 1000,
       .low_open = true,
       .value = 2,
       .only_with = kSeries},
      {.name = "points",
       .help = "Points along each side of a region; of a head, half as many temperatures in all",
       .low = 2,
       .high = 1025,
       .value = 65},
      sizes,
      sets,
      set_seed,
  };
}

RegionLimits limits_of(const SettingValues& values) {
  return {values.real("lowest-lambda"), values.real("highest-lambda"), values.real("lowest-theta"),
          values.real("highest-theta"), values.whole("points")};
}

// Temperatures from one limit to the other by equal factors on each side of 1, which is one of
// them.
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

struct Point {
  double across;  // lambda, or n
  double theta;
  double entropy;
};

std::vector<ColumnOf<Point>> columns(std::string_view across) {
  const bool sizes = across == "n";
  const auto value = [=](const Point& p) {
    return sizes ? ResultValue(static_cast<std::int64_t>(p.across)) : ResultValue(p.across);
  };
  return {{{"theta", "theta", NumberForm::kFixed, 3}, [](const Point& p) { return p.theta; }},
          {{across, across, sizes ? NumberForm::kPlain : NumberForm::kFixed, 2}, value},
          {{"entropy", "entropy", NumberForm::kFixed, sizes ? 3 : 4},
           [](const Point& p) { return p.entropy; }}};
}

template <class Across>
std::vector<Point> points_of(const std::vector<double>& thetas, const std::vector<Across>& across,
                             const std::vector<double>& entropy) {
  std::vector<Point> points;
  std::size_t i = 0;
  for (const double theta : thetas) {
    for (const Across value : across) {
      if (!std::isnan(entropy[i]))
        points.push_back({static_cast<double>(value), theta, entropy[i]});
      ++i;
    }
  }
  return points;
}

// A few values of the surface, for the text that people read.
ResultTable examples_table(PowerSeries series) {
  std::vector<Point> points;
  for (const double theta : {0.1, 1.0, 10.0}) {
    for (const double lambda : {0.0, 0.5, 1.0, 1.5, 2.0})
      points.push_back({lambda, theta, power_series_entropy(lambda, theta, series)});
  }
  ResultTable table = result_table("examples", columns("lambda"), points);
  table.pivot = {.across = "lambda", .shown = "entropy", .prefix = "lambda="};
  return table;
}

ExperimentResult series_surface(const SettingValues& values, const Progress& progress) {
  const PowerSeries series = {values.whole("first-exponent"), values.whole("terms")};
  const std::vector<PowerSeriesSurface> regions =
      power_series_regions(limits_of(values), series, progress);
  ExperimentResult result;
  for (const PowerSeriesSurface& region : regions) {
    result.tables.push_back(result_table("rows", columns("lambda"),
                                         points_of(region.theta, region.lambda, region.entropy)));
    result.tables.back().for_people = false;
  }
  if (progress.stopped()) return result;
  result.figure = power_series_figure(regions, series);
  result.introduction = {result.figure.fields.front().subtitle};
  result.tables.push_back(examples_table(series));
  result.sentences = {result.figure.sentence};
  return result;
}

ExperimentResult head_surface(const SettingValues& values, const ExperimentInputs& inputs,
                              Backend& backend, const Progress& progress) {
  const HeadSurface surface = head_entropy_surface(
      backend, inputs.heads.front().state->parameters, values.seed("set-seed"),
      values.sizes("sizes"), head_thetas(limits_of(values)), values.whole("sets"), progress);
  ExperimentResult result;
  result.introduction = {"entropy (nats), mean over " +
                         Statement::naming(counted_text(surface.sets, "set"))};
  result.figure = head_surface_figure(surface);
  result.tables = {
      result_table("rows", columns("n"), points_of(surface.theta, surface.sizes, surface.entropy))};
  result.tables.front().pivot = {.across = "n", .shown = "entropy", .prefix = "n="};
  result.sentences = {result.figure.sentence};
  return result;
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends& backends, const Progress& progress, const ShowFigure&) {
  if (values.choice("logits") == "series") return series_surface(values, progress);
  return head_surface(values, inputs, backends.backend(), progress);
}

}  // namespace

Experiment surface_experiment() {
  return {
      .name = "surface",
      .former_name = "entropy-surface",
      .title = "Surfaces",
      .summary = "Entropy over temperature, of a head or of power series",
      .paper_place = "figure 5",
      .help =
          "The power series are lambda^i, taken as logits: softmax(lambda^i / theta). The paper "
          "does not give the outer limits of figure 5, nor whether i begins at 0 or 1. With "
          "--logits head: the entropy of a trained head over theta and n instead. In nats.",
      .examples = {"surface --json", "surface --first-exponent 0 --highest-lambda 3",
                   "surface --logits head --sizes 16,1024,16384"},
      .theory = true,
      .heads = HeadUse::kByChoice,
      .figure_has_field = true,
      .settings = settings(),
      .run = run,
  };
}

}  // namespace dispersion
