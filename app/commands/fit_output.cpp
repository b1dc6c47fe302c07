#include "app/commands/fit_output.h"

#include <nlohmann/json.hpp>

#include "app/commands/output.h"
#include "app/commands/text.h"
#include "core/attention/rule_shape.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

Json windows_json(const AdaptiveRule& rule) {
  Json windows = Json::array();
  for (const RuleWindow& window : rule_windows(rule))
    windows.push_back({{"low", window.low}, {"high", window.high}});
  return windows;
}

// What the rule made of a fit does: where it sharpens, and where it is held when guarded.
Json rule_json(const Answer<PolynomialFit>& fit) {
  if (!fit) return Json();
  const AdaptiveRule rule = rule_from(*fit);
  const std::optional<double> peak = rule_peak(rule);
  return {{"gate", rule.gate},
          {"windows", windows_json(rule)},
          {"guarded_from", peak ? Json(*peak) : Json()},
          {"guarded_beta", peak ? Json(adaptive_beta(guarded_rule(rule), *peak)) : Json()}};
}

Json one_fit_json(const TemperatureFit& fit) {
  return {{"n", fit.items == 0 ? Json("pooled") : Json(fit.items)},
          {"coefficients_highest_first", fit.fit ? Json(fit.fit->coefficients) : Json()},
          {"reason", fit.fit ? Json() : Json(fit.fit.reason)},
          {"generated", fit.generated},
          {"dropped", fit.dropped},
          {"samples", fit.samples},
          {"at_grid_ends", fit.at_grid_ends},
          {"theta_above_1", fit.above_one},
          {"entropy_range",
           fit.entropy_range ? Json({fit.entropy_range->low, fit.entropy_range->high}) : Json()},
          {"residual", fit.fit ? Json(fit.fit->residual) : Json()},
          {"rule", rule_json(fit.fit)}};
}

std::string coefficients_text(std::span<const double> coefficients) {
  std::string text;
  for (const double coefficient : coefficients)
    text += align_right(fixed_text(coefficient, 4), 14);
  return text;
}

std::string one_fit_text(const TemperatureFit& fit) {
  std::string text =
      align_left(fit.items == 0 ? "pooled" : "n = " + std::to_string(fit.items), 12) +
      (fit.fit ? coefficients_text(fit.fit->coefficients) : "  no fit: " + fit.fit.reason) + "\n" +
      "            " + std::to_string(fit.samples) + " samples, " + std::to_string(fit.dropped) +
      " of " + std::to_string(fit.generated) + " sets dropped, " +
      std::to_string(fit.at_grid_ends) + " at the grid's ends, " + std::to_string(fit.above_one) +
      " with theta > 1\n";
  if (fit.fit) {
    text += "            H " + fixed_text(fit.entropy_range->low, 3) + " .. " +
            fixed_text(fit.entropy_range->high, 3) + ", residual " +
            fixed_text(fit.fit->residual, 3) + " in 1/theta\n";
  }
  return text;
}

std::string windows_text(const AdaptiveRule& rule) {
  std::string text;
  for (const RuleWindow& window : rule_windows(rule)) {
    text += (text.empty() ? "" : " and ") + fixed_text(window.low, 4) +
            (window.high == kMostEntropy ? " < H" : " < H < " + fixed_text(window.high, 4));
  }
  return text.empty() ? "nowhere" : text;
}

}  // namespace

Json fit_json(const FitOutput& output, const Backend& backend) {
  const FitSettings& settings = output.run.settings;
  Json object = {{"command", "fit"}, {"checkpoint", output.head.name}};
  object.update(head_provenance(output.head.checkpoint.recipe, output.head.checkpoint.state));
  object["sizes_used"] = settings.sizes;
  object["sets_per_size"] = settings.sets;
  object["set_seed"] = settings.seed;
  object["theta_grid"] = {{"first", settings.grid.theta(settings.grid.first)},
                          {"last", settings.grid.theta(settings.grid.last)},
                          {"step", 1 / settings.grid.per_unit}};
  object["share_done"] = share_done(output.run);
  object.update(build_provenance(backend));
  object.update(one_fit_json(pooled_fit(output.run)));
  const AdaptiveRule paper;
  object["paper"] = {{"coefficients_highest_first", paper.coefficients},
                     {"windows", windows_json(paper)}};
  if (output.per_size) {
    object["sizes"] = Json::array();
    for (const TemperatureFit& fit : fits_by_size(output.run))
      object["sizes"].push_back(one_fit_json(fit));
  }
  return object;
}

std::string fit_csv(const FitRun& run) {
  std::vector<Json> rows;
  for (const FitSample& sample : run.samples) {
    rows.push_back({{"n", sample.items},
                    {"entropy", sample.entropy},
                    {"theta_opt", sample.search.theta},
                    {"inverse_theta", 1 / sample.search.theta}});
  }
  return csv_text(rows);
}

std::string fit_text(const FitOutput& output) {
  const TrainingState& state = output.head.checkpoint.state;
  const TemperatureFit pooled = pooled_fit(output.run);
  const AdaptiveRule paper;
  std::string text =
      "head: " + output.head.name + ", seed " + std::to_string(state.seed) + ", step " +
      std::to_string(state.step) + ", run " + run_hash(output.head.checkpoint.recipe, state) +
      "\n1/theta = a4 H^4 + ... + a0 by least squares, " +
      std::to_string(output.run.settings.sets) + " sets of every size\n\n            " +
      "            a4            a3            a2            a1            a0\n" +
      align_left("paper", 12) + coefficients_text(paper.coefficients) +
      "\n            sharpens for " + windows_text(paper) + "\n" + one_fit_text(pooled);
  if (pooled.fit) text += "            sharpens for " + windows_text(rule_from(*pooled.fit)) + "\n";
  if (output.per_size) {
    for (const TemperatureFit& fit : fits_by_size(output.run))
      text += one_fit_text(fit);
  }
  return text;
}

}  // namespace dispersion
