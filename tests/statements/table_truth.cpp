#include "tests/statements/table_truth.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "core/attention/transforms.h"

namespace dispersion {
namespace {

// P(|T| > t): with t = sqrt(df) tan(phi), the density is that of cos^(df - 1), which is integrated
// from the end where t is infinite by Simpson's rule.
double tail(double t, double df) {
  const auto integral = [df](double end) {
    constexpr int kSteps = 2000;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * std::pow(std::sin(end * i / kSteps), df - 1);
    }
    return sum * end / kSteps / 3;
  };
  constexpr double kRight = std::numbers::pi / 2;
  return integral(kRight - std::atan(t / std::sqrt(df))) / integral(kRight);
}

double quantile(double df) {
  double low = 0;
  double high = 20;
  for (int i = 0; i < 60; ++i)
    (tail((low + high) / 2, df) > 0.05 ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

// Nothing for fewer than two values and for values that are all equal but for rounding.
std::optional<MeanAndInterval> interval_of(const std::vector<double>& values, double lowest) {
  const auto [low, high] = std::ranges::minmax(values);
  if (values.size() < 2 || high - low < 1e-14) return std::nullopt;
  MeanAndInterval result = {.mean = mean_of(values)};
  double squares = 0;
  for (const double value : values)
    squares += (value - result.mean) * (value - result.mean);
  const auto count = static_cast<double>(values.size());
  const double error = std::sqrt(squares / (count - 1) / count);
  static std::map<double, double> quantiles;
  const auto [t_of, is_new] = quantiles.try_emplace(count, 0);
  if (is_new) t_of->second = quantile(count - 1);
  const double t = t_of->second;
  result.low = std::max(lowest, result.mean - t * error);
  result.high = std::min(1.0, result.mean + t * error);
  result.is_cut = result.mean - t * error < lowest || result.mean + t * error > 1;
  result.p = tail(std::abs(result.mean) / error, count - 1);
  return result;
}

void add_paper(const std::pair<int, std::string>& key, TrueCell& cell) {
  const auto found = paper_in_percent().find(key.first);
  if (found == paper_in_percent().end()) return;
  if (key.second == "softmax") cell.paper = found->second.softmax / 100;
  if (key.second != "adaptive") return;
  cell.paper = found->second.adaptive / 100;
  cell.paper_gain = (found->second.adaptive - found->second.softmax) / 100;
}

bool has_duplicates(std::vector<std::uint32_t> seeds) {
  std::ranges::sort(seeds);
  return std::ranges::adjacent_find(seeds) != seeds.end();
}

double count_of(const TrueCells& cells, const std::function<double(const TrueCell&)>& of) {
  double sum = 0;
  for (const auto& [key, cell] : cells)
    sum += of(cell);
  return sum;
}

std::optional<bool> is_in(const std::optional<MeanAndInterval>& interval,
                          const std::optional<double>& value) {
  if (!interval || !value) return std::nullopt;
  return *value >= interval->low && *value <= interval->high;
}

}  // namespace

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

const std::map<int, PaperCell>& paper_in_percent() {
  static const std::map<int, PaperCell> table = {
      {16, {98.6, 98.6}},   {32, {97.1, 97.1}},   {64, {94.3, 94.5}},   {128, {89.7, 89.9}},
      {256, {81.3, 82.1}},  {512, {70.1, 72.5}},  {1024, {53.8, 57.7}}, {2048, {35.7, 39.4}},
      {4096, {22.6, 24.9}}, {8192, {15.7, 17.5}}, {16384, {12.4, 14.0}}};
  return table;
}

std::optional<MeanAndInterval> TrueCell::interval() const {
  return independent ? interval_of(shares, 0) : std::nullopt;
}

std::vector<double> TrueCell::gains() const {
  std::vector<double> all;
  for (std::size_t i = 0; i < shares.size(); ++i)
    all.push_back(shares[i] - plain[i]);
  return all;
}

std::optional<MeanAndInterval> TrueCell::gain() const {
  return independent ? interval_of(gains(), -1) : std::nullopt;
}

bool TrueCell::surely_better() const {
  const auto test = gain();
  return test && test->p < 0.05 && test->mean > 0 && shares.size() >= 3;
}

std::optional<bool> TrueCell::inside() const {
  return is_in(interval(), paper);
}

std::optional<bool> TrueCell::gain_inside() const {
  return is_in(gain(), paper_gain);
}

std::optional<bool> TrueCell::gain_may_be_inside() const {
  auto test = gain();
  if (test) test->low -= 1e-3;
  if (test) test->high += 1e-3;
  return is_in(test, paper_gain);
}

TrueCells true_cells(const TableRun& run) {
  TrueCells cells;
  const std::size_t heads = run.seeds.size();
  for (std::size_t at = 0; at < run.tallies.size(); ++at) {
    const TableTally& tally = run.tallies[at];
    if (tally.sets == 0) continue;
    for (const SizeRow& row : tally.rows) {
      TrueCell& cell =
          cells[{run.settings.sizes[at / heads], std::string(transform_name(row.transform.id))}];
      const auto share = [&](const SizeRow& of) {
        return static_cast<double>(of.correct) / static_cast<double>(tally.sets);
      };
      cell.shares.push_back(share(row));
      cell.plain.push_back(share(tally.rows.front()));
      cell.sets = cell.sets == 0 ? tally.sets : std::min(cell.sets, tally.sets);
      cell.heads = static_cast<int>(heads);
      cell.independent = !has_duplicates(run.seeds);
      cell.complete = cell.complete && tally.sets == run.settings.sets;
    }
  }
  for (auto& [key, cell] : cells) {
    cell.complete = cell.complete && cell.shares.size() == heads;
    add_paper(key, cell);
  }
  return cells;
}

const ResultValue& value_at(const ResultTable& table, std::size_t row, std::string_view name) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].key == name ||
        (table.columns[i].key.empty() && table.columns[i].heading == name))
      return table.rows[row][i];
  }
  throw std::out_of_range(std::string(name));
}

