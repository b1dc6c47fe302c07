#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/attention/rule_shape.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/fit_bootstrap.h"
#include "core/experiment/temperature_fit.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr NumberForm kFixed = NumberForm::kFixed;

std::vector<Setting> settings() {
  Setting sets = sets_setting(
      512, 1'000'000,
      "Sets drawn at every n. Those where no logit is larger than the maximum's are dropped: for "
      "them colder is never worse (appendix F)");
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
  FitBootstrap bootstrap;
};

ResultValue name_of(const Line& line) {
  return line.name.empty() ? ResultValue(std::int64_t{line.fit.items}) : ResultValue(line.name);
}

std::vector<Line> lines_of(const FitRun& run, bool per_size, const Progress& progress) {
  std::vector<Line> lines = {{"pooled", pooled_fit(run), {}}};
  if (per_size) {
    for (const TemperatureFit& fit : fits_by_size(run))
      lines.push_back({"", fit, {}});
  }
  const auto all = static_cast<double>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto done = static_cast<double>(i);
    lines[i].bootstrap =
        bootstrap_fit(run, lines[i].fit, progress.part(done / all, (done + 1) / all));
  }
  return lines;
}

std::optional<AdaptiveRule> rule_of(const Line& line) {
  if (line.name == "paper") return AdaptiveRule();
  if (!line.fit.fit) return std::nullopt;
  return rule_from(*line.fit.fit);
}

// The entropies that a line's rule is known for: those of its samples, or all for the paper's.
Interval known_range(const Line& line) {
  return line.name == "paper" ? Interval{0, kMostEntropy} : *line.fit.entropy_range;
}

