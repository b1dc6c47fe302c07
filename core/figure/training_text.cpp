#include "core/figure/training_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/figure/counted.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kGood = 0.95;

using Rows = std::vector<const HistoryRow*>;
using RowsByStep = std::map<std::int64_t, Rows>;

RowsByStep rows_by_step(const std::vector<History>& histories) {
  RowsByStep rows;
  for (const History& history : histories) {
    for (const HistoryRow& row : history)
      rows[row.step].push_back(&row);
  }
  return rows;
}

std::size_t histories_with_rows(const std::vector<History>& histories) {
  return static_cast<std::size_t>(
      std::ranges::count_if(histories, [](const History& history) { return !history.empty(); }));
}

double mean(const Rows& rows, double HistoryRow::*value) {
  double sum = 0;
  for (const HistoryRow* row : rows)
    sum += row->*value;
  return sum / static_cast<double>(rows.size());
}

// How many of the sets of a history are right; none where the share is not that of so many sets.
std::optional<int> sets_right(double share) {
  const double right = share * SpreadSets().sets;
  if (std::abs(right - std::round(right)) > 1e-6) return std::nullopt;
  return static_cast<int>(std::lround(right));
}

Statement number(std::string_view what, std::int64_t step, double value, std::string shown) {
  return Statement::number(
      {.what = what, .at = {static_cast<double>(step)}, .value = value, .shown = std::move(shown)});
}

// "127 of the 128 sets", or the share of sets whose number is not known.
Statement right_on(double share, std::int64_t step) {
  const std::string sets = std::to_string(SpreadSets().sets);
  if (const auto right = sets_right(share)) {
    return number("sets that are right", step, *right, std::to_string(*right)) +
           Statement::naming(" of the " + sets + " sets");
  }
  return number("accuracy (%)", step, 100 * share, percent_text(share, 1)) + " % of the sets";
}

// "97.6 % of the sets on the mean, from 95.3 to 100.0 %"
Statement right_on_the_mean(const Rows& rows, std::int64_t step) {
  const auto [low, high] = std::ranges::minmax(rows, {}, &HistoryRow::accuracy);
  const double share = mean(rows, &HistoryRow::accuracy);
  return number("mean accuracy (%)", step, 100 * share, percent_text(share, 1)) +
         " % of the sets on the mean, from " +
         number("smallest accuracy (%)", step, 100 * low->accuracy,
                percent_text(low->accuracy, 1)) +
         " to " +
         number("largest accuracy (%)", step, 100 * high->accuracy,
                percent_text(high->accuracy, 1)) +
         " %";
}

// "the head is", "the 10 heads are", "1 of the 2 heads is"
Statement heads_are(std::size_t there, std::size_t all, std::int64_t step) {
  if (all == 1) return "the head is";
  const std::vector<double> at = {static_cast<double>(step)};
  const Claim here = count_claim("heads with this step", static_cast<std::int64_t>(there), at);
  const Claim of = count_claim("heads with a history", static_cast<std::int64_t>(all), at);
  if (there == all) return "the " + Statement::fact(of.shown, {of, here}) + " heads are";
  return Statement::number(here) + " of the " + Statement::number(of) +
         (there == 1 ? Statement(" heads is") : Statement(" heads are"));
}

// "mean and range of 10 seeds", "mean and range of up to 3 histories": of `all`, more than one.
Statement range_text(const std::vector<History>& histories, std::size_t all) {
  std::set<std::uint32_t> seeds;
  for (const History& history : histories) {
    if (!history.empty()) seeds.insert(history.front().seed);
  }
  const bool every_step = std::ranges::all_of(
      rows_by_step(histories), [all](const auto& step) { return step.second.size() == all; });
  return "mean and range of " +
         (every_step ? Statement::fact("", "every step is in every history")
                     : Statement("up to ")) +
         count_of("histories", static_cast<std::int64_t>(all)) +
         (seeds.size() == all ? Statement::fact(" seeds", "every history has a seed of its own")
                              : Statement(" histories"));
}

// From which step on the mean over all heads was always at least 95 % where it was measured; none
// where it was not, or at the last step only.
std::optional<std::int64_t> good_from(const RowsByStep& rows, std::size_t heads) {
  std::optional<std::int64_t> from;
  for (auto at = rows.rbegin(); at != rows.rend(); ++at) {
    if (at->second.size() != heads || !(mean(at->second, &HistoryRow::accuracy) >= kGood)) break;
    from = at->first;
  }
  if (from && *from == rows.rbegin()->first) return std::nullopt;
  return from;
}

Statement steps_text(std::int64_t step) {
  if (step == 0) return "Before its first step ";
  return Statement::naming("After " + grouped_text(step) + (step == 1 ? " step " : " steps "));
}

