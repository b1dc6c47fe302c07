#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/experiment.h"
#include "core/experiment/table_summary.h"
#include "core/figure/figures.h"
#include "core/head/forward.h"
#include "tests/statements/table_truth.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

// --- The cells of the figure's table ---

// A text that begins with the number, and what follows it.
std::pair<std::string, std::string> first_word(const std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  return {text.substr(0, end), text.substr(end)};
}

void expect_shown(const std::string& text, double value, const std::string& where) {
  const ShownNumber shown = read_shown(text);
  EXPECT_NEAR(value, shown.value, shown.half_unit * (1 + 1e-9) + 1e-9) << where << ": " << text;
}

// "54.7 ± 2.9", "98.5 (92.1 to 100.0)" where the interval is cut, "98.5" where there is none.
void expect_mean(const std::string& text, double mean,
                 const std::optional<MeanAndInterval>& interval, const std::string& where) {
  const auto [number, rest] = first_word(text);
  expect_shown(number, 100 * mean, where);
  if (!interval) {
    EXPECT_EQ(rest, "") << where;
  } else if (interval->is_cut) {
    ASSERT_TRUE(rest.starts_with(" (") && rest.ends_with(")")) << where << ": " << text;
    const std::size_t to = rest.find(" to ");
    expect_shown(rest.substr(2, to - 2), 100 * interval->low, where);
    expect_shown(rest.substr(to + 4, rest.size() - to - 5), 100 * interval->high, where);
  } else {
    ASSERT_TRUE(rest.starts_with(" ± ")) << where << ": " << text;
    const std::string half = rest.substr(std::string(" ± ").size());
    expect_shown(half, 50 * (interval->high - interval->low), where);
    EXPECT_GT(read_shown(half).value, 0) << where << ": " << text;
  }
}

void expect_verdict(const std::string& text, const std::optional<bool>& inside,
                    const std::string& where) {
  EXPECT_EQ(text == "yes", inside == true) << where << ": " << text;
  EXPECT_EQ(text == "no", inside == false) << where << ": " << text;
}

// What one row shows of a cell. Rows of other names are not about accuracies.
void expect_cell(const std::string& row, const TableCell& shown, const TrueCell& cell) {
  std::string text = shown.text;
  const bool of_paper = row.find("paper") != std::string::npos && !row.ends_with("in ±");
  const bool is_unfinished = text.ends_with(" …");
  EXPECT_EQ(is_unfinished, !cell.complete && !of_paper) << row << ": " << text;
  if (is_unfinished) text.resize(text.size() - std::string(" …").size());
  if (row == "softmax" || row == "adaptive θ" || row == "hard, θ → 0" || row == "sparsemax") {
    expect_mean(text, mean_of(cell.shares), cell.interval(), row);
    EXPECT_EQ(shown.strong, cell.surely_better()) << row << ": " << text;
  } else if (row == "adaptive θ − softmax" || row == "sparsemax − softmax") {
    expect_mean(text, mean_of(cell.gains()), cell.gain(), row);
    EXPECT_EQ(shown.strong, cell.surely_better()) << row << ": " << text;
  } else if (row == "adaptive θ − softmax, paper") {
    EXPECT_EQ(text == "–", !cell.paper_gain) << row;
    if (cell.paper_gain) expect_shown(text, 100 * *cell.paper_gain, row);
  } else if (row == "softmax, paper in ±" || row == "adaptive θ, paper in ±") {
    expect_verdict(text, cell.inside(), row);
  } else if (row == "adaptive θ − softmax, paper in ±") {
    expect_verdict(text, cell.gain_inside(), row);
  } else if (row.starts_with("p, paired t-test")) {
    const auto test = cell.gain();
    EXPECT_EQ(shown.muted && !is_unfinished, !test && !is_unfinished) << row << ": " << text;
    if (test && test->p >= 1e-12) expect_shown(text, test->p, row);
  } else if (row == "p of these heads, McNemar" && !cell.independent) {
    EXPECT_EQ(text, "heads share sets");
  }
}

void check_cells(const Table& table, const TrueCells& cells) {
  const std::map<std::string, std::string> names = {
      {"adaptive θ", "adaptive"}, {"hard, θ → 0", "hard"},
      {"sparsemax", "sparsemax"}, {"p, paired t-test, sparsemax", "sparsemax"},
      {"p, ", "adaptive"},        {"p of", "adaptive"},
      {"softmax", "softmax"}};
  for (const std::vector<TableCell>& row : table.rows) {
    const std::string& name = row.front().text;
    std::string transform;
    std::size_t longest = 0;
    for (const auto& [begin, of] : names) {
      if (!name.starts_with(begin) || begin.size() < longest) continue;
      transform = of;
      longest = begin.size();
    }
    for (std::size_t column = 1; column < row.size(); ++column) {
      const auto cell = cells.find({static_cast<int>(table.heading_values[column]), transform});
      if (cell != cells.end()) expect_cell(name, row[column], cell->second);
    }
  }
}

