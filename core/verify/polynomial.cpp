#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/attention/rule_shape.h"
#include "core/attention/softmax.h"
#include "core/experiment/temperature_fit.h"
#include "core/io/file.h"
#include "core/math/least_squares.h"
#include "core/statistics/polynomial_fit.h"
#include "core/verify/case_slices.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

constexpr std::int64_t kLongestGrid = 100'000;

void check_rule(Section& section) {
  const AdaptiveRule rule;
  const CaseValue cases = section.cases();
  section.scalars(cases, "coefficients", to_doubles(rule.coefficients));
  section.scalar(cases, "guard", rule.gate);
  std::vector<double> edges;
  for (const RuleWindow& window : rule_windows(rule)) {
    edges.push_back(window.low);
    edges.push_back(window.high);
  }
  section.scalars(cases, "roots_of_polynomial_minus_1", edges);
  const double peak = rule_peak(rule).value_or(0);
  section.scalar(cases.at("peak"), "h", peak);
  section.scalar(cases.at("peak"), "beta", adaptive_beta(rule, peak));
  std::vector<double> raw;
  std::vector<double> clamped;
  for (const double h : cases.at("table").at("h").numbers()) {
    raw.push_back(polynomial(rule, h));
    clamped.push_back(adaptive_beta(rule, h));
  }
  section.scalars(cases.at("table"), "polynomial", raw);
  section.scalars(cases.at("table"), "beta", clamped);
}

// Turns two columns in their plane until they are orthogonal. Returns whether they were not.
bool orthogonalise(Column& a, Column& b) {
  const long double across = dot(a, b);
  const long double squares_a = dot(a, a);
  const long double squares_b = dot(b, b);
  constexpr long double kRounding = 1e-18L;
  if (std::abs(across) <= kRounding * std::sqrt(squares_a * squares_b)) return false;
  const long double zeta = (squares_b - squares_a) / (2 * across);
  const long double tangent = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const long double cosine = 1 / std::sqrt(1 + tangent * tangent);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double turned = cosine * (a[i] - tangent * b[i]);
    b[i] = cosine * (tangent * a[i] + b[i]);
    a[i] = turned;
  }
  return true;
}

// The largest singular value over the smallest: the lengths of the columns when one-sided Jacobi
// rotations have made them orthogonal (Golub and Van Loan, Matrix Computations, 8.6.3).
long double condition(std::vector<Column> columns) {
  bool turned = true;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {
    turned = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t j = i + 1; j < columns.size(); ++j)
        turned = orthogonalise(columns[i], columns[j]) || turned;
    }
  }
  long double smallest = std::numeric_limits<long double>::infinity();
  long double largest = 0;
  for (const Column& column : columns) {
    smallest = std::min(smallest, std::sqrt(dot(column, column)));
    largest = std::max(largest, std::sqrt(dot(column, column)));
  }
  return largest / smallest;
}

// Of the Vandermonde matrix with columns of length 1, in extended precision.
double scaled_vandermonde_condition(const std::vector<double>& h, int terms) {
  std::vector<Column> columns;
  for (int power = terms - 1; power >= 0; --power) {
    Column column;
    for (const double value : h)
      column.push_back(std::pow(static_cast<long double>(value), power));
    const long double length = std::sqrt(dot(column, column));
    for (long double& value : column)
      value /= length;
    columns.push_back(std::move(column));
  }
  return static_cast<double>(condition(std::move(columns)));
}

// Of the largest entry of b.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double scale = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return difference / scale;
}

