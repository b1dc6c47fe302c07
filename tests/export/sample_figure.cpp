#include "tests/export/sample_figure.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/figure/axis.h"

namespace dispersion {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Axis axis(std::string label, double low, double high) {
  return {.label = std::move(label), .low = low, .high = high, .ticks = round_ticks(low, high, 5)};
}

HeatmapGrid grid() {
  HeatmapGrid grid;
  grid.title = "Attention";
  grid.subtitle = "one set a row";
  grid.value_label = "weight";
  grid.caption_label = "on the max";
  grid.frame_label = "items";
  for (const ColourRole role : {ColourRole::kBaseline, ColourRole::kAdaptive}) {
    HeatmapStrip strip;
    strip.title = role == ColourRole::kBaseline ? "softmax" : "adaptive θ";
    strip.subtitle = "θ = 1";
    strip.role = role;
    for (int frame = 0; frame < 3; ++frame) {
      Heatmap map = {std::to_string(16 << frame), "0.24", 4, 5, {}};
      for (int i = 0; i < 20; ++i)
        map.values.push_back(static_cast<float>((i * 7 + frame) % 20) / 20.0F);
      strip.frames.push_back(map);
    }
    grid.strips.push_back(strip);
  }
  return grid;
}

LinePlot plot() {
  LinePlot plot;
  plot.title = "Curves & bars";
  plot.subtitle = "a < b, \"both\"";
  plot.x = axis("number of items n", 0, 10);
  plot.y = axis("entropy H (nats)", 0, 4);
  Series solid;
  solid.name = "softmax";
  solid.role = ColourRole::kBaseline;
  Series dashed;
  dashed.name = "β(H)";
  dashed.role = ColourRole::kAdaptive;
  dashed.line = LineStyle::kDashed;
  for (int i = 0; i <= 10; ++i) {
    solid.x.push_back(i);
    solid.y.push_back(3.5 - 0.02 * i * i);
    solid.low.push_back(solid.y.back() - 0.3);
    solid.high.push_back(solid.y.back() + 0.3);
    dashed.x.push_back(i);
    dashed.y.push_back(1 + std::sin(0.7 * i));
  }
  plot.series = {solid, dashed};
  Series unseen;
  unseen.name = "softmax";
  unseen.x = {11};
  unseen.y = {1e-300};
  plot.unseen = {unseen};
  plot.lines = {{6, "here", true}, {2, "level", false}};
  plot.ranges = {{1, 3, "range"}};
  plot.bars = {{"bars", ColourRole::kNeutral, {0, 2, 4, 6}, {0.5, 1.2, 0.7}}};
  return plot;
}

FieldPlot field() {
  FieldPlot plot;
  plot.title = "Field";
  plot.x = axis("λ", 0, 3);
  plot.y = axis("θ", 0, 2);
  plot.x_value = {0, 1, 2, 3};
  plot.y_value = {0, 1, 2};
  plot.values = {0, 0.1F, 0.2F, 0.3F, 0.4F, kNaN, 0.6F, 0.7F, 0.8F, 0.9F, 1, 0.5F};
  plot.value_label = "entropy H (nats)";
  Series path;
  path.name = "path";
  path.x = {0, 1, 3};
  path.y = {0.5, 1.5, 1};
  plot.overlay = {path};
  return plot;
}

}  // namespace

Figure sample_figure() {
  Figure figure;
  figure.name = "sample";
  figure.title = "Everything a figure has";
  figure.grids = {grid()};
  figure.plots = {plot()};
  figure.fields = {field()};
  figure.tables = {{"Table",
                    "accuracy (%)",
                    {"map", "16", "1 024"},
                    {{{.text = "softmax", .role = ColourRole::kBaseline},
                      {.text = "98.6 ± 0.1", .value = 98.5714, .low = 98.4603, .high = 98.6825},
                      {.text = "53.8", .strong = true, .value = 100 * (0.1 + 0.438)}},
                     {{.text = "a & b_c, \"d\""}, {.text = "–", .muted = true}, {.text = "100 %"}}},
                    {"A note below."},
                    0,
                    0,
                    {kNaN, 16, 1024}}};
  figure.sentence = "A sentence that says what is seen, with θ ≤ 1.";
  figure.provenance = {{"program", "dispersion_lab"}, {"seed", "1"}, {"step", "100000"}};
  return figure;
}

Figure one_plot() {
  Figure figure;
  figure.title = "One plot";
  figure.plots = {plot()};
  return figure;
}

}  // namespace dispersion