// The notes explain the marks that are there, and no others.
void check_notes(const Table& table, const TrueCells& cells) {
  const auto has_note = [&table](const std::string& begin) {
    return std::ranges::any_of(
        table.notes, [&](const Statement& note) { return note.text().starts_with(begin); });
  };
  const auto any = [&cells](bool (*of)(const TrueCell&)) {
    return std::ranges::any_of(cells, [of](const auto& each) { return of(each.second); });
  };
  const auto is_cut = [](const std::optional<MeanAndInterval>& i) { return i && i->is_cut; };
  EXPECT_EQ(has_note("…"), any([](const TrueCell& c) { return !c.complete; }));
  EXPECT_EQ(has_note("bold"), any([](const TrueCell& c) { return c.surely_better(); }));
  EXPECT_EQ(has_note("McNemar: "),
            any([](const TrueCell& c) { return c.independent && !c.gains().empty(); }));
  EXPECT_EQ(has_note("p: "), any([](const TrueCell& c) { return c.gain().has_value(); }));
  bool mean_cut = false;
  bool gain_cut = false;
  for (const auto& each : cells) {
    mean_cut = mean_cut || is_cut(each.second.interval());
    gain_cut = gain_cut || is_cut(each.second.gain());
  }
  EXPECT_EQ(has_note("(a to b): the interval of a mean"), mean_cut);
  EXPECT_EQ(has_note("(a to b): the interval of a gain"), gain_cut);
  const bool has_intervals = any([](const TrueCell& c) { return c.interval().has_value(); });
  EXPECT_EQ(table.subtitle.text().find("t-interval") != std::string::npos, has_intervals);
}

// --- Tables that are filled by hand ---

enum class Kind { kSpread, kEqual, kEqualGains, kAllRight, kWorse, kNearlyEqual, kBest, kPaper };

struct Case {
  int heads = 1;
  Kind kind = Kind::kSpread;
  std::vector<int> sizes;
  int finished = 2;  // 0: nothing, 1: half of the sets of the last head, 2: all
  Precision precision = Precision::kFloat;
  bool same_seed = false;
  bool further = false;  // with a transform more
};

std::int64_t correct_sets(Kind kind, std::size_t transform, std::int64_t sets,
                          std::mt19937& random) {
  const auto between = [&](double low, double high) {
    const double share = std::uniform_real_distribution<double>(low, high)(random);
    return static_cast<std::int64_t>(share * static_cast<double>(sets));
  };
  const auto first = static_cast<std::int64_t>(transform);
  switch (kind) {
    case Kind::kSpread:
      return between(0.3 + 0.05 * static_cast<double>(transform), 0.7);
    case Kind::kEqual:
      return sets / 2 + first;
    case Kind::kEqualGains:
    case Kind::kPaper:
      return 0;  // set below
    case Kind::kAllRight:
      return sets;
    case Kind::kWorse:
      return transform == 0 ? between(0.9, 0.95) : between(0, 0.3);
    case Kind::kNearlyEqual:
      return sets / 2 + first + between(0, 3.0 / static_cast<double>(sets));
    case Kind::kBest:
      return between(0.5, 0.51) + first * sets / 10;
  }
  return 0;
}

TableRun run_of(const Case& of) {
  std::vector<TableHead> heads;
  for (int head = 0; head < of.heads; ++head) {
    const auto seed = static_cast<std::uint32_t>(of.same_seed && head == 1 ? 1 : head + 1);
    heads.push_back({seed, initial_parameters(HeadShape{.width = 4}, seed)});
  }
  TableSettings settings = {.sizes = of.sizes, .sets = 1000, .transforms = table_transforms()};
  if (of.further) settings.transforms.push_back(usual_transform(TransformId::kSparsemax));
  settings.evaluation.precision = of.precision;
  TableRun run = start_table(heads, settings);
  std::mt19937 random(static_cast<unsigned>(of.heads));
  for (std::size_t at = 0; at < run.tallies.size() && of.finished > 0; ++at) {
    TableTally& tally = run.tallies[at];
    const bool last = at % heads.size() == heads.size() - 1;
    tally.sets = of.finished == 1 && last ? 500 : 1000;
    const std::int64_t shift = std::uniform_int_distribution<int>(0, 400)(random);
    for (std::size_t transform = 0; transform < tally.rows.size(); ++transform) {
      SizeRow& row = tally.rows[transform];
      row.sets = tally.sets;
      row.correct = std::min(tally.sets, correct_sets(of.kind, transform, tally.sets, random));
      if (of.kind == Kind::kEqualGains)
        row.correct = shift + 7 * static_cast<std::int64_t>(transform);
      const auto printed = paper_in_percent().find(row.items);
      if (of.kind == Kind::kPaper && printed != paper_in_percent().end()) {
        const PaperCell& there = printed->second;
        row.correct = std::lround((transform == 1 ? there.adaptive : there.softmax) / 100 *
                                  static_cast<double>(tally.sets));
      }
    }
  }
  return run;
}

