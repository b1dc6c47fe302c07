
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/experiment/fit_bootstrap.h"
#include "core/experiment/table_summary.h"
#include "core/experiment/temperature_fit.h"
#include "core/figure/difference.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

TableOneCell cell(int items, TransformId transform, std::vector<double> accuracies) {
  TableOneCell result;
  result.items = items;
  result.transform.id = transform;
  result.sets = 100;
  result.accuracy = over_seeds(accuracies);
  result.against_plain = no_answer<PairedT>("no difference");
  result.mcnemar_p = answer(1.0);
  return result;
}

// Sets the accuracies of a transform and of softmax on the same seeds, and what follows.
void compare(const std::vector<double>& accuracies, const std::vector<double>& plain,
             TableOneCell& softmax, TableOneCell& cell) {
  softmax.accuracy = over_seeds(plain);
  cell.accuracy = over_seeds(accuracies);
  cell.gain = cell.accuracy.mean - softmax.accuracy.mean;
  cell.against_plain = compare_pairs(accuracies, plain);
}

TableOne small_table() {
  TableOne table;
  table.heads = 2;
  table.window_end = 5.9445;
  table.cells = {cell(16, TransformId::kSoftmax, {0.98, 0.99}),
                 cell(16, TransformId::kAdaptive, {0.98, 0.99}),
                 cell(1024, TransformId::kSoftmax, {0.53, 0.531}),
                 cell(1024, TransformId::kAdaptive, {0.6, 0.65})};
  table.cells[0].paper_mean = 0.986;
  table.cells[2].paper_mean = 0.538;
  table.cells[1].gain = 0;
  compare({0.6, 0.65}, {0.53, 0.531}, table.cells[2], table.cells[3]);
  return table;
}

const std::vector<TableCell>& row(const Table& table, const std::string& name) {
  for (const auto& cells : table.rows) {
    if (cells.front().text == name) return cells;
  }
  throw std::out_of_range(name);
}

TEST(ProbabilityText, CountsWhatCounts) {
  EXPECT_EQ(probability_text(0.4), "0.40");
  EXPECT_EQ(probability_text(0.0212), "0.021");
  EXPECT_EQ(probability_text(0.00214), "0.0021");
  EXPECT_EQ(probability_text(0.00096), "0.00096");
  EXPECT_EQ(probability_text(0.001), "0.0010");
  EXPECT_EQ(probability_text(0.000999), "0.0010");
  EXPECT_EQ(probability_text(2.3e-4), "0.00023");
  EXPECT_EQ(probability_text(2.3e-5), "2.3·10⁻⁵");
  EXPECT_EQ(probability_text(2e-12), "2.0·10⁻¹²");
  EXPECT_EQ(probability_text(9e-13), "<10⁻¹²");
  EXPECT_EQ(probability_text(0), "<10⁻¹²");
  // The paper's have one figure, and get none that it does not print.
  EXPECT_EQ(printed_probability_text(0.4), "0.4");
  EXPECT_EQ(printed_probability_text(1e-4), "0.0001");
  EXPECT_EQ(printed_probability_text(2e-5), "2·10⁻⁵");
}

TEST(TableFigure, PutsThePapersRowsNextToOurs) {
  const Figure figure = table_figure(small_table());
  ASSERT_EQ(figure.tables.size(), 1u);
  const Table& table = figure.tables[0];
  EXPECT_EQ(table.headings, (std::vector<std::string>{"n", "16", grouped_text(1024)}));
  for (const auto& cells : table.rows)
    EXPECT_EQ(cells.size(), 3u);
  EXPECT_EQ(row(table, "softmax")[1].text.substr(0, 4), "98.5");
  EXPECT_EQ(row(table, "softmax, paper")[2].text, "53.8");
  EXPECT_EQ(row(table, "adaptive θ, paper")[2].text, "–");
  EXPECT_EQ(row(table, "softmax, paper in ±")[1].text, "yes");
  EXPECT_EQ(row(table, "softmax, paper in ±")[2].text, "no");
  EXPECT_EQ(row(table, "adaptive θ − softmax, paper")[1].text, "–");
  EXPECT_EQ(row(table, "adaptive θ − softmax, paper in ±")[1].text, "no difference");
  EXPECT_EQ(row(table, "p, paired t-test")[1].text, "no difference");
  EXPECT_THROW(row(table, "hard, θ → 0"), std::out_of_range);
  EXPECT_NE(figure.sentence.text().find("1 of 2 cells"), std::string::npos)
      << figure.sentence.text();
  EXPECT_NE(figure.sentence.text().find("(paper 53.8 %)"), std::string::npos)
      << figure.sentence.text();
}

