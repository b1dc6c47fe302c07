// Whether the colours that carry the story are told apart by everybody.

#include "app/palette/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace dispersion {
namespace {

using Triple = std::array<double, 3>;

struct Eyes {
  const char* name;
  std::array<Triple, 3> from_linear;  // of linear sRGB
};

// Machado, Oliveira and Fernandes (2009), table 1, the whole loss of one kind of cone.
constexpr std::array<Eyes, 4> kEyes = {{{"usual", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
                                        {"protanopia",
                                         {{{0.152286, 1.052583, -0.204868},
                                           {0.114503, 0.786281, 0.099216},
                                           {-0.003882, -0.048116, 1.051998}}}},
                                        {"deuteranopia",
                                         {{{0.367322, 0.860646, -0.227968},
                                           {0.280085, 0.672501, 0.047413},
                                           {-0.011820, 0.042940, 0.968881}}}},
                                        {"tritanopia",
                                         {{{1.255528, -0.076749, -0.178779},
                                           {-0.078411, 0.930809, 0.147602},
                                           {0.004733, 0.691367, 0.303900}}}}}};

double linear(std::uint8_t channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double lab_curve(double t) {
  return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

// CIE L*a*b* (D65) as such eyes see a colour.
Triple seen(Colour colour, const Eyes& eyes) {
  const Triple in = {linear(colour.red), linear(colour.green), linear(colour.blue)};
  Triple out = {};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      out[i] += eyes.from_linear[i][j] * in[j];
    out[i] = std::clamp(out[i], 0.0, 1.0);
  }
  const double x = lab_curve((0.4124 * out[0] + 0.3576 * out[1] + 0.1805 * out[2]) / 0.95047);
  const double y = lab_curve(0.2126 * out[0] + 0.7152 * out[1] + 0.0722 * out[2]);
  const double z = lab_curve((0.0193 * out[0] + 0.1192 * out[1] + 0.9505 * out[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// CIE 1976: 2.3 is just noticeable side by side.
double difference(Colour a, Colour b, const Eyes& eyes) {
  const Triple p = seen(a, eyes), q = seen(b, eyes);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

double lightness(Colour colour) {
  return seen(colour, kEyes[0])[0];
}

struct Named {
  const char* name;
  const Palette* palette;
};
constexpr std::array<Named, 3> kPalettes = {
    {{"dark", &kDarkPalette}, {"light", &kLightPalette}, {"print", &kPrintPalette}}};

// The measure itself, against published values of L*a*b*.
TEST(Palette, TheMeasureIsRight) {
  const Triple red = seen(rgb(0xFF0000), kEyes[0]);
  EXPECT_NEAR(red[0], 53.24, 0.05);
  EXPECT_NEAR(red[1], 80.09, 0.1);
  EXPECT_NEAR(red[2], 67.20, 0.1);
  EXPECT_NEAR(lightness(rgb(0xFFFFFF)), 100, 0.01);
  // Red and green of one lightness are what deuteranopes do not tell apart.
  EXPECT_GT(difference(rgb(0xB05050), rgb(0x608030), kEyes[0]), 60);
  EXPECT_LT(difference(rgb(0xB05050), rgb(0x608030), kEyes[2]), 30);
}

TEST(Palette, BaselineAndAdaptiveAreToldApartByEveryEye) {
  for (const auto& [name, palette] : kPalettes) {
    for (const Eyes& eyes : kEyes) {
      EXPECT_GT(difference(palette->baseline, palette->adaptive, eyes), 60)
          << name << " " << eyes.name;
      for (const Colour colour : {palette->baseline, palette->adaptive}) {
        EXPECT_GT(difference(colour, palette->panel, eyes), 50) << name << " " << eyes.name;
        EXPECT_GT(difference(colour, palette->muted, eyes), 18) << name << " " << eyes.name;
        EXPECT_GT(difference(colour, palette->text, eyes), 25) << name << " " << eyes.name;
      }
    }
  }
}

// Eight colours: more than some eyes tell apart well, so the marks differ too.
TEST(Palette, FurtherCurvesHaveColoursOfTheirOwn) {
  for (const auto& [name, palette] : kPalettes) {
    const std::array<Colour, 8> all = {palette->baseline, palette->adaptive, palette->muted,
                                       palette->text,     palette->violet,   palette->green,
                                       palette->ochre,    palette->sixth};
    for (const Eyes& eyes : kEyes) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_GT(difference(all[i], palette->panel, eyes), 40) << name << " " << i << eyes.name;
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_GT(difference(all[i], all[j], eyes), 14) << name << " " << i << j << eyes.name;
      }
    }
  }
}

TEST(Palette, InPrintTheyAreToldApartWithoutColour) {
  EXPECT_GT(lightness(kPrintPalette.adaptive) - lightness(kPrintPalette.baseline), 20);
  EXPECT_GT(lightness(kPrintPalette.panel) - lightness(kPrintPalette.adaptive), 35);
  EXPECT_GT(lightness(kPrintPalette.baseline) - lightness(kPrintPalette.text), 25);
}

// Text stands out from its ground: WCAG asks for a contrast of 4.5.
TEST(Palette, TextCanBeRead) {
  const auto luminance = [](Colour c) {
    return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
  };
  for (const auto& [name, palette] : kPalettes) {
    for (const Colour colour : {palette->text, palette->muted}) {
      const double a = luminance(colour), b = luminance(palette->panel);
      EXPECT_GT((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05), 4.5) << name;
    }
  }
}

// Neighbours 32 steps apart on a map differ for every eye, and by lightness alone.
TEST(ColourMaps, AreToldApartByEveryEye) {
  for (const ColourMap map : {ColourMap::kViridis, ColourMap::kCividis, ColourMap::kMagma}) {
    for (int i = 0; i + 32 < 256; i += 8) {
      const Colour a = map_colour(map, i / 255.0), b = map_colour(map, (i + 32) / 255.0);
      EXPECT_GT(lightness(b) - lightness(a), 4) << i;
      for (const Eyes& eyes : kEyes)
        EXPECT_GT(difference(a, b, eyes), 6) << static_cast<int>(map) << " " << i << eyes.name;
    }
  }
}

}  // namespace
}  // namespace dispersion