TEST(TableStatements, HoldForTablesOfEveryKind) {
  const std::vector<int> heads = {1, 2, 3, 10};
  const std::vector<std::vector<int>> sizes = {doubling_sizes(), {20}, {1, 1024}, {16}};
  const std::vector<Precision> precisions = {Precision::kFloat, Precision::kBf16Priorities,
                                             Precision::kFp16Priorities, Precision::kBf16,
                                             Precision::kFp16};
  std::map<std::string, int> never;
  int cases = 0;
  for (const std::vector<int>& row : pairwise({4, 8, 4, 3, 5, 2, 2})) {
    const auto at = [&row](std::size_t column) { return static_cast<std::size_t>(row[column]); };
    const Case of = {heads[at(0)], static_cast<Kind>(row[1]), sizes[at(2)],
                     row[3],       precisions[at(4)],         row[5] == 1,
                     row[6] == 1};
    SCOPED_TRACE("heads " + std::to_string(of.heads) + ", kind " + std::to_string(row[1]) +
                 ", sizes from " + std::to_string(of.sizes[0]) + ", finished " +
                 std::to_string(of.finished) + ", same seed " + std::to_string(of.same_seed));
    const TableRun run = run_of(of);
    const TrueCells cells = true_cells(run);
    const Figure figure = table_figure(summarise_table(run));
    Claims claims = table_claims(cells);
    claims.check(statements_of(figure));
    check_cells(figure.tables.at(0), cells);
    check_notes(figure.tables.at(0), cells);
    ++cases;
    for (const std::string& claim : claims.never_made())
      ++never[claim];
  }
  // Every claim of the figure was made in one of them at least; the last is the command's.
  for (const auto& [claim, times] : never)
    EXPECT_EQ(times == cases, claim == "entropy where the rule is off") << claim;
}

// --- Tables of heads of the zoo ---

class OneCpu : public ExperimentBackends {
 public:
  Backend& backend() override { return *backend_; }
  SequenceBackend& sequence_backend() override { return *sequence_backend_; }

 private:
  std::unique_ptr<Backend> backend_ = make_cpu_backend(1);
  std::unique_ptr<SequenceBackend> sequence_backend_ = make_cpu_sequence_backend(1);
};

struct Asked {
  std::vector<std::string> heads;
  std::vector<int> sizes;
  int sets = 24;
  std::string_view precision = "fp32";
};

ExperimentResult table_of(const Asked& asked) {
  const Experiment& experiment = *find_experiment("table");
  SettingValues values(experiment.settings, SettingUse::kCommand);
  values.set("sizes", asked.sizes);
  values.set("sets", asked.sets);
  values.set("precision", asked.precision);
  ExperimentInputs inputs;
  for (const std::string& head : asked.heads)
    inputs.heads.push_back(
        experiment_head(zoo_head(head), static_cast<std::uint32_t>(inputs.heads.size()) + 1));
  OneCpu backends;
  return run_experiment(experiment, values, inputs, backends);
}

