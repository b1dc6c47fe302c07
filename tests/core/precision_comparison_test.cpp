// One head in several precisions on the same sets, against rounding by hand.

#include "core/experiment/precision_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/figure/figures.h"
#include "core/precision/rounding.h"
#include "core/statistics/intervals_and_tests.h"
#include "core/task/item_sets.h"

namespace dispersion {
namespace {

constexpr HeadShape kShape = {.width = 16, .classes = 10};

// Sharper than fresh weights are, so that rounding changes which logit is the largest.
Parameters<float> sharp_head() {
  Parameters<float> head = initial_parameters(kShape, 3);
  for (float& value : head.values)
    value *= 2;
  return head;
}

PrecisionSettings small_settings() {
  PrecisionSettings settings;
  settings.seed = 5;
  settings.sizes = {7, 300};
  settings.sets = 200;
  return settings;
}

// The sets of a size, all at once.
ItemSets drawn(const PrecisionSettings& settings, int items) {
  ItemSets sets;
  sets.resize(static_cast<int>(settings.sets), items);
  draw_item_sets(settings.seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0,
                 sets);
  return sets;
}

TEST(PrecisionComparison, RoundedPrioritiesAreWhatTheHeadSees) {
  const auto backend = make_cpu_backend(1);
  const Parameters<float> head = sharp_head();
  PrecisionSettings settings = small_settings();
  settings.precisions = {Precision::kFloat, Precision::kBf16Priorities};
  const std::vector<PrecisionRow> rows = compare_precisions(*backend, head, settings);
  ASSERT_EQ(rows.size(), 4U);
  int differences = 0;
  for (const PrecisionRow& row : rows) {
    const ItemSets exact = drawn(settings, row.measured.items);
    ItemSets seen = exact;
    if (row.precision == Precision::kBf16Priorities) {
      for (float& priority : seen.priority)
        priority = RoundToBf16()(priority);
    }
    const std::vector<AttentionTransform> transforms = {AttentionTransform()};
    const SetEvaluation truth = backend->evaluate(head, seen.view(), transforms);
    const SetEvaluation labelled = backend->evaluate(head, exact.view(), transforms);
    int correct = 0;
    double entropy = 0;
    for (std::size_t set = 0; set < exact.label.size(); ++set) {
      correct += truth.transforms[0].predicted[set] == exact.label[set];
      entropy += truth.transforms[0].entropy[set];
      differences += truth.argmax_priority[set] != labelled.argmax_priority[set];
    }
    EXPECT_EQ(row.measured.sets, settings.sets);
    EXPECT_EQ(row.measured.correct, correct);
    // One way is direct and the other interpolated; this head's logits are so large that either
    // leaves errors of some 1e-4 in the entropy of a set.
    EXPECT_NEAR(row.measured.entropy_sum, entropy, 5e-4 * entropy);
  }
  EXPECT_GT(differences, 0);  // ties do occur in these sets, so labels had to be the exact ones
}

TEST(PrecisionComparison, RowsComeSizeBySizeAndOnlyWhole) {
  const auto backend = make_cpu_backend(1);
  const PrecisionSettings settings = small_settings();
  double last = -1;
  const std::vector<PrecisionRow> all =
      compare_precisions(*backend, sharp_head(), settings, [&](double share) {
        EXPECT_GT(share, last);
        EXPECT_LT(share, 1);
        last = share;
        return true;
      });
  ASSERT_EQ(all.size(), 8U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].measured.items, settings.sizes[i / 4]);
    EXPECT_EQ(all[i].precision, settings.precisions[i % 4]);
    EXPECT_EQ(all[i].measured.sets, settings.sets);
    EXPECT_EQ(all[i].perfect_accuracy > 0.99999, all[i].precision == Precision::kFloat);
  }
  // 200 sets of 300 items take several calls: the one cut short leaves no row behind.
  int questions = 0;
  std::vector<std::size_t> shown;
  const std::vector<PrecisionRow> some = compare_precisions(
      *backend, sharp_head(), settings, [&](double) { return ++questions < 6; },
      [&](std::span<const PrecisionRow> rows) { shown.push_back(rows.size()); });
  ASSERT_EQ(some.size(), 4U);
  EXPECT_EQ(shown, std::vector<std::size_t>{4});  // the size that was finished
  EXPECT_EQ(some.back().measured.correct, all[3].measured.correct);
}

