#include "tests/gui/synthetic_experiment.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "app/session/app_state.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

Axis plain_axis(const char* label, double low, double high) {
  return {.label = label, .low = low, .high = high, .ticks = round_ticks(low, high, 6)};
}

Series decay(const char* name, ColourRole role, double rate) {
  Series series;
  series.name = name;
  series.role = role;
  for (double n = 16; n <= 16384; n *= 2) {
    const double value = 100 * std::exp(-rate * std::log2(n / 16));
    series.x.push_back(n);
    series.y.push_back(value);
    series.low.push_back(value - 2);
    series.high.push_back(value + 2);
  }
  return series;
}

Figure table() {
  Figure figure;
  figure.title = "A table and a plot";
  figure.sentence =
      "A sentence that says what is seen, with numbers in it: 98.6 % at n = 16 and 12.4 % at "
      "n = 16 384, long enough to need a second line in any window that is not very wide.";
  Table table = {"Accuracy", "% of sets", {"", "n"}, {}, {"A note below the table."}};
  for (int n = 16; n <= 16384; n *= 2)
    table.headings.push_back(grouped_text(n));
  for (const char* name : {"softmax", "adaptive θ", "paper"}) {
    std::vector<TableCell> row = {{.text = name, .strong = true}, {.text = "%", .muted = true}};
    for (int n = 16; n <= 16384; n *= 2)
      row.push_back(
          {.text = fixed_text(100 * std::pow(n / 16.0, -0.3), 1), .role = ColourRole::kBaseline});
    table.rows.push_back(row);
  }
  figure.tables = {table};
  LinePlot plot = {
      "Accuracy", "% against n", size_axis(16, 16384), plain_axis("%", 0, 104), {}, {}, {}, {}};
  plot.series = {decay("softmax", ColourRole::kBaseline, 0.2),
                 decay("adaptive θ", ColourRole::kAdaptive, 0.15)};
  figure.plots = {plot};
  return figure;
}

Figure points() {
  Figure figure;
  figure.title = "Points, bars, lines and a range";
  figure.sentence = "Points scatter around a curve.";
  LinePlot plot = {
      "Fit", "1/θ against H", plain_axis("entropy H", 0, 7), plain_axis("1/θ", 0, 3), {}, {}, {},
      {}};
  Series scatter;
  scatter.name = "sets";
  scatter.role = ColourRole::kNeutral;
  scatter.line = LineStyle::kNone;
  Series curve;
  curve.name = "polynomial";
  curve.role = ColourRole::kAdaptive;
  curve.markers = false;
  for (int i = 0; i < 700; ++i) {
    const double h = 0.01 * i;
    scatter.x.push_back(h);
    scatter.y.push_back(1 + std::sin(0.5 * h) + 0.3 * std::sin(12.9 * i));
    curve.x.push_back(h);
    curve.y.push_back(1 + std::sin(0.5 * h));
  }
  Series paper = curve;
  paper.name = "the paper's";
  paper.role = ColourRole::kReference;
  paper.line = LineStyle::kDashed;
  plot.series = {scatter, curve, paper};
  plot.lines = {{4.41, "peak", true}, {1, "no correction", false}};
  plot.ranges = {{0.85, 5.94, "rule acts"}};
  LinePlot histogram = {"Rows", "per bin", plot.x, plain_axis("rows", 0, 10), {}, {}, {}, {}};
  histogram.bars = {
      {"rows", ColourRole::kNeutral, {0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 9, 7, 5, 2, 0}}};
  figure.plots = {plot, histogram};
  return figure;
}

Figure fields() {
  Figure figure;
  figure.title = "Four fields";
  figure.sentence = "Entropy rises with temperature.";
  for (int k = 0; k < 4; ++k) {
    FieldPlot plot;
    plot.title = Statement::naming("Region " + std::to_string(k + 1));
    plot.x = plain_axis("θ", 0, 2);
    plot.y = plain_axis("λ", 0, 1);
    plot.value_label = "entropy H (nats)";
    plot.high = 2.3;
    plot.map = k == 1 ? ColourMap::kCividis : k == 2 ? ColourMap::kMagma : ColourMap::kViridis;
    for (int i = 0; i < 40; ++i)
      plot.x_value.push_back(0.05 * i + 0.025);
    for (int i = 0; i < 30; ++i)
      plot.y_value.push_back((i + 0.5) / 30);
    for (const double y : plot.y_value) {
      for (const double x : plot.x_value)
        plot.values.push_back(static_cast<float>(2.3 * (1 - std::exp(-x * (0.3 + y) * (k + 1)))));
    }
    if (k == 3) plot.values[100] = std::numeric_limits<float>::quiet_NaN();
    plot.overlay = {
        {.name = "path", .x = {0.1, 1, 1.9}, .y = {0.1, 0.5, 0.9}, .low = {}, .high = {}}};
    figure.fields.push_back(plot);
  }
  return figure;
}

Figure curves() {
  Figure figure;
  figure.title = "Several curves of a role";
  LinePlot plot = {
      "Layers", "spread against n", size_axis(16, 16384), plain_axis("%", 0, 104), {}, {}, {}, {}};
  for (int layer = 1; layer <= 5; ++layer)
    plot.series.push_back(
        decay(("layer " + std::to_string(layer)).c_str(), ColourRole::kBaseline, 0.1 * layer));
  figure.plots = {plot, plot, plot};
  return figure;
}

// The figure has the name that the experiment of the view would give it.
ExperimentResult result_of(View view, Figure figure) {
  ExperimentResult result;
  result.figure = std::move(figure);
  result.figure.name = experiment_in(view).name;
  return result;
}

ExperimentResult wait_in_the_middle(const std::atomic<bool>& release, const Progress& keep_going,
                                    const ShowFigure& show) {
  Figure partial = table();
  partial.tables[0].rows.pop_back();
  show(partial);
  while (!release && keep_going(0.4))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return result_of(kTableView, table());
}

}  // namespace

Figure synthetic_figure(View view) {
  if (view == kTableView) return table();
  if (view == kFitView) return points();
  if (view == kSurfaceView) return fields();
  if (view == kSpreadView) return curves();
  throw std::runtime_error(
      "there is not enough memory for a sequence of 131 072 items; choose fewer layers or a "
      "smaller width");
}

MakeRequest synthetic_requests(std::shared_ptr<std::atomic<bool>> release) {
  return [release](View view, const AppState&) {
    return ExperimentRequest{
        "synthetic", 0,
        [view, release](ExperimentBackends&, const Progress& keep_going, const ShowFigure& show) {
          if (view == kTableView && release) return wait_in_the_middle(*release, keep_going, show);
          return result_of(view, synthetic_figure(view));
        }};
  };
}

}  // namespace dispersion
