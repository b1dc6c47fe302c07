// A surface and everything that is written around it lie on the sheet, whatever the view.

#include "app/export/surface_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "app/export/svg_canvas.h"
#include "tests/export/sample_figure.h"

namespace dispersion {
namespace {

bool lies_in(const Rect& inner, const Rect& outer) {
  constexpr double kRounding = 1e-6;
  return inner.x >= outer.x - kRounding && inner.right() <= outer.right() + kRounding &&
         inner.y >= outer.y - kRounding && inner.bottom() <= outer.bottom() + kRounding;
}

bool touch(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

TEST(SurfaceLayout, KeepsEverythingOnTheSheetFromEverySide) {
  const FieldPlot plot = sample_figure().fields.front();
  const Rect area = {20, 30, 270, 190};
  for (const FontFamily family : {FontFamily::kSans, FontFamily::kSerif}) {
    const Typeface typeface(family);
    const SvgCanvas canvas(typeface);
    for (int i = 0; i < 60; ++i) {
      const SurfaceView view = {0.41 * i, 1.57 * (i % 7) / 6};
      const Surface surface = project_surface(plot, view);
      const SurfaceLayout layout = surface_layout(canvas, surface, area, DrawOptions());
      EXPECT_GT(layout.unit, 30) << i;
      for (const auto& wall : surface.walls) {
        for (const SurfacePoint& corner : wall) {
          const Point at = layout.place(corner);
          EXPECT_TRUE(lies_in({at.x, at.y, 0, 0}, area)) << i;
        }
      }
      std::set<std::string> written;
      for (const SurfaceLabel& label : layout.labels) {
        EXPECT_TRUE(lies_in(label.box, area)) << i << label.text;
        written.insert(label.text);
      }
      for (const SurfaceText& name : surface.names)
        EXPECT_TRUE(written.contains(name.text)) << i << name.text;
    }
  }
}

TEST(SurfaceLayout, LeavesTextsOutWhereThereIsNoRoomForThem) {
  const Typeface typeface(FontFamily::kSans);
  const SvgCanvas canvas(typeface);
  const FieldPlot plot = sample_figure().fields.front();
  for (const Rect area : {Rect{5, 5, 80, 60}, Rect{5, 5, 30, 200}, Rect{5, 5, 200, 30}}) {
    for (int i = 0; i < 60; ++i) {
      const Surface surface = project_surface(plot, {0.41 * i, 1.57 * (i % 7) / 6});
      const SurfaceLayout layout = surface_layout(canvas, surface, area, DrawOptions());
      EXPECT_GT(layout.unit, 3) << i;
      for (const auto& wall : surface.walls) {
        for (const SurfacePoint& corner : wall) {
          const Point at = layout.place(corner);
          EXPECT_TRUE(lies_in({at.x, at.y, 0, 0}, area)) << i;
        }
      }
      for (const SurfaceLabel& label : layout.labels)
        EXPECT_TRUE(lies_in(label.box, area)) << i << label.text;
    }
  }
}

TEST(SurfaceLayout, WritesNoLabelOverAnother) {
  const Typeface typeface(FontFamily::kSans);
  const SvgCanvas canvas(typeface);
  const FieldPlot plot = sample_figure().fields.front();
  std::size_t most = 0;
  for (int i = 0; i < 60; ++i) {
    const Surface surface = project_surface(plot, {0.41 * i, 1.57 * (i % 7) / 6});
    const SurfaceLayout layout = surface_layout(canvas, surface, {0, 0, 300, 200}, DrawOptions());
    for (std::size_t a = 0; a < layout.labels.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_FALSE(touch(layout.labels[a].box, layout.labels[b].box)) << i;
    }
    EXPECT_LE(layout.labels.size(), surface.names.size() + surface.ticks.size());
    most = std::max(most, surface.names.size() + surface.ticks.size() - layout.labels.size());
  }
  EXPECT_GT(most, 0U);  // flat views have no room for all
}

TEST(SurfaceLayout, OfNothingIsEmpty) {
  const Typeface typeface(FontFamily::kSans);
  const SvgCanvas canvas(typeface);
  EXPECT_TRUE(surface_layout(canvas, {}, {0, 0, 300, 200}, DrawOptions()).labels.empty());
}

}  // namespace
}  // namespace dispersion