TEST(TableFigure, MarksWhatIsNotFinished) {
  TableOne run = small_table();
  EXPECT_EQ(table_figure(run).tables[0].notes.front().text().find("…"), std::string::npos);
  run.cells[3].complete = false;
  const Table table = table_figure(run).tables[0];
  EXPECT_TRUE(row(table, "adaptive θ")[2].text.ends_with(" …"));
  EXPECT_TRUE(row(table, "adaptive θ")[2].muted);
  EXPECT_TRUE(row(table, "p of these heads, McNemar")[2].text.ends_with(" …"));
  EXPECT_FALSE(row(table, "adaptive θ")[1].text.ends_with(" …"));
  EXPECT_FALSE(row(table, "softmax")[2].text.ends_with(" …"));
  run.cells[2].complete = false;
  EXPECT_EQ(row(table_figure(run).tables[0], "softmax, paper")[2].text, "53.8");  // it is finished
  run.cells[2].complete = true;
  EXPECT_NE(table.notes.front().text().find("not finished"), std::string::npos);
  EXPECT_EQ(table.main_notes, 3);  // and that intervals are cut, and what p is
  // And the sentence counts only what is.
  EXPECT_NE(table_figure(run).sentence.text().find(" of 2 cells;"), std::string::npos);
  run.cells[2].complete = false;
  EXPECT_NE(table_figure(run).sentence.text().find(" of 1 cell;"), std::string::npos);
}

// What is shown rounded is there unrounded too.
TEST(TableFigure, HasItsNumbersAsNumbers) {
  TableOne run = small_table();
  run.cells[3].against_plain.value->p = 1.5e-14;
  run.cells[3].entropy = 6.123456;
  run.cells[2].weight_on_max = 0.000123;
  run.cells[2].past_window = 0.123456;
  const Table table = table_figure(run).tables[0];
  ASSERT_EQ(table.heading_values.size(), 3U);
  EXPECT_TRUE(std::isnan(table.heading_values[0]));
  EXPECT_EQ(table.heading_values[2], 1024);
  const TableOneCell& cell = run.cells[3];
  const TableCell& mean = row(table, "adaptive θ")[2];
  EXPECT_EQ(mean.value, 100 * cell.accuracy.mean);
  EXPECT_EQ(mean.low, 100 * cell.accuracy.interval->low);
  EXPECT_EQ(mean.high, 100 * cell.accuracy.interval->high);
  EXPECT_EQ(row(table, "softmax, paper")[2].value, 100 * 0.538);
  EXPECT_TRUE(std::isnan(row(table, "adaptive θ, paper")[2].value));
  EXPECT_EQ(row(table, "adaptive θ − softmax")[2].value,
            100 * (cell.accuracy.mean - run.cells[2].accuracy.mean));
  EXPECT_EQ(row(table, "adaptive θ − softmax")[2].low, 100 * cell.against_plain->interval.low);
  EXPECT_EQ(row(table, "p, paired t-test")[2].text, "<10⁻¹²");
  EXPECT_EQ(row(table, "p, paired t-test")[2].value, 1.5e-14);
  EXPECT_TRUE(std::isnan(row(table, "p, paired t-test")[1].value));  // "no difference"
  EXPECT_EQ(row(table, "p of these heads, McNemar")[2].value, 1);
  EXPECT_EQ(row(table, "H, adaptive θ (nats)")[2].value, 6.123456);
  EXPECT_EQ(row(table, "weight on max")[2].value, 0.000123);
  EXPECT_EQ(row(table, "rows with H > 5.9445")[2].value, 100 * 0.123456);
  EXPECT_EQ(row(table, "softmax, std of seeds")[2].value,
            100 * *run.cells[2].accuracy.standard_deviation.value);
  EXPECT_TRUE(std::isnan(row(table, "softmax, paper in ±")[1].value));  // "yes"
}

