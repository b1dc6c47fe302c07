#include "core/experiment/table_summary.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/paper_table.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

constexpr const char* kComparedWith = "the others are compared with it";
constexpr const char* kSharedSets = "heads share sets";
constexpr double kPaperRounding = 0.0005;  // its means are printed to 0.1 %

// The heads that have been evaluated at one size.
std::vector<const TableTally*> tallies_at(const TableRun& run, std::size_t size) {
  std::vector<const TableTally*> tallies;
  for (std::size_t head = 0; head < run.seeds.size(); ++head) {
    const TableTally& tally = run.tally(size, head);
    if (tally.sets > 0) tallies.push_back(&tally);
  }
  return tallies;
}

std::vector<double> accuracies(std::span<const TableTally* const> tallies, std::size_t transform) {
  std::vector<double> values;
  for (const TableTally* tally : tallies)
    values.push_back(tally->rows[transform].accuracy());
  return values;
}

void add_means(std::span<const TableTally* const> tallies, std::size_t transform,
               TableOneCell& cell) {
  const auto heads = static_cast<double>(tallies.size());
  cell.sets = std::numeric_limits<std::int64_t>::max();
  for (const TableTally* tally : tallies) {
    const SizeRow& row = tally->rows[transform];
    cell.sets = std::min(cell.sets, tally->sets);
    cell.pooled_sets += tally->sets;
    cell.plain_entropy += tally->rows.front().mean_entropy() / heads;
    cell.entropy += row.mean_entropy() / heads;
    cell.weight_on_max += row.mean_weight_on_max() / heads;
    cell.argmax_correct += row.argmax_accuracy() / heads;
    cell.logit_spread += row.mean_logit_spread() / heads;
    cell.past_window +=
        static_cast<double>(tally->past_window) / static_cast<double>(tally->sets) / heads;
  }
}

bool share_sets(std::span<const std::uint32_t> seeds) {
  return std::set<std::uint32_t>(seeds.begin(), seeds.end()).size() < seeds.size();
}

// In place of what takes the heads for independent.
void withdraw_tests(TableOneCell& cell) {
  if (cell.accuracy.seeds >= 2) {
    cell.accuracy.interval = no_answer<Interval>(kSharedSets);
    if (cell.gain) cell.against_plain = no_answer<PairedT>(kSharedSets);
  }
  if (cell.mcnemar_p) cell.mcnemar_p = no_answer<double>(kSharedSets);
}

void add_tests(std::span<const TableTally* const> tallies, std::size_t transform,
               TableOneCell& cell) {
  cell.seed_accuracies = accuracies(tallies, transform);
  cell.accuracy = over_seeds(cell.seed_accuracies);
  if (transform == 0) {
    cell.against_plain = no_answer<PairedT>(kComparedWith);
    cell.mcnemar_p = no_answer<double>(kComparedWith);
    return;
  }
  const std::vector<double> plain = accuracies(tallies, 0);
  cell.gain = cell.accuracy.mean - over_seeds(plain).mean;
  cell.against_plain = compare_pairs(cell.seed_accuracies, plain);
  if (std::optional<PairedT>& test = cell.against_plain.value)
    test->interval = cut(test->interval, -1, 1);  // of a difference of shares
  std::int64_t won = 0;
  std::int64_t lost = 0;
  for (const TableTally* tally : tallies) {
    won += tally->won[transform];
    lost += tally->lost[transform];
  }
  cell.mcnemar_p = answer(mcnemar_p(won, lost));
}

void add_paper(TableOneCell& cell) {
  const PaperColumn* paper = paper_column(cell.items);
  if (paper == nullptr) return;
  // Table 1 has only these two transforms, with the rule of the paper and theta = 1.
  if (cell.transform == usual_transform(TransformId::kSoftmax)) {
    cell.paper_mean = paper->plain;
  } else if (cell.transform == usual_transform(TransformId::kAdaptive)) {
    cell.paper_mean = paper->adaptive;
    cell.paper_gain = paper->adaptive - paper->plain;
    cell.paper_p_value = paper->p_value;
  }
}

bool contains(const Interval& interval, double value) {
  return value >= interval.low && value <= interval.high;
}

