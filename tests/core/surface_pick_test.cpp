// Finding the sample of a surface that is seen at a point.

#include <gtest/gtest.h>

#include <cmath>

#include "core/figure/surface.h"

namespace dispersion {
namespace {

FieldPlot hill() {
  FieldPlot plot;
  plot.x.high = 4;
  plot.y.high = 4;
  for (int i = 0; i <= 4; ++i) {
    plot.x_value.push_back(i);
    plot.y_value.push_back(i);
  }
  for (int row = 0; row <= 4; ++row) {
    for (int column = 0; column <= 4; ++column)
      plot.values.push_back(row == 2 && column == 2 ? 1.0F : 0.0F);
  }
  return plot;
}

TEST(SurfacePick, FindsEveryCornerThatNothingHides) {
  // From straight above nothing is hidden, and the faces tile the floor.
  const Surface surface = project_surface(hill(), {0.3, 1.5});
  ASSERT_EQ(surface.faces.size(), 16U);
  for (const SurfaceFace& face : surface.faces) {
    SurfacePoint middle;
    for (const SurfacePoint& corner : face.corner)
      middle = {middle.x + corner.x / 4, middle.y + corner.y / 4};
    for (std::size_t i = 0; i < face.corner.size(); ++i) {
      const SurfacePoint near = {0.8 * face.corner[i].x + 0.2 * middle.x,
                                 0.8 * face.corner[i].y + 0.2 * middle.y};
      const auto sample = sample_at(surface, near);
      ASSERT_TRUE(sample);
      EXPECT_EQ(sample->index, face.sample[i]);
    }
  }
}

TEST(SurfacePick, TheFaceInFrontHidesThoseBehind) {
  // Almost from the side, the top of the hill stands before the floor behind it.
  const Surface surface = project_surface(hill(), {0, 0.3});
  const SurfaceFace* last = nullptr;
  SurfacePoint top;
  for (const SurfaceFace& face : surface.faces) {
    for (std::size_t i = 0; i < face.sample.size(); ++i) {
      if (face.sample[i] != 12) continue;
      top = face.corner[i];
      last = &face;
    }
  }
  ASSERT_NE(last, nullptr);
  const auto sample = sample_at(surface, {top.x, top.y + 0.01});
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->index, 12U);
}

TEST(SurfacePick, ThereIsNothingBesideTheSurface) {
  EXPECT_FALSE(sample_at(project_surface(hill(), {}), {-2, -2}));
  EXPECT_FALSE(sample_at(Surface(), {0, 0}));
}

}  // namespace
}  // namespace dispersion
