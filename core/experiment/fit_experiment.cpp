#include <string>

#include "core/attention/rule_shape.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/temperature_fit.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr NumberForm kFixed = NumberForm::kFixed;

std::vector<Setting> settings() {
  Setting sets = sets_setting(
      512, 1'000'000,
      "Sets drawn at every n. Those whose maximum already holds the largest logit are dropped: no "
      "temperature is best for them (appendix F)");
  sets.shown_value = 128;
  return {
      sizes_setting(), sets, set_seed_setting(),
      Setting{
          .name = "per-size", .help = "Fit every size on its own too", .kind = SettingKind::kFlag}};
}

// A line of the tables: the rule of the paper, or a fit to this head.
struct Line {
  std::string name;  // "paper", or "pooled" over all sizes; empty: a fit to one size
  TemperatureFit fit;
};

ResultValue name_of(const Line& line) {
  return line.name.empty() ? ResultValue(std::int64_t{line.fit.items}) : ResultValue(line.name);
}

std::vector<Line> lines_of(const FitRun& run, bool per_size) {
  std::vector<Line> lines = {{"pooled", pooled_fit(run)}};
  if (per_size) {
    for (const TemperatureFit& fit : fits_by_size(run))
      lines.push_back({"", fit});
  }
  return lines;
}

std::optional<AdaptiveRule> rule_of(const Line& line) {
  if (line.name == "paper") return AdaptiveRule();
  if (!line.fit.fit) return std::nullopt;
  return rule_from(*line.fit.fit);
}

std::vector<Line> with_paper(const std::vector<Line>& lines) {
  std::vector<Line> all = {{"paper", {}}};
  all.insert(all.end(), lines.begin(), lines.end());
  return all;
}

ResultTable samples_table(const FitRun& run) {
  using Row = FitSample;
  const std::vector<ColumnOf<Row>> columns = {
      {{"n", "n"}, [](const Row& r) { return std::int64_t{r.items}; }},
      {{"entropy", "H"}, [](const Row& r) { return r.entropy; }},
      {{"theta_opt", "theta"}, [](const Row& r) { return r.search.theta; }},
      {{"inverse_theta", "1/theta"}, [](const Row& r) { return 1 / r.search.theta; }}};
  ResultTable table = result_table("samples", columns, run.samples);
  table.for_people = false;
  return table;
}

ResultTable fits_table(const std::vector<Line>& lines) {
  const auto coefficients = [](const Line& line) -> ResultValue {
    const std::optional<AdaptiveRule> rule = rule_of(line);
    if (!rule) return {};
    return std::vector<double>(rule->coefficients.begin(), rule->coefficients.end());
  };
  const auto residual = [](const Line& line) {
    return line.fit.fit ? ResultValue(line.fit.fit->residual) : ResultValue();
  };
  const auto peak = [](const Line& line) -> std::optional<double> {
    const std::optional<AdaptiveRule> rule = rule_of(line);
    return rule ? rule_peak(*rule) : std::nullopt;
  };
  const auto guarded_beta = [=](const Line& line) -> ResultValue {
    const std::optional<double> from = peak(line);
    if (!from) return {};
    return double{adaptive_beta(guarded_rule(*rule_of(line)), *from)};
  };
  const auto reason = [](const Line& line) -> ResultValue {
    if (rule_of(line)) return {};
    return line.fit.fit.reason;
  };
  std::vector<ColumnOf<Line>> columns = {{{"n", "fit", NumberForm::kName}, name_of},
                                         {{"coefficients_highest_first", ""}, coefficients}};
  constexpr std::array<std::string_view, kRuleDegree + 1> kNames = {"a4", "a3", "a2", "a1", "a0"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    columns.push_back({{"", kNames[i], kFixed, 4}, [=](const Line& line) -> ResultValue {
                         const std::optional<AdaptiveRule> rule = rule_of(line);
                         return rule ? ResultValue(double{rule->coefficients[i]}) : ResultValue();
                       }});
  }
  columns.push_back({{"residual", "residual", kFixed, 3}, residual});
  columns.push_back({{"reason", ""}, reason});
  columns.push_back(
      {{"guarded_from", ""}, [=](const Line& line) { return optional_value(peak(line)); }});
  columns.push_back({{"guarded_beta", ""}, guarded_beta});
  ResultTable table = result_table("fits", columns, lines);
  for (const Line& line : lines) {
    if (!rule_of(line)) {
      const std::string name = line.name.empty() ? std::to_string(line.fit.items) : line.name;
      table.notes.push_back("No fit of " + name + ": " + line.fit.fit.reason + ".");
    }
  }
  return table;
}