TEST(TableFigure, SharesStayBetween0And100Percent) {
  TableOne run = small_table();
  const std::string wide = row(table_figure(run).tables[0], "softmax")[1].text;
  EXPECT_EQ(wide, "98.5 (92.1 to 100.0)");  // Student's interval for two seeds would end at 104.9
  run.cells[1] = cell(16, TransformId::kAdaptive, {1, 1});
  run.cells[1].paper_mean = 0.986;
  const Table equal = table_figure(run).tables[0];
  EXPECT_EQ(row(equal, "adaptive θ")[1].text, "100.0");
  EXPECT_TRUE(std::isnan(row(equal, "adaptive θ")[1].low));
  EXPECT_EQ(row(equal, "adaptive θ, paper in ±")[1].text, "all seeds equal");
  const Figure figure = table_figure(run);
  for (const Series& series : figure.plots[0].series) {
    for (const double low : series.low)  // NaN where the seeds are equal
      EXPECT_FALSE(low < 0);
    for (const double high : series.high)
      EXPECT_FALSE(high > 100);
  }
}

TEST(TableFigure, SaysByHowMuchAdaptiveIsBetter) {
  TableOne run = small_table();
  compare({0.6, 0.65}, {0.55, 0.59}, run.cells[2], run.cells[3]);
  run.cells.push_back(cell(2048, TransformId::kSoftmax, {0.4}));
  run.cells.push_back(cell(2048, TransformId::kAdaptive, {0.35}));
  run.cells.back().gain = -0.05;
  run.cells.push_back(cell(4096, TransformId::kAdaptive, {0.35}));
  const Table table = table_figure(run).tables[0];
  const auto& cells = row(table, "adaptive θ − softmax");
  EXPECT_EQ(cells[1].text, "0.0");
  EXPECT_EQ(cells[2].text, "+5.5 ± 6.4");
  EXPECT_EQ(cells[3].text, "−5.0");
  EXPECT_EQ(cells[4].text, "–");
}

TEST(TableFigure, WhatIsSurelyBetterIsNotByNothing) {
  TableOne run = small_table();
  const auto text_of = [&run](double gain) {
    const std::vector<double> plain = {0.5, 0.6, 0.7};
    std::vector<double> better;
    for (const double share : plain)  // a little unlike, or there is no spread to test against
      better.push_back(share + gain * (1 + 0.01 * share));
    compare(better, plain, run.cells[2], run.cells[3]);
    const TableCell difference = row(table_figure(run).tables[0], "adaptive θ − softmax")[2];
    EXPECT_TRUE(difference.strong) << gain;
    return difference.text;
  };
  EXPECT_EQ(text_of(0.012), "+1.207 ± 0.003");
  EXPECT_EQ(text_of(0.0006), "+0.0604 ± 0.0001");
  EXPECT_EQ(text_of(0.0004), "+0.04024 ± 0.00010");
  EXPECT_EQ(text_of(0.00002), "+0.002012 ± 0.000005");
  EXPECT_EQ(text_of(1e-9), "+0.0000001006 ± 0.0000000002");
}

