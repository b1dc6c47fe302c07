
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "core/experiment/dispersion.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

TransformFrames frames(TransformId transform, int count, double first_weight) {
  TransformFrames result = {{.id = transform}, {}};
  for (int i = 0; i < count; ++i) {
    AttentionFrame frame;
    frame.items = 16 << i;
    frame.columns = 2;
    frame.transform.id = transform;
    frame.weights.assign(kFrameSets * 2, 0.25F);
    frame.mean_weight_on_max = first_weight / (i + 1);
    result.frames.push_back(frame);
  }
  return result;
}

TEST(DispersionAnimation, ShowsOneSizeAndTheCurveSoFar) {
  const auto figures = dispersion_animation(
      std::vector{frames(TransformId::kSoftmax, 4, 0.8), frames(TransformId::kAdaptive, 4, 0.9)},
      ColourScale::kLinear);
  ASSERT_EQ(figures.size(), 4U);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Figure& figure = figures[i];
    ASSERT_EQ(figure.grids.size(), 1U);
    ASSERT_EQ(figure.grids[0].strips.size(), 2U);
    EXPECT_EQ(figure.grids[0].strips[1].frames.size(), 1U);
    EXPECT_EQ(figure.grids[0].strips[0].frames[0].values.size(), 2U * kFrameSets);
    ASSERT_EQ(figure.plots.size(), 1U);
    const LinePlot& plot = figure.plots[0];
    ASSERT_EQ(plot.series.size(), 2U);
    EXPECT_EQ(plot.series[0].x.size(), i + 1);
    EXPECT_EQ(plot.series[0].x.back(), 16 << i);
    EXPECT_DOUBLE_EQ(plot.series[1].y.back(), 0.9 / static_cast<double>(i + 1));
    // Nothing moves but what grows.
    EXPECT_EQ(plot.x.low, figures[0].plots[0].x.low);
    EXPECT_EQ(plot.x.high, figures[0].plots[0].x.high);
    EXPECT_GT(plot.x.high, 16 << 3);
  }
  EXPECT_EQ(figures[3].title, "n = 128 items");
  EXPECT_EQ(figures[1].sentence.text(),
            "Of 32 items the largest gets 0.40 of the attention on the mean; with adaptive "
            "temperature 0.45.");
}

TEST(DispersionAnimation, GoesWithoutTheAdaptiveHalf) {
  const auto figures = dispersion_animation(std::vector{frames(TransformId::kSoftmax, 2, 0.8)},
                                            ColourScale::kLinear);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[1].grids[0].strips.size(), 1U);
  EXPECT_EQ(figures[1].plots[0].series.size(), 1U);
  EXPECT_EQ(figures[1].sentence.text(),
            "Of 32 items the largest gets 0.40 of the attention on the mean.");
}

TEST(DispersionAnimation, RefusesSizesThatDoNotFit) {
  const auto plain = frames(TransformId::kSoftmax, 3, 0.8);
  auto adaptive = frames(TransformId::kAdaptive, 3, 0.9);
  auto falling = plain;
  falling.frames[2].items = 8;
  adaptive.frames.pop_back();
  EXPECT_THROW(dispersion_animation({}, ColourScale::kLinear), std::invalid_argument);
  EXPECT_THROW(dispersion_animation(std::vector{falling}, ColourScale::kLinear),
               std::invalid_argument);
  EXPECT_THROW(dispersion_animation(std::vector{plain, adaptive}, ColourScale::kLinear),
               std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