std::vector<Line> with_paper(const std::vector<Line>& lines) {
  std::vector<Line> all = {{"paper", {}, {}}};
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

ResultTable fits_table(const FitRun& run, const std::vector<Line>& lines) {
  const auto coefficients = [](const Line& line) -> ResultValue {
    const std::optional<AdaptiveRule> rule = rule_of(line);
    if (!rule) return {};
    return std::vector<double>(rule->coefficients.begin(), rule->coefficients.end());
  };
  const auto residual = [](const Line& line) {
    return line.fit.fit ? ResultValue(line.fit.fit->residual) : ResultValue();
  };
  const auto peak = [](const Line& line) -> ResultValue {
    const std::optional<AdaptiveRule> rule = rule_of(line);
    if (!rule) return {};
    const Interval range = known_range(line);
    return optional_value(rule_peak(*rule, range.low, range.high));
  };
  const auto guarded = [](const Line& line) -> std::optional<AdaptiveRule> {
    const std::optional<AdaptiveRule> rule = rule_of(line);
    if (!rule) return std::nullopt;
    const Interval range = known_range(line);
    return guarded_rule(*rule, range.low, range.high);
  };
  const auto guarded_from = [=](const Line& line) -> ResultValue {
    const std::optional<AdaptiveRule> rule = guarded(line);
    return rule ? ResultValue(rule->peak) : ResultValue();
  };
  const auto guarded_beta = [=](const Line& line) -> ResultValue {
    const std::optional<AdaptiveRule> rule = guarded(line);
    return rule ? ResultValue(double{adaptive_beta(*rule, rule->peak)}) : ResultValue();
  };
  const auto reason = [](const Line& line) -> ResultValue {
    if (rule_of(line)) return {};
    return with_plain_spaces(line.fit.fit.reason);
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
  columns.push_back({{"peak", ""}, peak});
  columns.push_back({{"guarded_from", ""}, guarded_from});
  columns.push_back({{"guarded_beta", ""}, guarded_beta});
  ResultTable table = result_table("fits", columns, lines);
  for (const Line& line : lines) {
    const Statement name =
        Statement::naming(line.name.empty() ? std::to_string(line.fit.items) : line.name);
    if (!rule_of(line)) {
      table.notes.push_back("No fit of " + name + ": " + no_fit_text(run, line.fit) + ".");
    } else if (line.fit.fit && !has_freedom(line.fit)) {
      table.notes.push_back("No resamples of " + name + ": " + no_freedom_text(line.fit) + ".");
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

// What an end of a window is.
std::string end_text(double entropy, const Line& line) {
  const Interval range = known_range(line);
  if (entropy == range.low) return "the first sample";
  if (entropy == range.high) return line.name == "paper" ? "no end" : "the last sample";
  return entropy == AdaptiveRule().gate ? "the gate" : "a root";
}

// Between which entropies each rule sharpens the weights, as far as it is known: a window that
// reaches an end of the samples may go on beyond it.
ResultTable windows_table(const std::vector<Line>& lines) {
  struct Window {
    Line line;
    RuleWindow window;
  };
  std::vector<Window> windows;
  for (const Line& line : lines) {
    const std::optional<AdaptiveRule> rule = rule_of(line);
    if (!rule) continue;
    const Interval range = known_range(line);
    for (const RuleWindow& window : rule_windows(*rule, range.low, range.high))
      windows.push_back({line, window});
  }
  const std::vector<ColumnOf<Window>> columns = {
      {{"n", "fit", NumberForm::kName}, [](const Window& w) { return name_of(w.line); }},
      {{"low", "sharpens from H", kFixed, 2}, [](const Window& w) { return w.window.low; }},
      {{"low_is", "which is", NumberForm::kName},
       [](const Window& w) { return end_text(w.window.low, w.line); }},
      {{"high", "to H", kFixed, 2}, [](const Window& w) { return w.window.high; }},
      {{"high_is", "which is", NumberForm::kName},
       [](const Window& w) { return end_text(w.window.high, w.line); }}};
  return result_table("windows", columns, windows);
}

// Where the shape of every fit comes out when its sets are resampled.
ResultTable resamples_table(const std::vector<Line>& lines) {
  struct Feature {
    Line line;
    std::string name;
    std::optional<double> place;
    std::vector<double> resampled;
  };
  std::vector<Feature> features;
  for (const Line& line : lines) {
    if (line.bootstrap.resamples == 0) continue;
    const FitShape shape = fit_shape(*rule_of(line), known_range(line));
    features.push_back({line, "highest local maximum", shape.peak, line.bootstrap.peaks});
    features.push_back({line, "sharpens from", shape.begin, line.bootstrap.begins});
    features.push_back({line, "sharpens to", shape.end, line.bootstrap.ends});
  }
  const auto end = [](const Feature& f, double Interval::*which) {
    return leaves_some_out(f.resampled) ? ResultValue(middle_of(f.resampled).*which)
                                        : ResultValue();
  };
  // The ends are rounded outward, with the decimals of the place between them.
  const auto shown = [](const Feature& f, double Interval::*which, auto text) {
    return leaves_some_out(f.resampled)
               ? ResultValue(text(middle_of(f.resampled).*which, place_decimals(f.resampled)))
               : ResultValue();
  };
  const std::vector<ColumnOf<Feature>> columns = {
      {{"n", "fit", NumberForm::kName}, [](const Feature& f) { return name_of(f.line); }},
      {{"feature", "feature", NumberForm::kName}, [](const Feature& f) { return f.name; }},
      {{"entropy", ""}, [](const Feature& f) { return optional_value(f.place); }},
      {{"", "H"},
       [](const Feature& f) {
         return f.place ? ResultValue(fixed_text(*f.place, place_decimals(f.resampled)))
                        : ResultValue();
       }},
      {{"found", "resamples with it"},
       [](const Feature& f) { return static_cast<std::int64_t>(f.resampled.size()); }},
      {{"fitted", "of those with a fit"},
       [](const Feature& f) { return std::int64_t{f.line.bootstrap.fitted}; }},
      {{"resamples", "of all"},
       [](const Feature& f) { return std::int64_t{f.line.bootstrap.resamples}; }},
      {{"low", ""}, [=](const Feature& f) { return end(f, &Interval::low); }},
      {{"high", ""}, [=](const Feature& f) { return end(f, &Interval::high); }},
      {{"", "at least 95 % of those with it from H"},
       [=](const Feature& f) { return shown(f, &Interval::low, at_least_text); }},
      {{"", "to H"}, [=](const Feature& f) { return shown(f, &Interval::high, at_most_text); }}};
  return result_table("resamples", columns, features);
}

// Fits batch after batch, until the end or a stop.
FitRun fitted(const SettingValues& values, const Parameters<float>& head, Backend& backend,
              const Progress& keep_going) {
  FitSettings settings;
  settings.sizes = values.sizes("sizes");
  settings.sets = values.count("sets");
  settings.seed = values.seed("set-seed");
  FitRun run = start_fit(settings);
  while (advance_fit(run, head, backend, keep_going)) {
    if (!keep_going(share_done(run))) break;
  }
  return run;
}

// How many sets of every size there are, fewer of some after a stop.
Statement sets_of_every_size(const FitRun& run) {
  const bool whole = std::ranges::all_of(
      run.generated, [&](std::int64_t generated) { return generated == run.settings.sets; });
  return (whole ? Statement("") : Statement("stopped: up to ")) +
         Statement::naming(grouped_text(run.settings.sets)) +
         (run.settings.sets == 1 ? Statement(" set of every size")
                                 : Statement(" sets of every size"));
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends& backends, const Progress& progress, const ShowFigure&) {
  constexpr double kDrawn = 0.9;  // of the work
  const Parameters<float>& head = inputs.heads.front().state->parameters;
  const FitRun fit = fitted(values, head, backends.backend(), progress.part(0, kDrawn));
  const std::vector<Line> lines = lines_of(fit, values.flag("per-size"), progress.part(kDrawn, 1));
  const Line& pooled = lines.front();
  ExperimentResult result;
  result.introduction = {"1/theta = a4 H^4 + ... + a0 by least squares, " +
                         sets_of_every_size(fit)};
  const ThetaGrid& grid = fit.settings.grid;
  result.facts = {{"theta_first", grid.theta(grid.first)},
                  {"theta_last", grid.theta(grid.last)},
                  {"theta_step", 1.0 / grid.per_unit}};
  result.tables = {samples_table(fit), fits_table(fit, with_paper(lines)), counts_table(lines),
                   windows_table(with_paper(lines)), resamples_table(lines)};
  result.figure = fit_figure(fit, pooled.bootstrap);
  result.figure.provenance = {{"sets", sets_text(values)}};
  result.sentences = {result.figure.sentence};
  result.rule = rule_of(pooled);
  if (result.rule) {
    const Interval range = known_range(pooled);
    result.guarded_rule = guarded_rule(*result.rule, range.low, range.high);
    result.rule_text = fitted_rule_text(pooled.fit);
    result.guarded_rule_text = held_rule_text(pooled.fit, pooled.bootstrap);
  }
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
          "As many sets are drawn at every size. Where no item has a larger logit than the one "
          "with "
          "the largest priority, colder is never worse, and the set is dropped. For the "
          "others, theta is the one of 0.1, 0.2, ... 10 that puts the most attention on that "
          "item; 1/theta is then fitted as a polynomial of the entropy at theta = 1, in nats. "
          "theta = 0 is not tried: softmax is not defined there. A fit is not known beyond the "
          "entropies of its samples. How sure its highest local maximum and the entropies are "
          "between which it sharpens is seen from 1000 draws of as many sets from its own with "
          "replacement, each of which is fitted where its sets differ enough.",
      .examples = {"fit", "fit --seed 3 --per-size --json",
                   "fit --checkpoint runs/default/seed1.safetensors --csv > scatter.csv"},
      .heads = HeadUse::kOne,
      .gives_rule = true,
      .settings = settings(),
      .run = run,
  };
}

}  // namespace dispersion