TEST(TableFigure, BoldIsBetterAndNotOnlyOther) {
  TableOne run = small_table();
  const std::vector<double> low = {0.50, 0.51, 0.52};
  const std::vector<double> high = {0.60, 0.61, 0.621};
  compare(high, low, run.cells[2], run.cells[3]);
  for (const char* name : {"adaptive θ", "adaptive θ − softmax", "p, paired t-test"})
    EXPECT_TRUE(row(table_figure(run).tables[0], name)[2].strong) << name;
  compare(low, high, run.cells[2], run.cells[3]);
  for (const char* name : {"adaptive θ", "adaptive θ − softmax", "p, paired t-test"})
    EXPECT_FALSE(row(table_figure(run).tables[0], name)[2].strong) << name;
  // Two seeds have a p, and say too little for a mark.
  compare({0.6, 0.61}, {0.5, 0.511}, run.cells[2], run.cells[3]);
  ASSERT_LT(run.cells[3].against_plain->p, 0.05);
  EXPECT_FALSE(row(table_figure(run).tables[0], "adaptive θ")[2].strong);
}

TEST(TableFigure, EveryRowHasANameOfItsOwnAndTheFirstSayTheEssential) {
  const Table table = table_figure(small_table()).tables[0];
  std::set<std::string> names;
  for (const auto& cells : table.rows)
    EXPECT_TRUE(names.insert(cells.front().text).second) << cells.front().text;
  const Table part = main_part(table);
  EXPECT_FALSE(table.is_part);
  EXPECT_TRUE(part.is_part);
  ASSERT_EQ(part.rows.size(), 8U);  // without a transform that was not evaluated
  EXPECT_EQ(part.rows[4].front().text, "adaptive θ − softmax");
  EXPECT_EQ(part.rows.back().front().text, "p, paper");
  EXPECT_EQ(part.notes.size(), 2U);  // an interval that is cut, and p
  EXPECT_EQ(part.headings, table.headings);
  EXPECT_EQ(main_part(part).rows.size(), 8U);  // it is all there is
  EXPECT_TRUE(main_part(part).is_part);
  EXPECT_GT(table.rows.size(), 10U);
}

TEST(TableFigure, DrawsIntervalsAndThePaperDashed) {
  const LinePlot plot = table_figure(small_table()).plots.at(0);
  ASSERT_EQ(plot.series.size(), 3u);
  EXPECT_EQ(plot.series[0].name, "softmax");
  EXPECT_EQ(plot.series[0].high[0], 100);  // Student's interval of two seeds reaches beyond
  EXPECT_EQ(plot.series[1].role, ColourRole::kBaseline);
  EXPECT_EQ(plot.series[1].line, LineStyle::kDashed);
  ASSERT_EQ(plot.series[1].y.size(), 2u);
  EXPECT_DOUBLE_EQ(plot.series[1].y[0], 98.6);
  EXPECT_DOUBLE_EQ(plot.series[1].y[1], 53.8);
}

// Without an interval there is no band, which of no width would say that the mean is certain.
TEST(TableFigure, DrawsNoIntervalWhereThereIsNone) {
  TableOne run = small_table();
  run.cells[2].accuracy = over_seeds(std::vector{0.53, 0.53});
  run.cells[1].accuracy = over_seeds(std::vector{0.98});
  run.cells[3].accuracy = over_seeds(std::vector{0.6});
  const LinePlot plot = table_figure(run).plots.at(0);
  EXPECT_EQ(plot.series[0].high[0], 100);
  EXPECT_TRUE(std::isnan(plot.series[0].low[1]));
  EXPECT_TRUE(std::isnan(plot.series[0].high[1]));
  EXPECT_EQ(plot.series[2].name, "adaptive θ");
  EXPECT_TRUE(plot.series[2].low.empty());
  EXPECT_EQ(row(table_figure(run).tables[0], "softmax, std of seeds")[2].text, "0");
}

TEST(TableFigure, AnEmptyTableIsAFigureToo) {
  const Figure figure = table_figure({});
  EXPECT_EQ(figure.sentence, "Nothing has been evaluated yet.");
  EXPECT_TRUE(figure.plots.at(0).series.empty());
}