TrueCells true_cells(const ResultTable& rows, std::int64_t sets) {
  TrueCells cells;
  std::vector<double> plain;
  for (std::size_t row = 0; row < rows.rows.size(); ++row) {
    const auto name = std::get<std::string>(value_at(rows, row, "transform"));
    const auto shares = std::get<std::vector<double>>(value_at(rows, row, "seed_accuracies"));
    if (name == "softmax") plain = shares;
    const std::pair key(static_cast<int>(std::get<std::int64_t>(value_at(rows, row, "n"))), name);
    TrueCell& cell = cells[key];
    cell.shares = shares;
    cell.plain = plain;
    cell.heads = static_cast<int>(shares.size());
    cell.sets = sets;
    add_paper(key, cell);
  }
  return cells;
}

Claims table_claims(const TrueCells& cells) {
  const auto at = [&cells](const Claim& claim) -> const TrueCell& {
    return cells.at({static_cast<int>(claim.at.at(0)), claim.of});
  };
  // Over the cells that are finished.
  const auto counted = [&cells](std::function<double(const TrueCell&)> of) {
    return [&cells, of = std::move(of)](const Claim&) {
      return Truth{count_of(cells, [&](const TrueCell& c) { return c.complete ? of(c) : 0; })};
    };
  };
  const auto beside = [](const TrueCell& c) {
    return c.paper ? mean_of(c.shares) - *c.paper : std::nan("");
  };
  return Claims({
      {"accuracy",
       [=](const Claim& c) {
         return Truth{100 * mean_of(at(c).shares), 1e-9};
       }},
      {"paper's accuracy",
       [=](const Claim& c) {
         return Truth{100 * at(c).paper.value(), 1e-9};
       }},
      {"p of the paired t-test",
       [=](const Claim& c) {
         const double p = at(c).gain().value().p;
         return Truth{p, 1e-6 * p};
       }},
      {"paper's means inside", counted([](const TrueCell& c) { return c.inside() == true; })},
      {"paper's means compared", counted([](const TrueCell& c) { return c.inside().has_value(); })},
      {"means of a repeat expected inside", counted([](const TrueCell& c) {
         if (!c.inside()) return 0.0;
         const auto k = static_cast<double>(c.shares.size());
         return 1 - tail(quantile(k - 1) / std::sqrt(1 + k / 10), k - 1);
       })},
      {"paper's gains inside", counted([](const TrueCell& c) { return c.gain_inside() == true; })},
      {"paper's gains inside with rounding",
       counted([](const TrueCell& c) { return c.gain_may_be_inside() == true; })},
      {"paper's gains compared",
       counted([](const TrueCell& c) { return c.gain_inside().has_value(); })},
      {"means above the paper's", counted([=](const TrueCell& c) { return beside(c) > 5e-4; })},
      {"means below the paper's", counted([=](const TrueCell& c) { return beside(c) < -5e-4; })},
      {"means beside the paper's", counted([](const TrueCell& c) { return c.paper.has_value(); })},
      {"heads", [&cells](const Claim&) { return Truth{1.0 * cells.begin()->second.heads}; }},
      {"every head has a seed of its own",
       [&cells](const Claim&) { return Truth{cells.begin()->second.independent ? 1.0 : 0.0}; }},
      {"fewest sets of a size",
       [&cells](const Claim&) {
         double fewest = INFINITY;
         for (const auto& [key, cell] : cells)
           fewest = std::min(fewest, static_cast<double>(cell.sets));
         return Truth{fewest};
       }},
      {"most sets of a size",
       [&cells](const Claim&) {
         double most = 0;
         for (const auto& [key, cell] : cells)
           most = std::max(most, static_cast<double>(cell.sets));
         return Truth{most};
       }},
      {"tests",
       [&cells](const Claim&) {
         return Truth{count_of(cells, [](const TrueCell& c) { return c.gain().has_value(); })};
       }},
      {"entropy where the rule is off",
       [](const Claim&) {
         double low = 5;
         double high = 7;
         for (int i = 0; i < 60; ++i) {
           const double h = (low + high) / 2;
           const double beta =
               -0.037 * h * h * h * h + 0.481 * h * h * h - 2.3 * h * h + 4.917 * h - 1.791;
           (beta > 1 ? low : high) = h;
         }
         return Truth{low, 1e-9};
       }},
  });
}

}  // namespace dispersion
