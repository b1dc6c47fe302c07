#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/softmax.h"
#include "core/io/error.h"
#include "core/verify/case_slices.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

constexpr std::int64_t kLongestGrid = 100'000;

// Where the function changes its sign in [low, high], to the last bit.
template <class Function>
double bisect(Function function, double low, double high) {
  const bool rising = function(high) > 0;
  for (double middle = (low + high) / 2; middle != low && middle != high;
       middle = (low + high) / 2) {
    ((function(middle) > 0) == rising ? high : low) = middle;
  }
  return high;
}

// All of them on [0.5, 12], in ascending order.
template <class Function>
std::vector<double> sign_changes(Function function) {
  constexpr double kStep = 1.0 / 64;
  std::vector<double> found;
  for (double x = 0.5; x < 12; x += kStep) {
    if ((function(x) > 0) != (function(x + kStep) > 0))
      found.push_back(bisect(function, x, x + kStep));
  }
  return found;
}

void check_rule(Section& section) {
  const AdaptiveRule rule;
  const CaseValue cases = section.cases();
  section.scalars(cases, "coefficients", to_doubles(rule.coefficients));
  section.scalar(cases, "guard", rule.gate);
  section.scalars(cases, "roots_of_polynomial_minus_1",
                  sign_changes([&](double h) { return polynomial(rule, h) - 1; }));
  double peak = 0;
  for (const double h : sign_changes([&](double x) { return adaptive_beta_slope(rule, x); })) {
    if (adaptive_beta(rule, h) > adaptive_beta(rule, peak)) peak = h;
  }
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

using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// Least squares of `inverse_theta` by a polynomial in h, highest power first, in extended
// precision.
struct Fit {
  std::vector<double> coefficients;
  double residual = 0;
  double condition = 0;  // of the Vandermonde matrix with columns of length 1
};

Fit fit_polynomial(const std::vector<double>& h, const std::vector<double>& inverse_theta,
                   int terms) {
  Matrix powers(static_cast<Eigen::Index>(h.size()), terms);
  Vector target(static_cast<Eigen::Index>(h.size()));
  for (Eigen::Index i = 0; i < powers.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    target[i] = inverse_theta[at];
    for (int j = 0; j < terms; ++j) {
      powers(i, j) = std::pow(static_cast<long double>(h[at]), terms - 1 - j);
    }
  }
  const Vector lengths = powers.colwise().norm();
  const Matrix scaled = powers * lengths.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<Matrix> svd(scaled);
  const Vector solution = scaled.colPivHouseholderQr().solve(target).cwiseQuotient(lengths);
  Fit fit;
  for (int j = 0; j < terms; ++j)
    fit.coefficients.push_back(static_cast<double>(solution[j]));
  fit.residual = static_cast<double>((powers * solution - target).squaredNorm());
  fit.condition = static_cast<double>(svd.singularValues()[0] / svd.singularValues()[terms - 1]);
  return fit;
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
  const Fit fit = fit_polynomial(h, inverse_theta, static_cast<int>(stored.size()));
  section.scalars(item, "coefficients", fit.coefficients, tolerance::kDoubleFit);
  section.scalars(item, "coefficients_extended_precision", fit.coefficients, tolerance::kDoubleFit);
  section.scalar(item, "polyfit_vs_extended_max_rel", relative_difference(stored, extended),
                 tolerance::kDoubleFitSummary);
  section.scalar(item, "residual_sum_of_squares", fit.residual, tolerance::kDoubleFitSummary);
  section.scalar(item, "scaled_vandermonde_condition", fit.condition, tolerance::kDoubleFitSummary);
}

struct Grid {
  std::int64_t first = 0;  // theta = index * step
  std::int64_t last = 0;
  double step = 0;

  double theta(std::int64_t index) const {
    // 1 / step is a whole number on a decimal grid: dividing by it gives the nearest double.
    return static_cast<double>(index) / std::round(1 / step);
  }
};

Grid read_grid(const CaseValue& search) {
  Grid grid;
  grid.step = search.at("grid_step").number();
  const double first = search.at("grid_first").number() / grid.step;
  const double last = search.at("grid_last").number() / grid.step;
  if (!(grid.step > 0 && grid.step <= 1) || !(first > 0.5 && first <= last) ||
      last > kLongestGrid) {
    throw FileError("cases.json", "'" + search.place() + "' should have a grid above 0");
  }
  grid.first = std::llround(first);
  grid.last = std::llround(last);
  return grid;
}

// log softmax(e / theta)[target].
double log_probability(std::span<const double> logits, std::size_t target, double theta) {
  const LogitSummary summary = summarise_logits(logits, theta);
  return (logits[target] - summary.max) / theta - summary.log_sum;
}

struct Search {
  std::int64_t index = 0;
  double log_probability = 0;
  double margin = 0;
};

Search search_grid(std::span<const double> logits, std::size_t target, const Grid& grid) {
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  Search search = {grid.first, kLowest, 0};
  double second = kLowest;
  for (std::int64_t index = grid.first; index <= grid.last; ++index) {
    const double value = log_probability(logits, target, grid.theta(index));
    second = std::max(second, std::min(value, search.log_probability));
    if (value > search.log_probability) {
      search.index = index;
      search.log_probability = value;
    }
  }
  search.margin = search.log_probability - second;
  return search;
}

void check_search(Section& section, const CaseValue& item, std::span<const double> logits,
                  std::size_t target, const Grid& grid, std::vector<double>& theta_opt) {
  const Search search = search_grid(logits, target, grid);
  const double theta = grid.theta(search.index);
  theta_opt.push_back(static_cast<double>(static_cast<float>(theta)));
  section.integer(item, "target", static_cast<std::int64_t>(target));
  section.integer(item, "grid_index", search.index);
  section.scalar(item, "theta_opt", theta);
  section.scalar(item, "log_probability_at_theta_opt", search.log_probability);
  section.scalar(item, "probability_at_theta_opt", std::exp(search.log_probability));
  section.scalar(item, "log_probability_margin_to_next_grid_point", search.margin);
  section.scalar(item, "probability_at_theta_1", std::exp(log_probability(logits, target, 1)));
  section.scalar(item, "entropy_at_theta_1", summarise_logits(logits, 1).entropy);
}

void check_searches(Section& section) {
  const CaseValue search = section.cases().at("theta_search");
  const CaseValue cases = search.at("cases");
  const Grid grid = read_grid(search);
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
