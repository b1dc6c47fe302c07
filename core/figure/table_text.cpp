#include "core/figure/table_text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/attention/transforms.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kSignificant = 0.05;
constexpr int kFewestForSignificance = 3;  // seeds
constexpr int kMostDecimals = 12;

// `half`: of an interval, in percentage points, above 0.
int decimals_for(double half) {
  if (half >= 9.95) return 0;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(half))), 1, kMostDecimals);
}

// The larger of the two sides, which is not cut unless both are.
double half_points(const Interval& interval, double centre) {
  return 100 * std::max(centre - interval.low, interval.high - centre);
}

// What there are several of: seeds, where each head has its own, or else heads.
std::string_view one_of(const TableOne& table) {
  return table.heads_share_sets || !table.seeds_known ? "head" : "seed";
}

// What is claimed of heads that are called seeds.
std::vector<Claim> seed_claims(const TableOne& table) {
  if (one_of(table) != "seed") return {};
  return {{.what = "every head has a seed of its own", .relation = Relation::kHolds}};
}

// "10 seeds"
Statement heads_text(const TableOne& table) {
  return counted("heads", table.heads, one_of(table)) + Statement::fact("", seed_claims(table));
}

// "seeds"
Statement all_of(const TableOne& table) {
  return Statement::fact(std::string(one_of(table)) + "s", seed_claims(table));
}

// "10 seeds, 4 096 sets of every size each"
Statement sets_text(const TableOne& table) {
  const auto [low, high] = std::ranges::minmax(table.cells, {}, &TableOneCell::sets);
  return heads_text(table) + ", " + sets_of_sizes(low.sets, high.sets) + " of every size each";
}

bool has_intervals(const TableOne& table) {
  return std::ranges::any_of(table.cells,
                             [](const TableOneCell& cell) { return bool(cell.accuracy.interval); });
}

// What is rounded, of a precision other than fp32.
Statement rounded_text(Precision precision) {
  switch (precision) {
    case Precision::kBf16Priorities:
      return "the priorities are rounded to bf16";
    case Precision::kFp16Priorities:
      return "the priorities are rounded to fp16";
    case Precision::kBf16:
      return "the inputs of products are rounded to bf16";
    case Precision::kFp16:
      return "the inputs of products are rounded to fp16";
    case Precision::kFloat:
      break;
  }
  return "nothing is rounded";
}

Statement with_rounding(Statement text, const TableOne& table) {
  if (table.precision == Precision::kFloat) return text;
  return std::move(text) + "; " + rounded_text(table.precision);
}

const TableOneCell* finished_cell(const TableOne& table, int size, TransformId transform) {
  const TableOneCell* cell = table.find(size, transform);
  return cell != nullptr && cell->complete ? cell : nullptr;
}

// The size in the sentence, of those where softmax is finished: 1,024, in the middle of the paper's
// table, or else the largest.
std::optional<int> sentence_size(const TableOne& table) {
  constexpr int kPreferred = 1024;
  std::set<int> sizes;
  for (const TableOneCell& cell : table.cells) {
    if (cell.complete && cell.transform.id == TransformId::kSoftmax) sizes.insert(cell.items);
  }
  if (sizes.empty()) return std::nullopt;
  return sizes.contains(kPreferred) ? kPreferred : *sizes.rbegin();
}

Statement share_number(std::string_view what, const TableOneCell& cell, double share,
                       int decimals) {
  return Statement::number({.what = what,
                            .of = std::string(transform_name(cell.transform.id)),
                            .at = {static_cast<double>(cell.items)},
                            .value = 100 * share,
                            .shown = percentage_text(share, decimals)}) +
         " %";
}

// "p = 0.0012", "p < 10⁻¹²"
Statement p_statement(const TableOneCell& cell) {
  Claim claim = {.what = "p of the paired t-test",
                 .of = std::string(transform_name(cell.transform.id)),
                 .at = {static_cast<double>(cell.items)},
                 .value = cell.against_plain->p,
                 .shown = probability_text(cell.against_plain->p)};
  if (!claim.shown.starts_with("<")) return "p = " + Statement::number(std::move(claim));
  claim.shown.erase(0, 1);
  claim.relation = Relation::kAtMost;
  return "p < " + Statement::number(std::move(claim));
}

