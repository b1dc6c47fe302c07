#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>

#include "core/cpu/cpu_backend.h"
#include "core/experiment/training_history.h"
#include "core/figure/figures.h"
#include "core/head/forward.h"
#include "tests/statements/cells.h"
#include "tests/statements/claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

struct SetTruth {
  double dots = 0;    // the spread of Qy·Kx
  double biased = 0;  // of those with the biases of Q and K
  double logits = 0;  // of the head's own logits
  double bound = 0;   // of the dot products
  double query_norm = 0;
  double item_norm = 0;
  double sigma_query = 0;
  double sigma_key = 0;
};

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix>;

double largest_singular(const View& kernel) {
  return Eigen::BDCSVD<Eigen::MatrixXd>(kernel).singularValues()[0];
}

// The first evaluation sets of seed 1, measured as the proposition says.
std::vector<SetTruth> measured_sets(const Parameters<float>& head, int items, int sets) {
  const Parameters<double> in_double = convert_parameters<double>(head);
  ItemSets drawn;
  drawn.resize(sets, items);
  draw_item_sets(1, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, drawn);
  Activations<double> activations;
  forward(in_double, drawn.view(), AttentionTransform{}, activations);
  const int width = head.shape.width;
  const View q(in_double.tensor(TensorId::kQueryKernel).data(), width, width);
  const View k(in_double.tensor(TensorId::kKeyKernel).data(), width, width);
  const View bias(in_double.tensor(TensorId::kQueryBias).data(), 1, width);
  const double sigma_query = largest_singular(q);
  const double sigma_key = largest_singular(k);
  std::vector<SetTruth> found;
  for (int set = 0; set < sets; ++set) {
    const View y(activations.query_vector.data() + set * width, 1, width);
    const View x(activations.item_embedding.data() + set * items * width, items, width);
    const Eigen::VectorXd dots = (x * k) * (y * q).transpose();
    const Eigen::VectorXd biased = (x * k) * (y * q + bias).transpose();
    const double* logits = activations.attention_logits.data() + set * items;
    const auto [low, high] = std::minmax_element(logits, logits + items);
    const double item_norm = x.rowwise().norm().maxCoeff();
    found.push_back({.dots = dots.maxCoeff() - dots.minCoeff(),
                     .biased = biased.maxCoeff() - biased.minCoeff(),
                     .logits = *high - *low,
                     .bound = 2 * sigma_query * sigma_key * y.norm() * item_norm,
                     .query_norm = y.norm(),
                     .item_norm = item_norm,
                     .sigma_query = sigma_query,
                     .sigma_key = sigma_key});
  }
  return found;
}

double mean_of(const std::vector<SetTruth>& sets, double SetTruth::*part) {
  double mean = 0;
  for (const SetTruth& set : sets)
    mean += set.*part / static_cast<double>(sets.size());
  return mean;
}

// Sums of up to 128 products in another order in double: far below this, also where terms of some
// thousand times the sum cancel.
Truth about(double value) {
  return {value, 1e-9 * std::abs(value) + 1e-12};
}

double largest_share(const std::vector<SetTruth>& sets, double SetTruth::*spread) {
  double largest = 0;
  for (const SetTruth& set : sets) {
    if (set.bound > 0) largest = std::max(largest, set.*spread / set.bound);
  }
  return largest;
}

// The rows of the tables of a measured head: its dot products, these scaled, with biases, and both.
TrueColumns measured_columns(const std::string& head, int width,
                             const std::vector<SetTruth>& sets) {
  const std::vector<std::string> names = {"dot products Qy·Kx", "with the scale 1/√width",
                                          "with the biases", "both: the head's logits"};
  const std::vector<double SetTruth::*> spreads = {&SetTruth::dots, &SetTruth::dots,
                                                   &SetTruth::biased, &SetTruth::biased};
  const auto scaled = [width](std::size_t row, double value) -> TrueCellValue {
    return about(row % 2 == 1 ? value / std::sqrt(static_cast<double>(width)) : value);
  };
  const auto spread = [=, &sets](std::size_t row) -> TrueCellValue {
    if (row == 3) return about(mean_of(sets, &SetTruth::logits));
    return scaled(row, mean_of(sets, spreads[row]));
  };
  const auto share = [=, &sets](std::size_t row) -> TrueCellValue {
    return about(largest_share(sets, spreads[row]));
  };
  const auto same = [&sets](double SetTruth::*part) {
    return [&sets, part](std::size_t) -> TrueCellValue { return about(mean_of(sets, part)); };
  };
  return {{"head", [=](std::size_t) -> TrueCellValue { return head; }},
          {"step",
           [](std::size_t) -> TrueCellValue {
             return Truth{0, 0};
           }},
          {"logits", [=](std::size_t row) -> TrueCellValue { return names[row]; }},
          {"spread", spread},
          {"bound",
           [=, &sets](std::size_t row) { return scaled(row, mean_of(sets, &SetTruth::bound)); }},
          {"largest share", share},
          {"largest spread / bound", share},
          {"sigma Q", same(&SetTruth::sigma_query)},
          {"sigma K", same(&SetTruth::sigma_key)},
          {"|y|", same(&SetTruth::query_norm)},
          {"max |x|", same(&SetTruth::item_norm)}};
}