// How many sets the head gets right, by its definition in double.
int right_in_double(const Parameters<float>& head, std::uint32_t seed, int items, int count,
                    const AttentionTransform& transform) {
  ItemSets sets;
  sets.resize(count, items);
  draw_item_sets(seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
  Activations<double> activations;
  const Parameters<double> in_double = convert_parameters<double>(head);
  forward(in_double, sets.view(), transform, activations);
  const auto classes = static_cast<std::size_t>(head.shape.classes);
  int right = 0;
  for (std::size_t set = 0; set < static_cast<std::size_t>(count); ++set) {
    const std::span<const double> logits(activations.class_logits.data() + set * classes, classes);
    right += predicted_class(logits) == static_cast<int>(sets.label[set]);
  }
  return right;
}

// The text columns of the gains: "+1.5 .. +2.2 ", and "in" and "out" beside the paper's gain.
void check_gain_texts(const ResultTable& gains, const TrueCells& cells) {
  for (std::size_t row = 0; row < gains.rows.size(); ++row) {
    const auto text = [&](std::string_view heading) {
      return std::get<std::string>(value_at(gains, row, heading));
    };
    const auto n = static_cast<int>(std::get<std::int64_t>(value_at(gains, row, "n")));
    const TrueCell& cell = cells.at({n, text("transform")});
    const std::string interval = text("95 % interval ");
    const auto test = cell.gain();
    EXPECT_EQ(interval.find(" .. ") != std::string::npos, test.has_value()) << interval;
    EXPECT_EQ(interval.ends_with("*"), test && test->is_cut) << interval;
    if (test) {
      const std::size_t dots = interval.find(" .. ");
      expect_shown(interval.substr(0, dots), 100 * test->low, "low");
      expect_shown(interval.substr(dots + 4, interval.size() - dots - 5), 100 * test->high, "high");
    }
    EXPECT_EQ(text("paper    ").ends_with(" in "), cell.gain_inside() == true) << n;
    EXPECT_EQ(text("paper    ").ends_with(" out"), cell.gain_inside() == false) << n;
  }
}

// What the sentence says can be tried can be set, on the command line and in the window.
TEST(TableStatements, NameASettingThatThereIs) {
  const ExperimentResult plain = table_of({{"shipped"}, {16}, 4});
  EXPECT_NE(plain.figure.sentence.text().find("with precision bf16-priorities"), std::string::npos);
  const ExperimentResult rounded = table_of({{"shipped"}, {16}, 4, "bf16-priorities"});
  EXPECT_EQ(rounded.figure.sentence.text().find("with precision bf16-priorities"),
            std::string::npos);
  EXPECT_NE(rounded.figure.tables.at(0).subtitle.text().find("rounded to bf16"), std::string::npos);
  const std::pair<std::string, std::string> told("precision", "bf16-priorities");
  EXPECT_EQ(std::ranges::count(rounded.figure.provenance, told), 1);
  const Experiment& experiment = *find_experiment("table");
  const auto setting = std::ranges::find(experiment.settings, "precision", &Setting::name);
  ASSERT_NE(setting, experiment.settings.end());
  EXPECT_EQ(setting->label, "precision");
  EXPECT_EQ(std::ranges::count(setting->choices, "bf16-priorities", &SettingChoice::label), 1);
}

TEST(TableStatements, HoldForTheHeadsOfTheZoo) {
  std::vector<std::string> all;
  for (const ZooHead& head : zoo()) {
    if (head.name != "narrow") all.push_back(head.name);
  }
  const std::vector<Asked> tables = {
      {all, {1, 2, 16, 256}},
      {{"shipped", "twenty steps"}, {16, 1024}, 8},
      {{"negated", "diverged", "huge"}, {2, 64}, 16, "bf16-priorities"},
      {{"constant"}, {16, 64}, 8},
      {{"shipped"}, {1 << 20}, 1},
  };
  std::map<std::string, int> never;
  for (const Asked& asked : tables) {
    SCOPED_TRACE(asked.heads.front());
    const ExperimentResult result = table_of(asked);
    const TrueCells cells = true_cells(result.tables.at(0), asked.sets);
    Claims claims = table_claims(cells);
    claims.check(statements_of(result));
    check_cells(result.figure.tables.at(0), cells);
    check_gain_texts(result.tables.at(1), cells);
    for (const std::string& claim : claims.never_made())
      ++never[claim];
    if (asked.precision != "fp32" || asked.sizes.front() > 1000) continue;
    for (const auto& [key, cell] : cells) {
      for (std::size_t head = 0; head < asked.heads.size(); ++head) {
        const auto id = key.second == "softmax"    ? TransformId::kSoftmax
                        : key.second == "adaptive" ? TransformId::kAdaptive
                                                   : TransformId::kHard;
        const int right = right_in_double(zoo_head(asked.heads[head]).parameters,
                                          static_cast<std::uint32_t>(head) + 1, key.first,
                                          asked.sets, usual_transform(id));
        // One set may be so close to call that float and double disagree.
        EXPECT_NEAR(cell.shares[head] * asked.sets, right, 1.001)
            << asked.heads[head] << " at " << key.first << ", " << key.second;
      }
    }
  }
  for (const auto& [claim, times] : never)
    EXPECT_LT(times, 5) << claim;
}

}  // namespace
}  // namespace dispersion
