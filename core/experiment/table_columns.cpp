#include "core/experiment/table_columns.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/figure/number_text.h"
#include "core/figure/table_text.h"

namespace dispersion {
namespace {

using Row = TableOneCell;

template <class Number>
ResultValue answer_value(const Answer<Number>& answer, double Number::*part) {
  return answer ? ResultValue((*answer).*part) : ResultValue();
}

ResultValue reason_value(const std::string& reason) {
  return reason.empty() ? ResultValue() : ResultValue(reason);
}

ResultValue gain_end(const Row& row, double Interval::*end) {
  return row.against_plain ? ResultValue(row.against_plain->interval.*end) : ResultValue();
}

std::string missing_text(const std::string& reason) {
  if (reason == "no difference") return "no diff.";
  if (reason == "all seeds equal" || reason == "equal differences") return "all equal";
  if (reason == "heads share sets") return "same sets";
  return reason == "needs two seeds" ? "1 head" : "";
}

// "98.7 .. 99.2 ", or "92.1 .. 100.0*" where it is cut.
std::string interval_text(const Interval& interval, std::string (*text)(double, int),
                          int decimals) {
  return text(interval.low, decimals) + " .. " + text(interval.high, decimals) +
         (interval.is_cut ? "*" : " ");
}

std::string mean_interval_text(const Row& row) {
  const Answer<Interval>& interval = row.accuracy.interval;
  return interval ? interval_text(*interval, percentage_text, mean_decimals(row))
                  : missing_text(interval.reason) + " ";
}

std::string gain_interval_text(const Row& row) {
  const Answer<PairedT>& test = row.against_plain;
  return test ? interval_text(test->interval, points_text, gain_decimals(row))
              : missing_text(test.reason) + " ";
}

// The paper's value, and whether it lies in our interval.
std::string paper_text(const std::optional<double>& value, const std::optional<bool>& inside,
                       std::string (*text)(double, int)) {
  if (!value) return "";
  return text(*value, 1) + (!inside ? "    " : *inside ? " in " : " out");
}

std::string p_text(const Row& row) {
  return row.against_plain ? probability_text(row.against_plain->p) : "";
}

std::string mcnemar_text(const Row& row) {
  return row.mcnemar_p ? probability_text(*row.mcnemar_p) : missing_text(row.mcnemar_p.reason);
}

// What JSON has of the two tests.
void add_tests(std::vector<ColumnOf<Row>>& columns) {
  const std::vector<ColumnOf<Row>> tests = {
      {{"difference", ""},
       [](const Row& r) { return answer_value(r.against_plain, &PairedT::mean_difference); }},
      {{"difference_low", ""}, [](const Row& r) { return gain_end(r, &Interval::low); }},
      {{"difference_high", ""}, [](const Row& r) { return gain_end(r, &Interval::high); }},
      {{"p_value", ""}, [](const Row& r) { return answer_value(r.against_plain, &PairedT::p); }},
      {{"p_value_reason", ""}, [](const Row& r) { return reason_value(r.against_plain.reason); }},
      {{"mcnemar_p", ""}, [](const Row& r) { return optional_value(r.mcnemar_p.value); }},
      {{"mcnemar_reason", ""}, [](const Row& r) { return reason_value(r.mcnemar_p.reason); }}};
  columns.insert(columns.end(), tests.begin(), tests.end());
}

std::vector<ColumnOf<Row>> accuracy_columns() {
  constexpr NumberForm kShare = NumberForm::kPercent;
  std::vector<ColumnOf<Row>> columns = {
      {{"n", "n"}, [](const Row& r) { return std::int64_t{r.items}; }},
      {{"transform", "transform", NumberForm::kName},
       [](const Row& r) { return std::string(transform_name(r.transform.id)); }},
      {{"mean", ""}, [](const Row& r) { return r.accuracy.mean; }},
      {{"", "mean"},
       [](const Row& r) { return percentage_text(r.accuracy.mean, mean_decimals(r)); }},
      {{"seed_accuracies", ""}, [](const Row& r) { return r.seed_accuracies; }},
      {{"low", ""}, [](const Row& r) { return answer_value(r.accuracy.interval, &Interval::low); }},
      {{"high", ""},
       [](const Row& r) { return answer_value(r.accuracy.interval, &Interval::high); }},
      {{"interval_reason", ""},
       [](const Row& r) { return reason_value(r.accuracy.interval.reason); }},
      {{"", "95 % interval "}, mean_interval_text},
      {{"std_between_seeds", ""},
       [](const Row& r) { return optional_value(r.accuracy.standard_deviation.value); }},
      {{"", "paper    "},
       [](const Row& r) { return paper_text(r.paper_mean, r.paper_inside(), percentage_text); }}};
  add_tests(columns);
  const std::vector<ColumnOf<Row>> rest = {
      {{"paper_mean", ""}, [](const Row& r) { return optional_value(r.paper_mean); }},
      {{"paper_p_value", ""}, [](const Row& r) { return optional_value(r.paper_p_value); }},
      {{"paper_inside", ""}, [](const Row& r) { return optional_value(r.paper_inside()); }},
      {{"entropy_plain", ""}, [](const Row& r) { return r.plain_entropy; }},
      {{"entropy", "H", NumberForm::kFixed, 2}, [](const Row& r) { return r.entropy; }},
      {{"weight_on_max", "on max", NumberForm::kFixed, 3},
       [](const Row& r) { return r.weight_on_max; }},
      {{"argmax_correct", "argmax", kShare, 1}, [](const Row& r) { return r.argmax_correct; }},
      {{"logit_spread", ""}, [](const Row& r) { return r.logit_spread; }},
      {{"past_window", ""}, [](const Row& r) { return r.past_window; }},
      {{"", "off", kShare, 1},
       [](const Row& r) {
         return r.transform.id == TransformId::kSoftmax ? ResultValue(r.past_window)
                                                        : ResultValue(std::string());
       }},
      {{"sets", ""}, [](const Row& r) { return r.sets; }},
      {{"sets_pooled", ""}, [](const Row& r) { return r.pooled_sets; }},
      {{"seeds", ""}, [](const Row& r) { return std::int64_t{r.accuracy.seeds}; }}};
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

std::vector<ColumnOf<Row>> gain_columns() {
  return {
      {{"n", "n"}, [](const Row& r) { return std::int64_t{r.items}; }},
      {{"transform", "transform", NumberForm::kName},
       [](const Row& r) { return std::string(transform_name(r.transform.id)); }},
      {{"gain", ""}, [](const Row& r) { return optional_value(r.gain); }},
      {{"", "gain"},
       [](const Row& r) { return points_text(r.gain.value_or(0), gain_decimals(r)); }},
      {{"low", ""}, [](const Row& r) { return gain_end(r, &Interval::low); }},
      {{"high", ""}, [](const Row& r) { return gain_end(r, &Interval::high); }},
      {{"", "95 % interval "}, gain_interval_text},
      {{"", "paper    "},
       [](const Row& r) { return paper_text(r.paper_gain, r.paper_gain_inside(), points_text); }},
      {{"paper_gain", ""}, [](const Row& r) { return optional_value(r.paper_gain); }},
      {{"paper_gain_inside", ""},
       [](const Row& r) { return optional_value(r.paper_gain_inside()); }},
      {{"p_value", ""}, [](const Row& r) { return answer_value(r.against_plain, &PairedT::p); }},
      {{"", "p"}, p_text},
      {{"", "paper p"},
       [](const Row& r) {
         return r.paper_p_value ? printed_probability_text(*r.paper_p_value) : std::string();
       }},
      {{"reason", ""}, [](const Row& r) { return reason_value(r.against_plain.reason); }},
      {{"", "McNemar"}, mcnemar_text}};
}

std::vector<TableOneCell> cells_of(const TableOne& table,
                                   std::span<const AttentionTransform> transforms) {
  std::vector<TableOneCell> cells;
  std::ranges::copy_if(table.cells, std::back_inserter(cells), [&](const TableOneCell& cell) {
    return std::ranges::find(transforms, cell.transform.id, &AttentionTransform::id) !=
           transforms.end();
  });
  return cells;
}

}  // namespace

ResultTable accuracy_rows(const TableOne& table, std::span<const AttentionTransform> transforms) {
  return result_table("rows", accuracy_columns(), cells_of(table, transforms));
}

ResultTable gain_rows(const TableOne& table, std::span<const AttentionTransform> transforms) {
  std::vector<TableOneCell> cells = cells_of(table, transforms);
  std::erase_if(cells, [](const TableOneCell& cell) { return !cell.gain; });
  ResultTable gains = result_table("gains", gain_columns(), cells);
  if (cells.empty()) return gains;
  gains.title = "Gain over softmax on the same sets, in percentage points";
  if (std::ranges::any_of(cells, gain_is_cut))
    gains.notes.push_back("*: cut at −100 or +100 points");
  if (Statement note = p_note(table); !note.empty()) gains.notes.push_back(std::move(note));
  if (Statement note = mcnemar_note(table); !note.empty()) gains.notes.push_back(std::move(note));
  return gains;
}

}  // namespace dispersion
