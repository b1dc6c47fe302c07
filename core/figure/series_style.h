#pragma once

namespace dispersion {

// What the colour of a curve stands for; the palettes in app/palette map roles to colours.
enum class ColourRole {
  kBaseline,
  kAdaptive,
  kNeutral,
  kReference,  // values from the paper or from a theorem
  kThird,      // further curves of a plot that compares more than two
  kFourth,
  kFifth,
  kSixth,
};

enum class LineStyle { kSolid, kDashed, kNone };

// The marker at the points of a curve. Only the disc is filled, so that a marker under another one
// stays visible.
enum class Mark { kDisc, kRing, kSquare, kTriangle, kDiamond, kCross };

}  // namespace dispersion