// "63.4 % (paper 57.7 %; p = 1.7·10⁻⁶ against softmax)"
Statement accuracy_statement(const TableOneCell& cell) {
  Statement text = share_number("accuracy", cell, cell.accuracy.mean, mean_decimals(cell));
  Statement more;
  if (cell.paper_mean)
    more += "paper " + share_number("paper's accuracy", cell, *cell.paper_mean, 1);
  if (cell.against_plain) {
    if (!more.empty()) more += "; ";
    more += p_statement(cell) + " against softmax";
  }
  return more.empty() ? text : text + " (" + more + ")";
}

// The transforms at one size, in the order of their table, softmax first.
Statement result_sentence(const TableOne& table) {
  if (table.cells.empty()) return "Nothing has been evaluated yet.";
  const std::optional<int> size = sentence_size(table);
  if (!size) return "No number of items is finished yet.";
  Statement text = "At n = " + Statement::naming(grouped_text(*size)) + ", over " +
                   heads_text(table) + ", softmax gets " +
                   accuracy_statement(*table.find(*size, TransformId::kSoftmax)) +
                   " of the sets right";
  for (const TransformDefinition* definition : transform_definitions()) {
    const TableOneCell* cell = finished_cell(table, *size, definition->id);
    if (cell == nullptr || definition->id == TransformId::kSoftmax) continue;
    const bool is_hard = definition->id == TransformId::kHard;
    text += ", ";
    text += Statement::naming(is_hard ? std::string(definition->words)
                                      : transform_label(cell->transform));
    text += " " + accuracy_statement(*cell);
  }
  return text + ".";
}

Statement inside_sentence(const TableOne& table) {
  const InsideCount means = means_inside(table);
  if (means.compared == 0) return {};
  const double expected = repeats_expected_inside(table);
  Statement text = "The paper's mean lies in our 95 % interval in " +
                   count_of("paper's means inside", means.inside) + " of " +
                   counted("paper's means compared", means.compared, "cell") +
                   "; that of the same experiment with ten other seeds would in " +
                   Statement::number({.what = "means of a repeat expected inside",
                                      .value = expected,
                                      .shown = fixed_text(expected, 1)}) +
                   " on average.";
  const InsideCount gains = gains_inside(table);
  if (gains.compared == 0) return text;
  return text + " Its gain from adaptive θ lies in the interval of ours in " +
         count_of("paper's gains inside", gains.inside) + " of " +
         count_of("paper's gains compared", gains.compared) + ", and in " +
         count_of("paper's gains inside with rounding", gains_that_may_be_inside(table).inside) +
         " if its rounding is allowed for.";
}

// Where our means lie beside the paper's, and what to try. It names no cause.
Statement side_sentence(const TableOne& table) {
  const SideCount sides = sides_of_paper(table);
  if (sides.compared == 0) return {};
  Statement text = "Our mean is above the paper's, by more than its rounding, in " +
                   count_of("means above the paper's", sides.above) + " of " +
                   counted("means beside the paper's", sides.compared, "cell") +
                   " and below it in " + count_of("means below the paper's", sides.below) + ".";
  if (sides.above + sides.below == 0) return text;
  if (table.precision != Precision::kFloat)
    return text + " Here " + rounded_text(table.precision) + "; with precision fp32 nothing is.";
  return text +
         " Whether rounding has a part in that can be tried: with precision bf16-priorities, the "
         "priorities are rounded to bf16 and nothing else is; docs/table1.md has heads that were "
         "trained so, too.";
}

bool mean_is_cut(const TableOneCell& cell) {
  return cell.accuracy.interval && cell.accuracy.interval->is_cut;
}

}  // namespace

std::string percentage_text(double share, int decimals) {
  return fixed_text(100 * share, decimals);
}

std::string points_text(double difference, int decimals) {
  const std::string size = fixed_text(100 * std::abs(difference), decimals);
  if (size == fixed_text(0, decimals)) return size;
  return (difference < 0 ? "−" : "+") + size;
}