void check_fit(Section& section, const CaseValue& item) {
  const std::vector<double> h = item.at("h").numbers();
  const std::vector<double> inverse_theta = item.at("inverse_theta").numbers();
  const std::vector<double> stored = item.at("coefficients").numbers();
  const std::vector<double> extended = item.at("coefficients_extended_precision").numbers();
  if (stored.empty() || stored.size() > 16 || stored.size() != extended.size() ||
      h.size() < stored.size() || h.size() != inverse_theta.size()) {
    throw FileError("cases.json", "'" + item.place() + "' should have more points than terms");
  }
  const auto terms = static_cast<int>(stored.size());
  const Answer<PolynomialFit> fit = fit_polynomial(h, inverse_theta, terms - 1);
  if (!fit)
    throw FileError("cases.json", "'" + item.place() + "' should have a fit; " + fit.reason);
  section.scalars(item, "coefficients", fit->coefficients, tolerance::kDoubleFit);
  section.scalars(item, "coefficients_extended_precision", fit->coefficients,
                  tolerance::kDoubleFit);
  section.scalar(item, "polyfit_vs_extended_max_rel", relative_difference(stored, extended),
                 tolerance::kDoubleFitSummary);
  section.scalar(item, "residual_sum_of_squares", fit->sum_of_squares,
                 tolerance::kDoubleFitSummary);
  section.scalar(item, "scaled_vandermonde_condition", scaled_vandermonde_condition(h, terms),
                 tolerance::kDoubleFitSummary);
}

ThetaGrid read_grid(const CaseValue& search) {
  ThetaGrid grid;
  const double step = search.at("grid_step").number();
  const double first = search.at("grid_first").number() / step;
  const double last = search.at("grid_last").number() / step;
  if (!(step > 0 && step <= 1) || !(first > 0.5 && first <= last) || last > kLongestGrid) {
    throw FileError("cases.json", "'" + search.place() + "' should have a grid above 0");
  }
  // 1 / step is a whole number on a decimal grid: dividing by it gives the nearest double.
  grid.per_unit = std::round(1 / step);
  grid.first = std::llround(first);
  grid.last = std::llround(last);
  return grid;
}

void check_search(Section& section, const CaseValue& item, std::span<const double> logits,
                  std::size_t target, const ThetaGrid& grid, std::vector<double>& theta_opt) {
  const ThetaSearch search = search_theta(logits, target, grid);
  theta_opt.push_back(static_cast<double>(static_cast<float>(search.theta)));
  section.integer(item, "target", static_cast<std::int64_t>(target));
  section.integer(item, "grid_index", search.index);
  section.scalar(item, "theta_opt", search.theta);
  section.scalar(item, "log_probability_at_theta_opt", search.log_probability);
  section.scalar(item, "probability_at_theta_opt", std::exp(search.log_probability));
  section.scalar(item, "log_probability_margin_to_next_grid_point", search.margin);
  section.scalar(item, "probability_at_theta_1", std::exp(log_probability(logits, target, 1)));
  section.scalar(item, "entropy_at_theta_1", summarise_logits(logits, 1).entropy);
}

void check_searches(Section& section) {
  const CaseValue search = section.cases().at("theta_search");
  const CaseValue cases = search.at("cases");
  const ThetaGrid grid = read_grid(search);
  const std::vector<double> logits = to_doubles(section.tensors().floats("logits", {-1}));
  const CaseSlices slices(section, cases, logits.size());
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(slices.count())};
  const std::vector<std::int32_t> targets = section.tensors().integers("target", shape);
  const std::vector<double> found = to_doubles(section.tensors().floats("theta_opt", shape));
  std::vector<double> theta_opt;
  for (std::size_t c = 0; c < slices.count(); ++c) {
    const std::span<const double> row = slices.of(c, logits);
    const auto target = static_cast<std::size_t>(targets[c]);
    if (targets[c] < 0 || target >= row.size()) {
      throw FileError(section.tensors().path(), "tensor 'target' should hold indices into its row");
    }
    check_search(section, cases.at(c), row, target, grid, theta_opt);
  }
  section.values("polynomial.safetensors", "theta_opt", Arithmetic::kFloat64, theta_opt, found,
                 tolerance::kDoubleTensor, index_in(shape));
}

}  // namespace

void verify_polynomial(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "polynomial.safetensors", "polynomial", report);
  section.guarded("rule", [&] { check_rule(section); });
  section.guarded("fits", [&] {
    const CaseValue fits = section.cases().at("fits");
    for (std::size_t i = 0; i < fits.size(); ++i) {
      section.guarded(fits.at(i).place(), [&] { check_fit(section, fits.at(i)); });
    }
  });
  section.guarded("theta_search", [&] { check_searches(section); });
}

}  // namespace dispersion
