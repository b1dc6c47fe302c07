// How fields, surfaces and tables are laid out before anything paints them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/figure/axis.h"
#include "core/figure/field_image.h"
#include "core/figure/figure.h"
#include "core/figure/figure_layout.h"
#include "core/figure/number_text.h"
#include "core/figure/surface.h"

namespace dispersion {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

FieldPlot field(int rows, int columns) {
  FieldPlot plot;
  plot.x = {.label = "x", .low = 0, .high = 1, .ticks = {{0.5, "half"}}};
  plot.y = plot.x;
  for (int column = 0; column < columns; ++column)
    plot.x_value.push_back((column + 0.5) / columns);
  for (int row = 0; row < rows; ++row)
    plot.y_value.push_back((row + 0.5) / rows);
  for (int i = 0; i < rows * columns; ++i)
    plot.values.push_back(static_cast<float>(i) / static_cast<float>(rows * columns - 1));
  return plot;
}

TEST(NumberText, SignificantFigures) {
  EXPECT_EQ(significant_text(164.27, 4), "164.3");
  EXPECT_EQ(significant_text(0.9996, 3), "1.00");
  EXPECT_EQ(significant_text(-0.03714, 2), "\u22120.037");
  EXPECT_EQ(significant_text(16384, 3), "16\u2009384");
  EXPECT_EQ(significant_text(0.00002, 2), "2.0·10⁻⁵");
  EXPECT_EQ(significant_text(-3.456e12, 3), "\u22123.46·10¹²");
  EXPECT_EQ(significant_text(0, 3), "0");
  EXPECT_EQ(significant_text(std::nan(""), 3), "\u2013");
}

TEST(FieldImage, EvenSamplesAreOnePixelEachFromTheTop) {
  const FieldImage image = field_image(field(2, 3));
  EXPECT_EQ(image.rows, 2);
  EXPECT_EQ(image.columns, 3);
  EXPECT_NEAR(image.left, 0, 1e-12);
  EXPECT_NEAR(image.top, 1, 1e-12);
  EXPECT_FLOAT_EQ(image.position[0], 3.0F / 5);  // the second row is on top
  EXPECT_FLOAT_EQ(image.position[5], 2.0F / 5);
}

TEST(FieldImage, UnevenSamplesReachHalfwayToTheirNeighbours) {
  FieldPlot plot = field(1, 3);
  plot.x_value = {0.1, 0.2, 0.8};
  const FieldImage image = field_image(plot);
  ASSERT_GT(image.columns, 100);
  EXPECT_NEAR(image.left, 0.05, 1e-12);
  EXPECT_NEAR(image.right, 1.1, 1e-12);
  const auto at = [&](double share) {
    const double pixel = (share - image.left) / (image.right - image.left) * image.columns;
    return image.position[static_cast<std::size_t>(pixel)];
  };
  EXPECT_EQ(at(0.14), 0.0F);
  EXPECT_EQ(at(0.16), 0.5F);
  EXPECT_EQ(at(0.49), 0.5F);
  EXPECT_EQ(at(0.51), 1.0F);
}

TEST(FieldImage, DoublingSamplesOnALogarithmicAxisAreEven) {
  FieldPlot plot = field(1, 3);
  plot.x = {.label = "n", .logarithmic = true, .low = 8, .high = 128, .ticks = {}};
  plot.x_value = {16, 32, 64};
  EXPECT_EQ(field_image(plot).columns, 3);
  EXPECT_EQ(nearest_sample(plot.x, plot.x_value, axis_share(plot.x, 22)), 0);
  EXPECT_EQ(nearest_sample(plot.x, plot.x_value, axis_share(plot.x, 23)), 1);
}

TEST(FieldImage, WhatCannotBeDrawnIsEmpty) {
  FieldPlot plot = field(2, 2);
  plot.values.pop_back();
  EXPECT_EQ(field_image(plot).rows, 0);
  plot = field(2, 2);
  plot.x.high = plot.x.low;
  EXPECT_EQ(field_image(plot).rows, 0);
  EXPECT_TRUE(project_surface(plot, {}).faces.empty());
  plot = field(2, 2);
  std::ranges::reverse(plot.x_value);
  EXPECT_EQ(field_image(plot).rows, 0);
  plot = field(2, 2);
  plot.values[0] = kNaN;
  EXPECT_EQ(field_image(plot).position[2], -1.0F);
}

TEST(ScaleTicks, LogarithmicOnesAreDecades) {
  const auto ticks = scale_ticks(ColourScale::kLogarithmic, 1e-6, 1, 4);
  ASSERT_GE(ticks.size(), 3U);
  EXPECT_LE(ticks.size(), 4U);
  EXPECT_EQ(ticks.back().label, "10⁰");
  for (std::size_t i = 1; i < ticks.size(); ++i)
    EXPECT_GT(ticks[i].value, ticks[i - 1].value);
  EXPECT_EQ(scale_ticks(ColourScale::kLinear, 0, 2.3, 6).front().label, "0.0");
}

std::string bar_labels(ColourScale scale, double low, double high) {
  HeatmapGrid grid;
  grid.scale = scale;
  grid.low = low;
  grid.high = high;
  std::string labels;
  for (const Tick& tick : bar_ticks(grid))
    labels += (labels.empty() ? "" : " ") + tick.label;
  return labels;
}

TEST(ScaleTicks, TheBarOfHeatMapsNamesItsEndsAndRoundValuesBetween) {
  EXPECT_EQ(bar_labels(ColourScale::kLinear, 0, 1), "0 0.5 1");
  EXPECT_EQ(bar_labels(ColourScale::kSquareRoot, 0, 1), "0 0.1 0.5 1");
  EXPECT_EQ(bar_labels(ColourScale::kLogarithmic, 1e-4, 1), "10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰");
  EXPECT_EQ(bar_labels(ColourScale::kLogarithmic, 0, 1), "0 1");  // nothing round is known
}

double cross(SurfacePoint a, SurfacePoint b, SurfacePoint c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool contains(const SurfaceFace& face, SurfacePoint p) {
  bool negative = false;
  bool positive = false;
  for (std::size_t i = 0; i < 4; ++i) {
    const double side = cross(face.corner[i], face.corner[(i + 1) % 4], p);
    negative = negative || side < 0;
    positive = positive || side > 0;
  }
  return !(negative && positive);
}

TEST(Surface, FitsItsSquareFromEverySide) {
  const FieldPlot plot = field(5, 4);
  for (double azimuth = -4; azimuth < 4; azimuth += 0.37) {
    for (double elevation = 0; elevation <= 1.57; elevation += 0.3) {
      const Surface surface = project_surface(plot, {azimuth, elevation});
      EXPECT_EQ(surface.faces.size(), 4U * 3U);
      for (const SurfaceFace& face : surface.faces) {
        for (const SurfacePoint& corner : face.corner)
          EXPECT_LE(std::max(std::fabs(corner.x), std::fabs(corner.y)), 1);
      }
      for (const SurfaceLine& line : surface.grid)
        EXPECT_LE(std::max(std::fabs(line.from.x), std::fabs(line.to.y)), 1);
    }
  }
}

// A wall along y with the floor at 0 on one side and at 0.2 on the other: its two slopes have the
// mean heights 0.5 and 0.6. From low down only the near slope may be seen where it is.
TEST(Surface, NearFacesArePaintedLast) {
  FieldPlot plot = field(9, 9);
  for (std::size_t i = 0; i < plot.values.size(); ++i)
    plot.values[i] = i / 9 < 4 ? 0 : i / 9 == 4 ? 1 : 0.2F;
  for (const double azimuth : {0.0, 0.6, -0.6, 2.4, std::numbers::pi, 3.9}) {
    const Surface surface = project_surface(plot, {azimuth, 0.2});
    const double near_slope = std::cos(azimuth) > 0 ? 0.5 : 0.6;
    int traits_of = 0;
    for (const SurfaceFace& face : surface.faces) {
      if (std::fabs(face.position - near_slope) > 1e-6) continue;
      SurfacePoint middle;
      for (const SurfacePoint& corner : face.corner) {
        middle.x += corner.x / 4;
        middle.y += corner.y / 4;
      }
      const SurfaceFace* on_top = nullptr;
      for (const SurfaceFace& other : surface.faces)
        if (contains(other, middle)) on_top = &other;
      ASSERT_NE(on_top, nullptr);
      EXPECT_NEAR(on_top->position, near_slope, 1e-6) << azimuth;
      ++traits_of;
    }
    EXPECT_EQ(traits_of, 8);
  }
}

// Where the ticks of two axes would stand in one column, the upright axis is on the other side;
// seen from above it has none.
TEST(Surface, TheUprightAxisHasASideOfItsOwn) {
  const FieldPlot plot = field(5, 4);
  for (double azimuth = -4; azimuth < 4; azimuth += 0.05) {
    const Surface surface = project_surface(plot, {azimuth, 0.7});
    ASSERT_EQ(surface.names.size(), 3U);
    const double side = surface.names[2].away.x > 0 ? 1 : -1;
    for (int i = 0; i < 2; ++i)
      EXPECT_LT(side * surface.names[static_cast<std::size_t>(i)].away.x, 0.96) << azimuth;
    // Nothing of the box lies beyond the edge where the name stands.
    for (const auto& wall : surface.walls) {
      for (const SurfacePoint& corner : wall)
        EXPECT_LE(side * corner.x, side * surface.names[2].at.x + 1e-9) << azimuth;
    }
    const Surface steep = project_surface(plot, {azimuth, 1.5});
    EXPECT_EQ(steep.names.size(), 2U);
    EXPECT_LT(steep.ticks.size(), surface.ticks.size());
  }
}

TEST(Surface, UnknownValuesLeaveHoles) {
  FieldPlot plot = field(3, 3);
  plot.values[4] = kNaN;
  EXPECT_TRUE(project_surface(plot, {}).faces.empty());
  plot.values[4] = 0.5F;
  plot.values[0] = kNaN;
  EXPECT_EQ(project_surface(plot, {}).faces.size(), 3U);
}

TEST(Surface, ManySamplesAreThinnedEvenly) {
  EXPECT_EQ(project_surface(field(200, 300), {}, 33).faces.size(), 32U * 32U);
}

bool overlap(const FigureBox& a, const FigureBox& b) {
  return a.x < b.x + b.width - 1e-9 && b.x < a.x + a.width - 1e-9 && a.y < b.y + b.height - 1e-9 &&
         b.y < a.y + a.height - 1e-9;
}

TEST(FigureLayout, NothingOverlapsOrLeavesTheRoom) {
  const FigureBox room = {10, 20, 1200, 800};
  for (std::size_t grids = 0; grids < 3; ++grids) {
    for (std::size_t fields = 0; fields < 5; ++fields) {
      for (std::size_t plots = 0; plots < 4; ++plots) {
        for (const std::vector<TableSize>& tables :
             {std::vector<TableSize>{}, {{300, 200}}, {{2000, 3000}}, {{400, 100}, {200, 5000}}}) {
          Figure figure;
          figure.grids.resize(grids);
          figure.fields.resize(fields);
          figure.plots.resize(plots);
          const FigureLayout layout = lay_out(figure, room, 8, tables);
          std::vector<FigureBox> all = layout.grids;
          for (const auto* part : {&layout.fields, &layout.plots, &layout.tables})
            all.insert(all.end(), part->begin(), part->end());
          ASSERT_EQ(all.size(), grids + fields + plots + tables.size());
          for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_GE(all[i].x, room.x - 1e-9);
            EXPECT_GE(all[i].y, room.y - 1e-9);
            EXPECT_LE(all[i].x + all[i].width, room.x + room.width + 1e-9);
            EXPECT_LE(all[i].y + all[i].height, room.y + room.height + 1e-9);
            EXPECT_GT(all[i].width, 0);
            EXPECT_GT(all[i].height, 0);
            for (std::size_t j = 0; j < i; ++j)
              EXPECT_FALSE(overlap(all[i], all[j]));
          }
        }
      }
    }
  }
}

TEST(FigureLayout, FourTilesAreTwoByTwoAndNarrowTablesStandBeside) {
  Figure figure;
  figure.fields.resize(4);
  const std::vector<TableSize> table = {{300, 500}};
  const FigureLayout layout = lay_out(figure, {0, 0, 1200, 800}, 8, table);
  EXPECT_EQ(layout.fields[0].y, layout.fields[1].y);
  EXPECT_GT(layout.fields[2].y, layout.fields[1].y);
  EXPECT_EQ(layout.tables[0].width, 300);
  EXPECT_EQ(layout.tables[0].height, 800);
  const std::vector<TableSize> wide = {{900, 200}};
  const FigureLayout below = lay_out(figure, {0, 0, 1200, 800}, 8, wide);
  EXPECT_EQ(below.tables[0].width, 1200);
  EXPECT_EQ(below.tables[0].height, 200);
  // A short one beside the tiles would leave most of that side empty.
  const std::vector<TableSize> low = {{300, 150}};
  EXPECT_EQ(lay_out(figure, {0, 0, 1200, 800}, 8, low).tables[0].width, 1200);
}

TEST(FigureLayout, AStackFillsItsRoomFromAboveToBelow) {
  Figure figure;
  figure.fields.resize(1);
  figure.plots.resize(2);
  const std::vector<TableSize> table = {{300, 100}};
  const FigureLayout layout = stack(figure, {0, 10, 400, 724}, 8, table);
  EXPECT_EQ(layout.fields[0].y, 10);
  EXPECT_EQ(layout.fields[0].height, 200);
  EXPECT_EQ(layout.plots[1].height, 200);
  EXPECT_EQ(layout.tables[0].y + layout.tables[0].height, 734);
  EXPECT_EQ(layout.tables[0].width, 400);
}

TEST(FigureLayout, TheFirstOfThreeTilesIsHighWhereTwoStandBesideOneAnother) {
  Figure figure;
  figure.plots.resize(3);
  const FigureLayout layout = lay_out(figure, {0, 0, 1208, 800}, 8, {});
  EXPECT_EQ(layout.plots[0].height, 800);
  EXPECT_EQ(layout.plots[0].width, 600);
  EXPECT_EQ(layout.plots[1].x, 608);
  EXPECT_EQ(layout.plots[2].x, 608);
  EXPECT_EQ(layout.plots[1].height, 396);
  EXPECT_EQ(layout.plots[2].y, 404);
  // In a flat room all three stand in a row.
  const FigureLayout row = lay_out(figure, {0, 0, 1216, 200}, 8, {});
  EXPECT_EQ(row.plots[2].x, 816);
  EXPECT_EQ(row.plots[0].height, 200);
}

TEST(FigureLayout, ASmallTableFillsUpOneOfTwoColumns) {
  Figure figure;
  figure.plots.resize(3);
  const std::vector<TableSize> table = {{300, 200}};
  const FigureLayout layout = lay_out(figure, {0, 0, 1200, 800}, 8, table);
  EXPECT_EQ(layout.plots[0].height, 592);
  EXPECT_EQ(layout.tables[0].y, 600);
  EXPECT_EQ(layout.tables[0].height, 200);
  EXPECT_EQ(layout.tables[0].width, layout.plots[0].width);
  EXPECT_EQ(layout.plots[1].x, 604);
  EXPECT_EQ(layout.plots[2].y, 404);
  // Not one that would leave the plot above it too little.
  const std::vector<TableSize> high = {{300, 500}};
  EXPECT_EQ(lay_out(figure, {0, 0, 1200, 800}, 8, high).tables[0].height, 800);
}

TEST(FigureText, HoldsEveryNumberInFull) {
  Figure figure;
  figure.title = "Title";
  figure.sentence = "Seen.";
  figure.provenance = {{"seed", "1"}};
  LinePlot plot;
  plot.title = "Plot";
  plot.x.label = "n";
  plot.series = {{.name = "curve", .x = {16}, .y = {1.0 / 3}, .low = {0.25}, .high = {0.5}}};
  plot.bars = {{"counts", ColourRole::kNeutral, {0, 0.1}, {7}}};
  figure.plots = {plot};
  FieldPlot values = field(1, 2);
  values.title = "Map";
  values.values = {0.1F, kNaN};
  figure.fields = {values};
  figure.tables = {{"Table", "", {"n", "a"}, {{{.text = "16"}, {.text = "98.6"}}}, {"note"}}};
  EXPECT_EQ(figure_text(figure),
            "Title\nSeen.\nseed\t1\n\nTable\nn\ta\n16\t98.6\nnote\n\nPlot\nn, from\tto\tcounts\n"
            "0\t0.1\t7\nn\tcurve\tlow\thigh\n16\t0.33333334\t0.25\t0.5\n\nMap\n"
            "x down, x across: \t0.25\t0.75\n0.5\t0.1\t\n");
}

}  // namespace
}  // namespace dispersion