TEST(PrecisionComparison, NothingToCompareIsAnError) {
  const auto backend = make_cpu_backend(1);
  const auto refuses = [&](const PrecisionSettings& settings) {
    EXPECT_THROW(compare_precisions(*backend, sharp_head(), settings), std::invalid_argument);
  };
  PrecisionSettings settings = small_settings();
  settings.sizes = {};
  refuses(settings);
  settings = small_settings();
  settings.precisions = {};
  refuses(settings);
  settings = small_settings();
  settings.sets = 0;
  refuses(settings);
}

TEST(PrecisionFigure, HoldsEveryNumberBesideThePapers) {
  std::vector<PrecisionRow> rows;
  for (const int items : {16, 48}) {
    for (const Precision precision : {Precision::kFloat, Precision::kBf16Priorities}) {
      const bool exact = precision == Precision::kFloat;
      rows.push_back(
          {precision, {.items = items, .sets = 100, .correct = exact ? 90 : 40}, exact ? 1 : 0.75});
    }
  }
  const Figure figure = precision_figure(rows);
  const LinePlot& plot = figure.plots[0];
  ASSERT_EQ(plot.series.size(), 4U);
  EXPECT_EQ(plot.series[0].y, (std::vector<double>{90, 90}));
  EXPECT_EQ(plot.series[1].y, (std::vector<double>{40, 40}));
  EXPECT_EQ(plot.series[2].x, (std::vector<double>{16}));  // the paper's table has no 48
  EXPECT_EQ(plot.series[3].y, (std::vector<double>{75, 75}));
  const Table& table = figure.tables[0];
  ASSERT_EQ(table.rows.size(), 2U);
  ASSERT_EQ(table.rows[1].size(), table.headings.size());
  EXPECT_EQ(table.rows[1][2].text, "40.0");
  EXPECT_EQ(table.rows[1].back().text, "–");
  // 40 of 100: Wilson's interval is 30.9 to 49.8 %.
  EXPECT_NE(figure.sentence.text().find("75.0 %, outside the 95 % interval of this head's 40.0 % "
                                        "with bf16 priorities on 100 sets, 30.9 to 49.8 %"),
            std::string::npos)
      << figure.sentence.text();
  rows.back().perfect_accuracy = 0.45;
  EXPECT_NE(precision_figure(rows).sentence.text().find("45.0 %, inside"), std::string::npos);
  // An end of the interval is shown with as many digits as tell it from what lies outside.
  rows.back().perfect_accuracy = wilson_interval(40, 100).high + 1e-6;
  const std::string close = precision_figure(rows).sentence;
  EXPECT_NE(close.find(" %, outside the 95 %"), std::string::npos) << close;
  EXPECT_EQ(close.find("is right on 49.8 %"), std::string::npos) << close;
  EXPECT_EQ(close.find("to 49.8 %"), std::string::npos) << close;
  EXPECT_NE(table.notes[1].text().find("at most 9.8 points"), std::string::npos);
  EXPECT_TRUE(precision_figure({}).plots[0].series.empty());
}

// Two curves had one colour, and one hid another's points.
TEST(PrecisionFigure, TellsEveryCurveApartByColourAndByMarkOrDash) {
  std::vector<PrecisionRow> rows;
  for (const Precision precision :
       {Precision::kFloat, Precision::kBf16Priorities, Precision::kFp16Priorities, Precision::kBf16,
        Precision::kFp16}) {
    PrecisionRow row;
    row.precision = precision;
    row.measured.items = 16;
    row.measured.sets = 100;
    rows.push_back(row);
  }
  const std::vector<Series> series = precision_figure(rows).plots[0].series;
  ASSERT_EQ(series.size(), 7U);
  int filled = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    filled += series[i].markers && series[i].mark == Mark::kDisc ? 1 : 0;
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(series[i].role, series[j].role) << series[i].name << ", " << series[j].name;
      EXPECT_TRUE(series[i].markers != series[j].markers || series[i].mark != series[j].mark);
    }
  }
  EXPECT_EQ(filled, 1);
  EXPECT_EQ(series[0].mark, Mark::kDisc);  // at the bottom
}

}  // namespace
}  // namespace dispersion