std::string loss_text(double loss) {
  return std::abs(loss) >= 0.001 && loss < 1e6 ? fixed_text(loss, 4) : significant_text(loss, 3);
}

}  // namespace

Statement training_title(const std::vector<History>& histories) {
  const auto learns = [](const History& history) {
    return history.empty() ||
           (history.back().accuracy > history.front().accuracy && history.back().accuracy > 0.5);
  };
  if (histories_with_rows(histories) == 0 || !std::ranges::all_of(histories, learns))
    return "Loss and accuracy over training";
  return Statement::fact("Learning to find the maximum", "accuracy rises to more than half");
}

Statement training_subtitle(const std::vector<History>& histories) {
  const std::size_t all = histories_with_rows(histories);
  if (all == 0) return "no training history yet";
  return (all == 1 ? Statement::fact("one seed", "one history") : range_text(histories, all)) +
         ", " + Statement::naming(std::string(kEarlierSets));
}

Statement training_sentence(const std::vector<History>& histories) {
  const RowsByStep by_step = rows_by_step(histories);
  if (by_step.empty()) return "";
  const std::size_t all = histories_with_rows(histories);
  const std::int64_t step = by_step.rbegin()->first;
  const Rows& last = by_step.rbegin()->second;
  Statement text =
      steps_text(step) + heads_are(last.size(), all, step) + " right on " +
      (last.size() == 1 ? right_on(last.front()->accuracy, step) : right_on_the_mean(last, step));
  const double cross_entropy = mean(last, &HistoryRow::cross_entropy);
  if (std::isfinite(cross_entropy)) {
    text += (last.size() == 1 ? Statement(", with a cross-entropy of ")
                              : Statement(", with a mean cross-entropy of ")) +
            number("cross-entropy", step, cross_entropy, significant_text(cross_entropy, 2)) +
            " nats";
  }
  if (const auto from = good_from(by_step, all)) {
    text += (all == 1 ? Statement("; at least 95 % from step ")
                      : Statement("; on the mean at least 95 % from step ")) +
            Statement::fact(grouped_text(*from) + " on, wherever it was measured",
                            "accuracy is at least 95 % from here on", {static_cast<double>(*from)});
  }
  return text + ".";
}

Statement run_sentence(const StepRecord& newest, std::int64_t steps_before, bool of_batches) {
  const std::int64_t step = newest.step + steps_before;
  const double loss = static_cast<double>(newest.cross_entropy) + newest.l2;
  const double share = newest.accuracy;
  Statement text = Statement::naming("At step " + grouped_text(step)) + " the loss is " +
                   number("loss", step, loss, significant_text(loss, 3)) + ", and ";
  const auto right = sets_right(share);
  if (!of_batches && right) {
    return text + number("sets that are right", step, *right, std::to_string(*right)) + " of the " +
           Statement::naming(std::string(kEarlierSets)) +
           (*right == 1 ? Statement(" is right.") : Statement(" are right."));
  }
  return text + number("accuracy (%)", step, 100 * share, percent_text(share, 1)) + " % of the " +
         (of_batches ? Statement("batch") : Statement::naming(std::string(kEarlierSets))) +
         " are right.";
}

Statement not_finite_text(std::int64_t count) {
  if (count == 0) return "";
  return ", " + count_of("values that are not finite", count) + " not finite left out";
}

Statement batch_text(const StepRecord& record) {
  const double loss = static_cast<double>(record.cross_entropy) + record.l2;
  const double share = record.accuracy;
  if (!std::isfinite(loss)) return "the loss is not finite";
  return "loss " + number("loss", record.step, loss, loss_text(loss)) + "  accuracy " +
         number("accuracy (%)", record.step, 100 * share, percent_text(share, 1)) + " %";
}

std::vector<NamedValue> batch_values(const StepRecord* newest, double smoothed,
                                     const Recipe& recipe) {
  NamedValue loss = {"loss", "–", "",
                     "Cross-entropy in nats plus the L2 term, of the newest batch."};
  NamedValue accuracy = {"smoothed accuracy, n ≤ " + std::to_string(recipe.largest_set), "–", "",
                         "Share of the newest training batches classified right, smoothed."};
  if (newest == nullptr) return {loss, accuracy};
  const float value = newest->cross_entropy + newest->l2;
  if (std::isfinite(value)) {
    loss.value = number("loss", newest->step, value, loss_text(value));
    loss.exact = plain_number(value);
  }
  accuracy.value =
      number("smoothed accuracy (%)", newest->step, 100 * smoothed, percent_text(smoothed, 1)) +
      " %";
  accuracy.exact = plain_number(static_cast<float>(smoothed));
  return {loss, accuracy};
}

}  // namespace dispersion
