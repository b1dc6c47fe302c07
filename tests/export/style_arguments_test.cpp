// How a figure is styled, as the words that style it so again.

#include "app/export/style.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string_view>

namespace dispersion {
namespace {

RenderOptions render_options_in(std::string_view style) {
  return {&style_named(style), {}, style_named(style).draw};
}

TEST(StyleArguments, SayNothingOfWhatIsUsual) {
  EXPECT_EQ(style_arguments(render_options_in("default")), "");
  EXPECT_EQ(style_arguments(render_options_in("paper")), "--style paper");
  RenderOptions render_options = render_options_in("default");
  render_options.draw.view = {1, 1};  // nothing is seen from there
  EXPECT_EQ(style_arguments(render_options), "");
}

TEST(StyleArguments, SayAllThatIsNot) {
  RenderOptions render_options = render_options_in("paper");
  render_options.size.width_mm = 83.82;
  render_options.size.pixels_per_inch = 300;
  render_options.size.text_points = 7.5;
  render_options.draw.palette = kDarkPalette;
  render_options.draw.family = FontFamily::kSerif;
  render_options.draw.transparent = true;
  render_options.draw.with_title = true;
  render_options.draw.surfaces = true;
  render_options.draw.view = view_of_degrees(-100.25, 15);
  EXPECT_EQ(style_arguments(render_options),
            "--style paper --width 83.82mm --dpi 300 --theme dark --font-size 7.5 --typeface serif "
            "--transparent --title --surface --view -100.25,15");
  render_options = render_options_in("slide");
  render_options.size.width_pixels = 1200;
  render_options.draw.palette = kPrintPalette;
  render_options.draw.with_title = false;
  EXPECT_EQ(style_arguments(render_options),
            "--style slide --width 1200px --theme print --no-title");
}

TEST(StyleArguments, KeepAViewThatWasRounded) {
  EXPECT_EQ(rounded_view(SurfaceView()), SurfaceView());
  for (int i = -40; i < 40; ++i) {
    const SurfaceView view = {0.3217 * i, std::numbers::pi / 2 * (i + 40) / 80};
    const SurfaceView once = rounded_view(view);
    EXPECT_EQ(rounded_view(once), once) << i;
    EXPECT_NEAR(std::sin(once.azimuth), std::sin(view.azimuth), 1e-4);
    EXPECT_NEAR(std::cos(once.azimuth), std::cos(view.azimuth), 1e-4);
    EXPECT_NEAR(once.elevation, view.elevation, 1e-4);
    EXPECT_LE(once.elevation, std::numbers::pi / 2);
  }
}

}  // namespace
}  // namespace dispersion