InsideCount count_inside(const TableOne& table,
                         std::optional<bool> (TableOneCell::*inside)() const) {
  InsideCount count;
  for (const TableOneCell& cell : table.cells) {
    const std::optional<bool> in = (cell.*inside)();
    if (!cell.complete || !in) continue;
    ++count.compared;
    count.inside += *in;
  }
  return count;
}

}  // namespace

std::optional<bool> TableOneCell::paper_inside() const {
  if (!paper_mean || !accuracy.interval) return std::nullopt;
  return contains(*accuracy.interval, *paper_mean);
}

std::optional<bool> TableOneCell::paper_gain_inside() const {
  if (!paper_gain || !against_plain) return std::nullopt;
  return contains(against_plain->interval, *paper_gain);
}

std::optional<bool> TableOneCell::paper_gain_may_be_inside() const {
  if (!paper_gain || !against_plain) return std::nullopt;
  const Interval& ours = against_plain->interval;
  return *paper_gain + 2 * kPaperRounding >= ours.low &&
         *paper_gain - 2 * kPaperRounding <= ours.high;
}

InsideCount means_inside(const TableOne& table) {
  return count_inside(table, &TableOneCell::paper_inside);
}

double repeats_expected_inside(const TableOne& table) {
  double expected = 0;
  for (const TableOneCell& cell : table.cells) {
    if (cell.complete && cell.paper_inside())
      expected += repeat_inside(cell.accuracy.seeds, kPaperSeeds);
  }
  return expected;
}

InsideCount gains_inside(const TableOne& table) {
  return count_inside(table, &TableOneCell::paper_gain_inside);
}

InsideCount gains_that_may_be_inside(const TableOne& table) {
  return count_inside(table, &TableOneCell::paper_gain_may_be_inside);
}

SideCount sides_of_paper(const TableOne& table) {
  SideCount count;
  for (const TableOneCell& cell : table.cells) {
    if (!cell.complete || !cell.paper_mean) continue;
    const double more = cell.accuracy.mean - *cell.paper_mean;
    ++count.compared;
    count.above += more > kPaperRounding;
    count.below += more < -kPaperRounding;
  }
  return count;
}

const TableOneCell* TableOne::find(int items, TransformId transform) const {
  const auto found = std::ranges::find_if(cells, [&](const TableOneCell& cell) {
    return cell.items == items && cell.transform.id == transform;
  });
  return found == cells.end() ? nullptr : &*found;
}

TableOne summarise_table(const TableRun& run) {
  TableOne table;
  table.heads = static_cast<int>(run.seeds.size());
  table.seeds_known = run.seeds_known;
  table.heads_share_sets = share_sets(run.seeds);
  table.precision = run.settings.evaluation.precision;
  table.window_end = run.window_end;
  table.share_done = share_done(run);
  for (std::size_t size = 0; size < run.settings.sizes.size(); ++size) {
    const std::vector<const TableTally*> tallies = tallies_at(run, size);
    if (tallies.empty()) continue;
    for (std::size_t transform = 0; transform < run.settings.transforms.size(); ++transform) {
      TableOneCell cell;
      cell.items = run.settings.sizes[size];
      cell.transform = run.settings.transforms[transform];
      add_means(tallies, transform, cell);
      cell.complete = tallies.size() == run.seeds.size() && cell.sets >= run.settings.sets;
      add_tests(tallies, transform, cell);
      if (table.heads_share_sets) withdraw_tests(cell);
      add_paper(cell);
      table.cells.push_back(std::move(cell));
    }
  }
  return table;
}

TableOne summarise_table(const TableRun& run, const TableRun& stored) {
  TableOne table = summarise_table(run);
  if (stored.settings.sets != run.settings.sets) return table;
  const TableOne before = summarise_table(stored);
  std::vector<TableOneCell> cells;
  for (const int items : run.settings.sizes) {
    for (const AttentionTransform& transform : run.settings.transforms) {
      const TableOneCell* now = table.find(items, transform.id);
      const TableOneCell* kept = before.find(items, transform.id);
      const bool usable = kept != nullptr && kept->complete && kept->transform == transform;
      if (usable && (now == nullptr || !now->complete)) now = kept;
      if (now != nullptr) cells.push_back(*now);
    }
  }
  table.cells = std::move(cells);
  return table;
}

}  // namespace dispersion