// The sentence about a head that is measured.
TEST(SpreadStatements, AreTrueOfEveryHead) {
  std::vector<SetTruth> truth;
  Claims claims({
      {"mean spread",
       [&](const Claim& c) {
         return about(
             mean_of(truth, c.of == "dot products Qy·Kx" ? &SetTruth::dots : &SetTruth::logits));
       }},
      {"mean bound", [&](const Claim&) { return about(mean_of(truth, &SetTruth::bound)); }},
  });
  const std::vector<int> sets = {1, 3, 128};
  const std::vector<int> items = {1, 2, 16};
  for (const auto& row : pairwise({static_cast<int>(zoo().size()), 3, 3})) {
    const ZooHead& head = zoo()[static_cast<std::size_t>(row[0])];
    const int set_count = sets[static_cast<std::size_t>(row[1])];
    const int item_count = items[static_cast<std::size_t>(row[2])];
    SCOPED_TRACE(head.name + ", " + std::to_string(set_count) + " sets of " +
                 std::to_string(item_count));
    truth = measured_sets(head.parameters, item_count, set_count);
    const ExperimentResult result =
        run_on("spread", head,
               {{"sets", std::to_string(set_count)}, {"items", std::to_string(item_count)}});
    claims.check(statements_of(result));
    const TrueColumns columns = measured_columns(head.name, head.parameters.shape.width, truth);
    check_cells(result.tables.at(2), columns);
    check_cells(result.figure.tables.at(0), columns);
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// The name of a head inside the program ends with its seed and its steps.
TEST(SpreadStatements, SayWhatTheNameOfAHeadSaysOnce) {
  ZooHead head = zoo_head("shipped");
  const auto subtitle = [&](const std::string& name) {
    head.name = name;
    const SettingTexts settings = {{"sets", "1"}, {"items", "2"}};
    return run_on("spread", head, settings).figure.tables.at(0).subtitle.text();
  };
  EXPECT_TRUE(subtitle("a head, seed 1, 0 steps").starts_with("a head, seed 1, 0 steps; means"));
  EXPECT_TRUE(subtitle("a head, seed 1, 10 steps; on")
                  .starts_with("a head, seed 1, 10 steps; on, step 0;"));
  EXPECT_TRUE(subtitle("seed 12, 40 steps").starts_with("seed 12, 40 steps, seed 1, step 0;"));
  EXPECT_TRUE(subtitle("a.safetensors").starts_with("a.safetensors, seed 1, step 0;"));
}

struct HeadRun {
  std::string name;
  std::vector<TrainingState> states;
};

HeadRun trained_run(std::uint32_t seed, double learning_rate, const std::vector<int>& steps) {
  Recipe recipe;
  recipe.learning_rate = learning_rate;
  const auto backend = make_cpu_backend(1);
  backend->load(recipe, {start_training(HeadShape{}, seed)});
  HeadRun run{"seed " + std::to_string(seed), {}};
  for (const int target : steps) {
    std::vector<StepRecord> records;
    const auto at = static_cast<int>(backend->state(0).step);
    if (target > at) backend->train(target - at, records);
    run.states.push_back(backend->state(0));
  }
  return run;
}

// A run of one step, whose head is one of the zoo.
HeadRun zoo_run(const std::string& name) {
  TrainingState state = start_training_from(zoo_head(name).parameters, 1);
  state.step = 1;
  return {name, {state}};
}

History history_of(const HeadRun& run) {
  History history;
  for (const TrainingState& state : run.states)
    history.push_back(measure_history({}, state));
  return history;
}

// What is true of runs, from their heads.
class RunsTruth {
 public:
  explicit RunsTruth(const std::vector<HeadRun>& runs) {
    for (const HeadRun& run : runs) {
      for (const TrainingState& state : run.states)
        rows_.push_back({state.step, measured_sets(state.parameters, 16, 128)});
    }
  }
  Truth mean(std::int64_t step, double SetTruth::*part) const {
    double sum = 0;
    int count = 0;
    for (const Row& row : rows_) {
      if (row.step != step) continue;
      sum += mean_of(row.sets, part);
      ++count;
    }
    return about(sum / count);
  }
  double largest_share() const {
    double largest = 0;
    for (const Row& row : rows_)
      largest = std::max(largest, dispersion::largest_share(row.sets, &SetTruth::dots));
    return largest;
  }
  int runs(std::int64_t step) const {
    return static_cast<int>(std::ranges::count(rows_, step, &Row::step));
  }
  int most_runs() const {
    int most = 0;
    for (const Row& row : rows_)
      most = std::max(most, runs(row.step));
    return most;
  }
  // Of all steps, ascending.
  std::vector<std::int64_t> steps() const {
    std::set<std::int64_t> steps;
    for (const Row& row : rows_)
      steps.insert(row.step);
    return {steps.begin(), steps.end()};
  }
  // The points of the curves of spread and bound that logarithmic axes have no place for. What is
  // 0 but for rounding may be among them or not.
  Truth hidden() const {
    Truth points{0, 0};
    for (const std::int64_t step : steps()) {
      for (const auto part : {&SetTruth::dots, &SetTruth::bound}) {
        const Truth at_step = mean(step, part);
        if (step == 0 || at_step.value == 0) {
          ++points.value;
        } else if (at_step.value <= at_step.tolerance) {
          ++points.tolerance;
        }
      }
    }
    return points;
  }
  // The smallest and the largest mean of a run.
  Truth end(std::int64_t step, double SetTruth::*part, bool high) const {
    double end = high ? 0 : INFINITY;
    for (const Row& row : rows_) {
      if (row.step != step) continue;
      const double mean = mean_of(row.sets, part);
      end = high ? std::max(end, mean) : std::min(end, mean);
    }
    return about(end);
  }

 private:
  struct Row {
    std::int64_t step;
    std::vector<SetTruth> sets;
  };
  std::vector<Row> rows_;
};

TrueColumns mean_columns(const RunsTruth& truth) {
  const std::vector<std::int64_t> steps = truth.steps();
  const auto of = [steps](auto cell) {
    return [=](std::size_t row) -> TrueCellValue { return cell(steps[row]); };
  };
  return {
      {"step", of([](std::int64_t step) {
         return Truth{static_cast<double>(step), 0};
       })},
      {"runs", of([&](std::int64_t step) {
         return Truth{static_cast<double>(truth.runs(step)), 0};
       })},
      {"spread mean", of([&](std::int64_t step) { return truth.mean(step, &SetTruth::dots); })},
      {"low", of([&](std::int64_t step) { return truth.end(step, &SetTruth::dots, false); })},
      {"high", of([&](std::int64_t step) { return truth.end(step, &SetTruth::dots, true); })},
      {"bound mean", of([&](std::int64_t step) { return truth.mean(step, &SetTruth::bound); })}};
}

// The figure over training: one run and several, one step and several, runs of different lengths,
// two of the same seed, and heads that did not learn.
TEST(SpreadStatements, AreTrueOfEveryHistory) {
  const HeadRun first = trained_run(1, 1e-3, {0, 1, 20});
  const HeadRun second = trained_run(2, 1e-3, {0, 1});
  const HeadRun diverged = trained_run(1, 0.3, {0, 20});
  const std::vector<std::vector<HeadRun>> cases = {{first},
                                                   {first, second},
                                                   {first, diverged},
                                                   {second, diverged, first},
                                                   {zoo_run("shipped")},
                                                   {zoo_run("constant")},
                                                   {zoo_run("negated"), zoo_run("huge")},
                                                   {zoo_run("tiny")}};
  const RunsTruth* truth = nullptr;
  const auto step_of = [](const Claim& claim) { return std::llround(claim.at.at(0)); };
  Claims claims({
      {"runs measured",
       [&](const Claim& c) {
         return Truth{1.0 * (c.at.empty() ? truth->most_runs() : truth->runs(step_of(c))), 0};
       }},
      {"mean spread", [&](const Claim& c) { return truth->mean(step_of(c), &SetTruth::dots); }},
      {"mean bound", [&](const Claim& c) { return truth->mean(step_of(c), &SetTruth::bound); }},
      {"largest share of a bound (%)",
       [&](const Claim&) { return about(100 * truth->largest_share()); }},
      {"points not shown", [&](const Claim&) { return truth->hidden(); }},
      {"all spreads within their bounds",
       [&](const Claim&) {
         return Truth{truth->largest_share() <= 1 + 1e-9 ? 1.0 : 0.0, 0};
       }},
  });
  for (const std::vector<HeadRun>& runs : cases) {
    SCOPED_TRACE(runs.front().name + " and " + std::to_string(runs.size() - 1) + " more");
    const RunsTruth of_runs(runs);
    truth = &of_runs;
    std::vector<History> histories;
    for (const HeadRun& run : runs)
      histories.push_back(history_of(run));
    claims.check(statements_of(spread_figure(histories)));
    const ExperimentResult result =
        run_on("spread", zoo_head("shipped"), {{"sets", "1"}, {"items", "1"}}, histories);
    check_cells(result.tables.at(0), mean_columns(of_runs));
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// The proposition is not broken by real heads: a broken history is made by hand.
TEST(SpreadStatements, SayWhereABoundIsBroken) {
  HistoryRow row{.seed = 1, .step = 3};
  row.spread.delta = 6;
  row.spread.bound = 4;
  row.spread.largest_share = 1.75;
  const auto known = [](double value) { return [value](const Claim&) { return Truth{value, 0}; }; };
  Claims claims({{"runs measured", known(1)},
                 {"mean spread", known(6)},
                 {"mean bound", known(4)},
                 {"largest share of a bound (%)", known(175)}});
  claims.check(statements_of(spread_figure({{row}})));
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

}  // namespace
}  // namespace dispersion