TEST(FitFigure, ShowsScatterBothCurvesTheWindowAndTheHistogram) {
  FitRun run = start_fit({.sizes = {16}, .sets = 50});
  run.generated = {50};
  run.dropped = {10};
  for (int i = 0; i < 40; ++i) {
    const double h = 1 + i * 0.1;
    run.samples.push_back({16, h, {.index = 50, .theta = 1 / polynomial(AdaptiveRule(), h)}});
  }
  const Figure figure = fit_figure(run, {});
  ASSERT_EQ(figure.plots.size(), 2u);
  const LinePlot& plot = figure.plots[0];
  ASSERT_EQ(plot.series.size(), 3u);
  EXPECT_EQ(plot.series[0].line, LineStyle::kNone);
  EXPECT_EQ(plot.series[0].x.size(), 40u);
  EXPECT_EQ(plot.series[1].role, ColourRole::kReference);
  EXPECT_EQ(plot.series[2].x.front(), 1);
  ASSERT_EQ(plot.ranges.size(), 1u);
  EXPECT_NEAR(plot.ranges[0].low, 0.8486, 5e-5);
  EXPECT_NEAR(plot.ranges[0].high, 5.9445, 5e-5);
  const Bars& bars = figure.plots[1].bars.at(0);
  EXPECT_EQ(bars.edge.size(), bars.height.size() + 1);
  double sets = 0;
  for (const double height : bars.height)
    sets += height;
  EXPECT_EQ(sets, 40);
  EXPECT_NE(figure.sentence.text().find("4.41"), std::string::npos) << figure.sentence.text();
  EXPECT_NE(
      figure.sentence.text().find("0 of the 40 optima lie at an end of the grid, and the residual "
                                  "is 0.00 in 1/θ, where this head's curve goes from 1.27 to 2.42"),
      std::string::npos)
      << figure.sentence.text();
}

TEST(FitFigure, SaysInItsSubtitleHowManyPointsLieAtTheEndsOfTheGrid) {
  FitRun run = start_fit({.sizes = {16}, .sets = 50});
  run.generated = {50};
  run.dropped = {10};
  for (int i = 0; i < 40; ++i)
    run.samples.push_back({16, 1 + i * 0.1, {.index = 2 + i % 3, .theta = (2 + i % 3) / 10.0}});
  const std::string none = fit_figure(run, {}).plots[0].subtitle;
  EXPECT_TRUE(none.ends_with("40 sets; 10 of 50 dropped")) << none;
  for (const std::size_t i : {3U, 7U})
    run.samples[i].search = {.index = 1, .theta = 0.1};
  EXPECT_EQ(fit_figure(run, {}).plots[0].subtitle.text(), none + "; 2 at the grid's end 1/θ = 10");
  run.samples[5].search = {.index = 100, .theta = 10};
  EXPECT_EQ(fit_figure(run, {}).plots[0].subtitle.text(),
            none + "; 2 at the grid's end 1/θ = 10; 1 at the grid's end 1/θ = 0.10");
}

// It was sampled along the axis, which reaches as far as the sets of each head.
TEST(FitFigure, OfTwoHeadsHaveThePapersPolynomialOnce) {
  const auto up_to = [](double highest) {
    FitRun run = start_fit({});
    for (int i = 0; i < 40; ++i) {
      const double h = 1 + (highest - 1) * i / 39;
      run.samples.push_back({16, h, {.index = 50, .theta = 0.5}});
    }
    return fit_figure(run, {}).plots[0];
  };
  const LinePlot near = up_to(5);
  const LinePlot far = up_to(8);
  ASSERT_NE(near.x.high, far.x.high);
  const LinePlot both = compared_plot(near, far);
  EXPECT_EQ(std::ranges::count_if(both.series,
                                  [](const Series& series) {
                                    return series.name.find("the paper's") != std::string::npos;
                                  }),
            1);
}

TEST(FitFigure, SaysWhyThereIsNoCurve) {
  const Figure figure = fit_figure(start_fit({}), {});
  EXPECT_EQ(figure.sentence, "There is no fit: no sets yet.");
  EXPECT_EQ(figure.plots.at(0).series.size(), 1u);
}

}  // namespace
}  // namespace dispersion
