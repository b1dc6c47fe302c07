// Whether the colours of window and figures are told apart by everybody, and text can be read.

#include "app/palette/palette.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "app/palette/value_colour.h"
#include "core/attention/transforms.h"
#include "core/figure/signed_values.h"
#include "tests/export/colour_vision.h"

namespace dispersion {
namespace {

// From this difference on, two colours are plainly different side by side.
constexpr double kApart = 10;

struct Named {
  std::string name;
  Colour colour;
};

struct NamedPalette {
  std::string name;
  Palette palette;
};
const std::array<NamedPalette, 4> kPalettes = {{{"dark", kDarkPalette},
                                                {"light", kLightPalette},
                                                {"print", kPrintPalette},
                                                {"high contrast", kContrastPalette}}};

std::vector<Named> series(const Palette& p) {
  return {{"baseline", p.baseline}, {"adaptive", p.adaptive}, {"muted", p.muted},
          {"text", p.text},         {"violet", p.violet},     {"green", p.green},
          {"ochre", p.ochre},       {"sixth", p.sixth}};
}

void expect_apart(const NamedPalette& palette, const std::vector<Named>& all, const Eyes& eyes) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(difference(all[i].colour, all[j].colour, eyes), kApart)
          << palette.name << ": " << all[i].name << " and " << all[j].name << ", " << eyes.name;
    }
  }
}