int mean_decimals(const TableOneCell& cell) {
  const Answer<Interval>& interval = cell.accuracy.interval;
  return interval ? decimals_for(half_points(*interval, cell.accuracy.mean)) : 1;
}

int gain_decimals(const TableOneCell& cell) {
  const Answer<PairedT>& test = cell.against_plain;
  return test ? decimals_for(half_points(test->interval, test->mean_difference)) : 1;
}

bool gain_is_cut(const TableOneCell& cell) {
  return cell.against_plain && cell.against_plain->interval.is_cut;
}

bool significantly_better(const TableOneCell& cell) {
  const Answer<PairedT>& test = cell.against_plain;
  return test && test->p < kSignificant && test->mean_difference > 0 &&
         test->degrees_of_freedom >= kFewestForSignificance - 1;
}

Statement table_subtitle(const TableOne& table) {
  if (table.cells.empty()) return "nothing evaluated yet";
  Statement text = "accuracy in %, mean ";
  if (has_intervals(table)) text += "± 95 % t-interval ";
  return with_rounding(text + "over " + sets_text(table), table);
}

Statement plot_subtitle(const TableOne& table) {
  if (table.cells.empty()) return "nothing evaluated yet";
  Statement text = "% against n, mean ";
  if (has_intervals(table)) text += "and 95 % t-interval ";
  text += "over " + sets_text(table);
  const bool has_paper = std::ranges::any_of(
      table.cells, [](const TableOneCell& cell) { return cell.paper_mean.has_value(); });
  if (has_paper) text += "; the paper's dashed";
  return with_rounding(std::move(text), table);
}

std::vector<Statement> table_sentences(const TableOne& table) {
  std::vector<Statement> all = {result_sentence(table), inside_sentence(table),
                                side_sentence(table)};
  std::erase_if(all, [](const Statement& sentence) { return sentence.empty(); });
  return all;
}

Statement shares_note(const TableOne& table) {
  Statement text = "shares in %";
  if (has_intervals(table)) text += "; 95 % interval: Student's t over the " + all_of(table);
  if (std::ranges::any_of(table.cells, mean_is_cut)) text += "; *: cut at 0 or 100 %";
  return text;
}

Statement p_note(const TableOne& table) {
  const auto tests = std::ranges::count_if(
      table.cells, [](const TableOneCell& cell) { return bool(cell.against_plain); });
  if (tests == 0) return {};
  return "p: paired t-test against softmax over the " + all_of(table) +
         ", each by itself: not corrected for " + counted("tests", tests, "test");
}

Statement mcnemar_note(const TableOne& table) {
  const bool tested = std::ranges::any_of(
      table.cells, [](const TableOneCell& cell) { return bool(cell.mcnemar_p); });
  if (!tested) return {};
  return "McNemar: exact, all sets of all " + all_of(table) +
         " in one table; of these heads, not of the method";
}

TableNotes table_notes(const TableOne& table) {
  TableNotes notes;
  const auto any = [&table](bool (*property)(const TableOneCell&)) {
    return std::ranges::any_of(table.cells, property);
  };
  if (any([](const TableOneCell& cell) { return !cell.complete; }))
    notes.main.push_back("…: not finished, over the " + all_of(table) + " and sets counted so far");
  if (any(mean_is_cut)) notes.main.push_back("(a to b): the interval of a mean, cut at 0 or 100 %");
  if (any(gain_is_cut))
    notes.main.push_back("(a to b): the interval of a gain, cut at −100 or +100 points");
  if (any(significantly_better)) {
    notes.main.push_back(
        "bold: better than softmax on the same sets, p < 0.05 (three seeds or more)");
  }
  if (Statement note = p_note(table); !note.empty()) notes.main.push_back(std::move(note));
  if (means_inside(table).compared > 0)
    notes.rest.push_back("in ±: whether what the paper prints lies in our 95 % interval");
  if (Statement note = mcnemar_note(table); !note.empty()) notes.rest.push_back(std::move(note));
  return notes;
}

}  // namespace dispersion
