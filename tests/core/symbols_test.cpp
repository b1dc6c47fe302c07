// Every symbol in a label is explained.

#include "core/figure/symbols.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/experiment/bounds.h"
#include "core/experiment/corollary.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/entropy_surface.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/precision_comparison.h"
#include "core/experiment/size_table.h"
#include "core/experiment/streaming.h"
#include "core/experiment/temperature_fit.h"
#include "core/figure/data_table.h"
#include "core/figure/figures.h"
#include "core/figure/size_values.h"
#include "core/figure/training_text.h"

namespace dispersion {
namespace {

void add_labels(std::set<std::string>& labels, const LinePlot& plot) {
  labels.insert({plot.x.label, plot.y.label});
  for (const DataColumn& column : data_table(plot).columns)
    labels.insert(column.heading);
}

void add_labels(std::set<std::string>& labels, const Figure& figure) {
  for (const LinePlot& plot : figure.plots)
    add_labels(labels, plot);
  for (const FieldPlot& field : figure.fields)
    labels.insert({field.x.label, field.y.label, field.value_label});
  for (const Table& table : figure.tables)
    labels.insert(table.headings.begin(), table.headings.end());
}

// The labels of all settings, axes, columns and numbers that the program has without a head.
std::set<std::string> all_labels() {
  std::set<std::string> labels;
  for (const Experiment& experiment : experiments()) {
    for (const Setting& setting : experiment.settings)
      labels.insert(std::string(setting.label));
  }
  for (const NamedValue& value : size_values(TransformId::kAdaptive, nullptr))
    labels.insert(value.label);
  for (const NamedValue& value : batch_values(nullptr, 0, Recipe()))
    labels.insert(value.label);
  add_labels(labels, bounds_figure({}, 1));
  add_labels(labels, spread_figure({}));
  add_labels(labels, training_figure({}));
  add_labels(labels, run_figure({}, 1));
  add_labels(labels, size_figure({}, {}));
  add_labels(labels, precision_figure({}));
  add_labels(labels, streaming_figure({}));
  add_labels(labels, depth_figure(DepthRun{}));
  add_labels(labels, slope_plot({}, 16, 1));
  const std::vector<int> sizes = {16, 32};
  const std::vector<double> values = {0.5, 2};
  add_labels(labels, head_surface_figure(empty_head_surface(sizes, values, 1)));
  add_labels(labels, power_series_figure({{values, values, {0, 0, 0, 0}}}, PowerSeries()));
  return labels;
}

TEST(Symbols, EveryOneInALabelIsExplained) {
  const std::set<std::string> labels = all_labels();
  std::set<std::string> seen;
  for (const std::string& label : labels) {
    EXPECT_TRUE(unexplained_in(label).empty()) << label << ": " << unexplained_in(label).front();
    for (const Symbol& symbol : symbols_in(label))
      seen.emplace(symbol.sign);
  }
  // The labels that the test looks at are real ones.
  for (const char* sign : {"n", "θ", "H", "λ", "Qy·Kx", "dH/dβ"})
    EXPECT_TRUE(seen.contains(sign)) << sign;
}

TEST(Symbols, ALetterCountsOnlyWhereItStandsAlone) {
  const auto signs = [](std::string_view label) {
    std::string all;
    for (const Symbol& symbol : symbols_in(label))
      all.append(all.empty() ? "" : " ").append(symbol.sign);
    return all;
  };
  EXPECT_EQ(signs("number of items n"), "n");
  EXPECT_EQ(signs("Heads and necks"), "");
  EXPECT_EQ(signs("β(H)"), "β H");
  EXPECT_EQ(signs("dH/dβ (nats)"), "dH/dβ");
  EXPECT_EQ(signs("1/θ"), "1/θ");
  EXPECT_EQ(signs("½λ‖w‖², kernels"), "λ w");
  EXPECT_EQ(unexplained_in("a ζ and x"), (std::vector<std::string>{"ζ", "x"}));
}

TEST(Symbols, AreSaidWithTheirPlaceInThePaperButNotTwice) {
  EXPECT_NE(symbols_text("temperature θ").find("(equation 1 of the paper)."), std::string::npos);
  EXPECT_EQ(symbols_text("accuracy (%)"), "");
  EXPECT_EQ(with_symbols("Softmax of logits / θ (equation 1).", "temperature θ"),
            "Softmax of logits / θ (equation 1).");
}

// docs/glossary.md has a line for every symbol, with the same place in the paper.
TEST(Symbols, AgreeWithTheGlossary) {
  std::ifstream file(DISPERSION_HEADS_DIR "/../../docs/glossary.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const Symbol& symbol : symbols()) {
    const std::string line = "| " + std::string(symbol.sign) + " | " + std::string(symbol.name) +
                             " | " + std::string(symbol.meaning) + " | " +
                             std::string(symbol.place) + " |";
    EXPECT_NE(text.str().find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace dispersion
