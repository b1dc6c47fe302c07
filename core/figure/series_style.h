#pragma once

namespace dispersion {

// Which colour a thing has; the painters own the palette.
enum class ColourRole {
  kBaseline,
  kAdaptive,
  kNeutral,
  kReference,  // what the paper prints, or what a theorem says
  kThird,      // further curves, where a plot compares more than two
  kFourth,
  kFifth,
  kSixth,
};

enum class LineStyle { kSolid, kDashed, kNone };

// What stands at the points of a curve. Only the disc is filled: what lies under another can be
// seen.
enum class Mark { kDisc, kRing, kSquare, kTriangle, kDiamond, kCross };

}  // namespace dispersion
