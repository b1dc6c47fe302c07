// How a figure is dressed, as the words that dress it so again.

#include "app/export/look_words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string_view>

namespace dispersion {
namespace {

FigureDress dress_in(std::string_view style) {
  return {&style_named(style), {}, style_named(style).look};
}

TEST(LookWords, SayNothingOfWhatIsUsual) {
  EXPECT_EQ(look_words(dress_in("default")), "");
  EXPECT_EQ(look_words(dress_in("paper")), "--style paper");
  FigureDress dress = dress_in("default");
  dress.look.view = {1, 1};  // nothing is seen from there
  EXPECT_EQ(look_words(dress), "");
}

TEST(LookWords, SayAllThatIsNot) {
  FigureDress dress = dress_in("paper");
  dress.size.width_mm = 83.82;
  dress.size.pixels_per_inch = 300;
  dress.size.text_points = 7.5;
  dress.look.palette = kDarkPalette;
  dress.look.family = FontFamily::kSerif;
  dress.look.transparent = true;
  dress.look.with_title = true;
  dress.look.surfaces = true;
  dress.look.view = view_of_degrees(-100.25, 15);
  EXPECT_EQ(look_words(dress),
            "--style paper --width 83.82mm --dpi 300 --theme dark --font-size 7.5 --typeface serif "
            "--transparent --title --surface --view -100.25,15");
  dress = dress_in("slide");
  dress.size.width_pixels = 1200;
  dress.look.palette = kPrintPalette;
  dress.look.with_title = false;
  EXPECT_EQ(look_words(dress), "--style slide --width 1200px --theme print --no-title");
}

TEST(LookWords, KeepAViewThatWasRounded) {
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