ResultTable counts_table(const std::vector<Line>& lines) {
  const auto entropy = [](const Line& line, double Interval::*end) {
    return line.fit.entropy_range ? ResultValue((*line.fit.entropy_range).*end) : ResultValue();
  };
  const std::vector<ColumnOf<Line>> columns = {
      {{"n", "fit", NumberForm::kName}, name_of},
      {{"generated", "sets"}, [](const Line& l) { return l.fit.generated; }},
      {{"dropped", "dropped"}, [](const Line& l) { return l.fit.dropped; }},
      {{"samples", "samples"}, [](const Line& l) { return l.fit.samples; }},
      {{"at_grid_ends", "at the grid's ends"}, [](const Line& l) { return l.fit.at_grid_ends; }},
      {{"theta_above_1", "theta > 1"}, [](const Line& l) { return l.fit.above_one; }},
      {{"entropy_low", "smallest H", kFixed, 3},
       [=](const Line& l) { return entropy(l, &Interval::low); }},
      {{"entropy_high", "largest H", kFixed, 3},
       [=](const Line& l) { return entropy(l, &Interval::high); }}};
  return result_table("counts", columns, lines);
}

// Between which entropies each rule sharpens the weights.
ResultTable windows_table(const std::vector<Line>& lines) {
  struct Window {
    Line line;
    RuleWindow window;
  };
  std::vector<Window> windows;
  for (const Line& line : lines) {
    const std::optional<AdaptiveRule> rule = rule_of(line);
    if (!rule) continue;
    for (const RuleWindow& window : rule_windows(*rule))
      windows.push_back({line, window});
  }
  const std::vector<ColumnOf<Window>> columns = {
      {{"n", "fit", NumberForm::kName}, [](const Window& w) { return name_of(w.line); }},
      {{"low", "sharpens from H", kFixed, 4}, [](const Window& w) { return w.window.low; }},
      {{"high", "to H", kFixed, 4}, [](const Window& w) { return w.window.high; }}};
  return result_table("windows", columns, windows);
}

// Fits batch after batch, until the end or a stop.
FitRun fitted(const SettingValues& values, const Parameters<float>& head, Backend& backend,
              const Progress& keep_going) {
  FitSettings settings;
  settings.sizes = values.sizes("sizes");
  settings.sets = values.count("sets");
  settings.seed = values.seed("set-seed");
  FitRun run = start_fit(settings);
  while (advance_fit(run, head, backend)) {
    if (!keep_going(share_done(run))) break;
  }
  return run;
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends& backends, const Progress& progress, const ShowFigure&) {
  const Parameters<float>& head = inputs.heads.front().state->parameters;
  const FitRun fit = fitted(values, head, backends.backend(), progress);
  const std::vector<Line> lines = lines_of(fit, values.flag("per-size"));
  ExperimentResult result;
  result.introduction = {"1/theta = a4 H^4 + ... + a0 by least squares, " +
                         std::to_string(fit.settings.sets) + " sets of every size"};
  const ThetaGrid& grid = fit.settings.grid;
  result.facts = {{"theta_first", grid.theta(grid.first)},
                  {"theta_last", grid.theta(grid.last)},
                  {"theta_step", 1.0 / grid.per_unit}};
  result.tables = {samples_table(fit), fits_table(with_paper(lines)), counts_table(lines),
                   windows_table(with_paper(lines))};
  result.figure = fit_figure(fit);
  result.figure.provenance = {{"sets", sets_text(values)}};
  result.sentences = {result.figure.sentence};
  result.rule = rule_of(lines.front());
  if (result.rule) result.guarded_rule = guarded_rule(*result.rule);
  return result;
}

}  // namespace

Experiment fit_experiment() {
  return {
      .name = "fit",
      .former_name = "polynomial-fit",
      .title = "Fit",
      .summary = "The adaptive temperature's polynomial, fitted to a head as the paper does",
      .paper_place = "figure 6, appendix F",
      .help =
          "As many sets are drawn at every size. Where the item with the largest priority has "
          "the largest logit already, colder is always better, and the set is dropped. For the "
          "others, theta is the one of 0.1, 0.2, ... 10 that puts the most attention on that "
          "item; 1/theta is then fitted as a polynomial of the entropy at theta = 1, in nats. "
          "theta = 0 is not tried: softmax is not defined there.",
      .examples = {"fit", "fit --seed 3 --per-size --json",
                   "fit --checkpoint runs/default/seed1.safetensors --csv > scatter.csv"},
      .heads = HeadUse::kOne,
      .gives_rule = true,
      .settings = settings(),
      .run = run,
  };
}

}  // namespace dispersion
