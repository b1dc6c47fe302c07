#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/figure/figure.h"

namespace dispersion {

// What the values of a figure are called in its JSON.
template <class Value, std::size_t kCount>
using Names = std::array<std::pair<Value, std::string_view>, kCount>;

template <class Value>
inline constexpr int kNames = 0;

template <>
inline constexpr Names<ColourRole, 8> kNames<ColourRole> = {{{ColourRole::kBaseline, "baseline"},
                                                             {ColourRole::kAdaptive, "adaptive"},
                                                             {ColourRole::kNeutral, "neutral"},
                                                             {ColourRole::kReference, "reference"},
                                                             {ColourRole::kThird, "third"},
                                                             {ColourRole::kFourth, "fourth"},
                                                             {ColourRole::kFifth, "fifth"},
                                                             {ColourRole::kSixth, "sixth"}}};

template <>
inline constexpr Names<Mark, 6> kNames<Mark> = {{{Mark::kDisc, "disc"},
                                                 {Mark::kRing, "ring"},
                                                 {Mark::kSquare, "square"},
                                                 {Mark::kTriangle, "triangle"},
                                                 {Mark::kDiamond, "diamond"},
                                                 {Mark::kCross, "cross"}}};

template <>
inline constexpr Names<LineStyle, 3> kNames<LineStyle> = {
    {{LineStyle::kSolid, "solid"}, {LineStyle::kDashed, "dashed"}, {LineStyle::kNone, "none"}}};

template <>
inline constexpr Names<ColourScale, 3> kNames<ColourScale> = {
    {{ColourScale::kLinear, "linear"},
     {ColourScale::kSquareRoot, "square root"},
     {ColourScale::kLogarithmic, "logarithmic"}}};

template <>
inline constexpr Names<ColourMap, 3> kNames<ColourMap> = {{{ColourMap::kViridis, "viridis"},
                                                           {ColourMap::kCividis, "cividis"},
                                                           {ColourMap::kMagma, "magma"}}};

template <class Value>
std::string_view name_of(Value value) {
  return std::ranges::find(kNames<Value>, value, [](const auto& pair) { return pair.first; })
      ->second;
}

}  // namespace dispersion