// Table 1 of Sharma, Wu and Dalal, which visits every branch of the formula.
TEST(ColourVision, CIEDE2000IsThatOfThePublishedPairs) {
  struct Pair {
    LabColour first;
    LabColour second;
    double difference;
  };
  // clang-format off
  constexpr std::array<Pair, 34> kPairs = {{
    {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
    {{50, 3.1571, -77.2803}, {50, 0, -82.7485}, 2.8615},
    {{50, 2.8361, -74.0200}, {50, 0, -82.7485}, 3.4412},
    {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
    {{50, -1.1848, -84.8006}, {50, 0, -82.7485}, 1.0000},
    {{50, -0.9009, -85.5211}, {50, 0, -82.7485}, 1.0000},
    {{50, 0, 0}, {50, -1, 2}, 2.3669},
    {{50, -1, 2}, {50, 0, 0}, 2.3669},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}, 7.1792},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0010}, 7.1792},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0011}, 7.2195},
    {{50, 2.4900, -0.0010}, {50, -2.4900, 0.0012}, 7.2195},
    {{50, -0.0010, 2.4900}, {50, 0.0009, -2.4900}, 4.8045},
    {{50, -0.0010, 2.4900}, {50, 0.0010, -2.4900}, 4.8045},
    {{50, -0.0010, 2.4900}, {50, 0.0011, -2.4900}, 4.7461},
    {{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
    {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
    {{50, 2.5, 0}, {61, -5, 29}, 22.8977},
    {{50, 2.5, 0}, {56, -27, -3}, 31.9030},
    {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
    {{50, 2.5, 0}, {50, 3.1736, 0.5854}, 1.0000},
    {{50, 2.5, 0}, {50, 3.2972, 0}, 1.0000},
    {{50, 2.5, 0}, {50, 1.8634, 0.5757}, 1.0000},
    {{50, 2.5, 0}, {50, 3.2592, 0.3350}, 1.0000},
    {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
    {{63.0109, -31.0961, -5.8663}, {62.8187, -29.7946, -4.0864}, 1.2630},
    {{61.2901, 3.7196, -5.3901}, {61.4292, 2.2480, -4.9620}, 1.8731},
    {{35.0831, -44.1164, 3.7933}, {35.0232, -40.0716, 1.5901}, 1.8645},
    {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
    {{36.4612, 47.8580, 18.3852}, {36.2715, 50.5065, 21.2231}, 1.4146},
    {{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
    {{90.9257, -0.5406, -0.9208}, {88.6381, -0.8985, -0.7239}, 1.5381},
    {{6.7747, -0.2908, -2.4247}, {5.8714, -0.0985, -2.2286}, 0.6377},
    {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
  }};
  // clang-format on
  for (const Pair& pair : kPairs) {
    EXPECT_NEAR(ciede2000(pair.first, pair.second), pair.difference, 5.1e-5);
    EXPECT_NEAR(ciede2000(pair.second, pair.first), pair.difference, 5.1e-5);
  }
}

TEST(ColourVision, TheColoursOfSRGBAreWhereTheyArePublished) {
  const LabColour red = seen(rgb(0xFF0000), kEyes[0]);
  EXPECT_NEAR(red.l, 53.24, 0.05);
  EXPECT_NEAR(red.a, 80.09, 0.1);
  EXPECT_NEAR(red.b, 67.20, 0.1);
  EXPECT_NEAR(seen(rgb(0xFFFFFF), kEyes[0]).l, 100, 0.01);
  EXPECT_NEAR(contrast(rgb(0xFFFFFF), rgb(0x000000)), 21, 1e-9);
  EXPECT_NEAR(contrast(rgb(0x777777), rgb(0xFFFFFF)), 4.48, 0.005);
  // Red and green of one lightness are what deuteranopes do not tell apart.
  EXPECT_GT(difference(rgb(0xB05050), rgb(0x608030), kEyes[0]), 40);
  EXPECT_LT(difference(rgb(0xB05050), rgb(0x608030), kEyes[2]), 20);
  EXPECT_LT(difference(rgb(0xB05050), rgb(0x608030), kGreyPrint), 10);
}

TEST(Palette, EveryEyeTellsAllCurvesApart) {
  for (const NamedPalette& palette : kPalettes) {
    std::vector<Named> all = series(palette.palette);
    all.push_back({"panel", palette.palette.panel});
    for (const Eyes& eyes : kEyes)
      expect_apart(palette, all, eyes);
  }
}

// Lightness alone has room for few greys that differ so much and can be read on the panel: further
// curves have marks of their own.
TEST(Palette, InGreyTheCurvesOfTheStoryAreToldApart) {
  for (const NamedPalette& palette : kPalettes) {
    const Palette& p = palette.palette;
    std::vector<Named> all = {
        {"panel", p.panel}, {"text", p.text}, {"baseline", p.baseline}, {"adaptive", p.adaptive}};
    // Above a contrast of 7 there is no room for a fourth grey.
    if (palette.name != "high contrast") all.push_back({"muted", p.muted});
    expect_apart(palette, all, kGreyPrint);
  }
}

TEST(Palette, TransformsOfTheSameGreyHaveMarksOfTheirOwn) {
  const auto definitions = transform_definitions();
  for (const NamedPalette& palette : kPalettes) {
    for (std::size_t i = 0; i < definitions.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Colour first = role_colour(palette.palette, definitions[i]->colour);
        const Colour second = role_colour(palette.palette, definitions[j]->colour);
        if (difference(first, second, kGreyPrint) >= kApart) continue;
        EXPECT_NE(definitions[i]->mark, definitions[j]->mark)
            << palette.name << ": " << definitions[i]->name << " and " << definitions[j]->name;
      }
    }
  }
}

// What is done and what has failed: the two accents of notices.
TEST(Palette, EveryEyeTellsSuccessFromFailure) {
  for (const NamedPalette& palette : kPalettes) {
    const Palette& p = palette.palette;
    const std::vector<Named> all = {{"good", p.good}, {"adaptive", p.adaptive}, {"panel", p.panel}};
    for (const Eyes& eyes : kEyes)
      expect_apart(palette, all, eyes);
    expect_apart(palette, all, kGreyPrint);
  }
}

// WCAG 2.2 asks for 4.5 for text (1.4.3) and 3 for graphics (1.4.11).
TEST(Palette, TextCanBeRead) {
  for (const auto& [name, p] : kPalettes) {
    for (const Colour colour : {p.text, p.muted}) {
      for (const Colour ground : {p.background, p.panel, p.raised})
        EXPECT_GE(contrast(colour, ground), 4.5) << name;
    }
    for (const auto& [role, colour] : series(p))
      EXPECT_GE(contrast(colour, p.panel), 3) << name << ": " << role;
  }
}

// The highest level of WCAG (1.4.6) asks for 7, here for text of every colour on every ground.
TEST(Palette, InHighContrastEveryTextHasAContrastOfSeven) {
  const Palette& p = kContrastPalette;
  std::vector<Named> all = series(p);
  all.push_back({"good", p.good});
  for (const auto& [role, colour] : all) {
    for (const Colour ground : {p.background, p.panel, p.raised})
      EXPECT_GE(contrast(colour, ground), 7) << role;
  }
  // Buttons under the pointer, the chosen one of several segments, and primary buttons.
  EXPECT_GE(contrast(p.text, p.line), 7);
  EXPECT_GE(contrast(p.text, mix(p.line, p.muted, 0.15F)), 7);
}

// Less, nothing and more are told apart by everybody, and a size from a smaller one by lightness.
TEST(DivergingColours, AreToldApartByEveryEyeAndAreAsLightOnBothSides) {
  for (const NamedPalette& palette : kPalettes) {
    const auto at = [&](double position) { return diverging_colour(position, palette.palette); };
    for (const Eyes& eyes : kEyes) {
      for (const double size : {0.2, 0.5}) {
        const Colour less = at(0.5 - size);
        const Colour more = at(0.5 + size);
        EXPECT_GE(difference(less, more, eyes), kApart) << palette.name << size << eyes.name;
        EXPECT_GE(difference(less, at(0.5), eyes), kApart) << palette.name << size << eyes.name;
        EXPECT_GE(difference(more, at(0.5), eyes), kApart) << palette.name << size << eyes.name;
      }
    }
    const auto lightness = [&](double position) { return seen(at(position), kEyes[0]).l; };
    const double sign = lightness(0) > lightness(0.5) ? 1 : -1;
    for (double size = 0.05; size <= 0.5; size += 0.05) {
      EXPECT_NEAR(lightness(0.5 - size), lightness(0.5 + size), 3) << palette.name << size;
      for (const double side : {-1.0, 1.0}) {
        const double step = lightness(0.5 + side * size) - lightness(0.5 + side * (size - 0.05));
        EXPECT_GT(sign * step, 1) << palette.name << side * size;
      }
    }
  }
}

// A surface or a map where nothing differs looks like the ground it lies on, and not like a lamp.
TEST(DivergingColours, HaveTheGroundInTheirMiddle) {
  for (const NamedPalette& palette : kPalettes) {
    const LabColour middle = seen(diverging_colour(0.5, palette.palette), kEyes[0]);
    const LabColour panel = seen(palette.palette.panel, kEyes[0]);
    EXPECT_LT(std::abs(middle.l - panel.l), 12) << palette.name;
    const LabColour raised = seen(palette.palette.raised, kEyes[0]);
    EXPECT_LE(std::hypot(middle.a, middle.b), std::hypot(raised.a, raised.b) + 1) << palette.name;
  }
}

TEST(DivergingColours, AreForSignedDataOnly) {
  FieldPlot field;
  HeatmapGrid grid;
  for (const auto& [low, high, diverging] :
       {std::tuple(-1.0, 1.0, true), {0.0, 1.0, false}, {-1.0, 2.0, false}, {-1.0, 0.0, false}}) {
    field.low = grid.low = low;
    field.high = grid.high = high;
    EXPECT_EQ(has_sign(low, high), diverging);
    for (const double position : {0.0, 0.3, 1.0}) {
      const Colour signed_one = diverging_colour(position, kDarkPalette);
      EXPECT_EQ(value_colour(field, position, kDarkPalette) == signed_one, diverging);
      EXPECT_EQ(value_colour(grid, position, kDarkPalette) == signed_one, diverging);
    }
    // What is no number is grey in all of them.
    EXPECT_EQ(value_colour(field, -1, kDarkPalette), viridis(-1));
  }
}

// Neighbours 32 steps apart on a map differ for every eye, and by lightness alone.
TEST(ColourMaps, AreToldApartByEveryEye) {
  for (const ColourMap map : {ColourMap::kViridis, ColourMap::kCividis, ColourMap::kMagma}) {
    for (int i = 0; i + 32 < 256; i += 8) {
      const Colour a = map_colour(map, i / 255.0), b = map_colour(map, (i + 32) / 255.0);
      EXPECT_GT(seen(b, kEyes[0]).l - seen(a, kEyes[0]).l, 4) << i;
      for (const Eyes& eyes : kEyes)
        EXPECT_GT(difference(a, b, eyes), 5) << static_cast<int>(map) << " " << i << eyes.name;
    }
  }
}

}  // namespace
}  // namespace dispersion
