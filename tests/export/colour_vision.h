#pragma once

#include <array>

#include "app/palette/palette.h"

namespace dispersion {

// CIE L*a*b* (D65): lightness, red against green, yellow against blue.
struct LabColour {
  double l = 0;
  double a = 0;
  double b = 0;
};

// Who looks, or what prints: a linear map of linear sRGB.
struct Eyes {
  const char* name;
  std::array<std::array<double, 3>, 3> from_linear;
};

// Usual eyes, and those that lack one kind of cone: Machado, Oliveira and Fernandes, "A
// physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15(6), 2009,
// table 1, severity 1.
extern const std::array<Eyes, 4> kEyes;
// Luminance alone.
extern const Eyes kGreyPrint;

// The colour as these eyes see it.
LabColour seen(Colour colour, const Eyes& eyes);

// CIEDE2000 with all weights 1, after Sharma, Wu and Dalal, "The CIEDE2000 color-difference
// formula", Color Research and Application 30(1), 2005.
double ciede2000(LabColour first, LabColour second);
double difference(Colour first, Colour second, const Eyes& eyes);

// The contrast ratio of WCAG 2.2, from 1 to 21.
double contrast(Colour first, Colour second);

}  // namespace dispersion
