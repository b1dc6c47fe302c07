#pragma once

#include <limits>

namespace dispersion {

// The allowed error of a number whose reference value has this magnitude, in a tensor whose largest
// magnitude is `scale`: absolute + of_value * magnitude + of_scale * scale, but at most
// cap_of_scale * scale.
struct Tolerance {
  static constexpr double kNoCap = std::numeric_limits<double>::infinity();

  double absolute = 0;
  double of_value = 0;
  double of_scale = 0;
  double cap_of_scale = kNoCap;

  constexpr double limit(double magnitude, double scale) const {
    const double sum = absolute + of_value * magnitude + of_scale * scale;
    return sum < cap_of_scale * scale || cap_of_scale == kNoCap ? sum : cap_of_scale * scale;
  }
};

// Every tolerance of `verify`, for float32 results unless the name has Double. Source: the table
// "Float32 against float64, and tolerances to use" in the README of the golden folder, except where
// a comment says "ours".
namespace tolerance {

inline constexpr Tolerance kFreshForward = {.of_scale = 5e-6};
inline constexpr Tolerance kFreshLoss = {.absolute = 2e-6};
inline constexpr Tolerance kFreshGradient = {.of_scale = 1e-5};
inline constexpr Tolerance kFreshKeyBiasGradient = {.absolute = 1e-8};

inline constexpr Tolerance kAdamLoss = {.absolute = 2e-6};
inline constexpr Tolerance kAfterSteps = {.absolute = 1e-4};      // for every parameter,
inline constexpr Tolerance kAfterStepsMost = {.absolute = 1e-6};  // and for 99.9 % of them
inline constexpr double kAfterStepsMostShare = 0.999;
// The gradient of the key bias is rounding noise, which Adam divides by its own size.
inline constexpr Tolerance kAfterStepsKeyBias = {.absolute = 5e-3};

inline constexpr Tolerance kTrainedLogits = {.absolute = 1e-4};
inline constexpr Tolerance kTrainedEntropy = {.absolute = 5e-5};
inline constexpr Tolerance kTrainedBeta = {.absolute = 1e-4};
inline constexpr Tolerance kTrainedWeights = {.absolute = 5e-5, .cap_of_scale = 1e-4};
inline constexpr Tolerance kTrainedClassLogits = {.absolute = 3e-4};
inline constexpr Tolerance kAdaptiveClassLogits = {.absolute = 5e-4};
// A margin is the difference of two class logits (ours: twice the tolerance of those).
inline constexpr Tolerance kTrainedMargin = {.absolute = 6e-4};
inline constexpr Tolerance kAdaptiveMargin = {.absolute = 1e-3};
// Indices are compared only where the gap between the two largest values exceeds this.
inline constexpr double kClearLogitGap = 1e-3;
inline constexpr double kClearMargin = 2e-3;
inline constexpr double kClearInDouble = 1e-9;  // ours, for float64

inline constexpr Tolerance kAdaptiveGradient = {.of_scale = 1e-4};
inline constexpr Tolerance kAdaptiveQueryGradient = {.of_scale = 1e-3};  // it suffers cancellation
inline constexpr Tolerance kAdaptiveKeyBiasGradient = {.absolute = 2e-6};
// The README has no tolerance for what lies between attention and class logits (ours: that of the
// class logits).
inline constexpr Tolerance kAdaptiveValues = {.absolute = 5e-4};

inline constexpr Tolerance kCaseWeights = {.absolute = 5e-6};
inline constexpr Tolerance kCaseEntropy = {.absolute = 1e-5};
inline constexpr Tolerance kCaseBeta = {.absolute = 2e-5};
inline constexpr Tolerance kCaseGradient = {.absolute = 2e-5};
inline constexpr Tolerance kCaseSparse = {.absolute = 1e-6};
inline constexpr Tolerance kStreaming = {.absolute = 3e-5};

// For double precision the README allows an error of 1e-7 of the scale. The reference value is a
// float64 number that was rounded once to float32, so we allow every element only that rounding
// (2^-24 of its value) and the difference between two float64 programs; this reveals a change of
// any single element.
inline constexpr Tolerance kDoubleTensor = {.of_value = 6e-8, .of_scale = 1e-11};
// A weight is an exponential, whose relative error is small however small it is. Below the smallest
// normal float32 number nothing is required.
inline constexpr Tolerance kDoubleWeights = {.absolute = 1.2e-38, .of_value = 6e-8};
inline constexpr Tolerance kDoubleScalar = {.absolute = 1e-12, .of_value = 1e-12};
// This gradient is 0 apart from rounding (ours: the README has float32 tolerances only).
inline constexpr Tolerance kDoubleFreshKeyBiasGradient = {.absolute = 1e-15};
inline constexpr Tolerance kDoubleKeyBiasGradient = {.absolute = 1e-13, .of_value = 6e-8};
inline constexpr Tolerance kDoubleAfterStepsKeyBias = {.absolute = 1e-6};  // noise, as above
// For p-values and t.
inline constexpr Tolerance kDoubleProbability = {.of_value = 1e-8};
// For the coefficients of a least-squares fit by another solver, relative to the largest one, and
// for the other results of a fit (ours).
inline constexpr Tolerance kDoubleFit = {.of_scale = 1e-9};
inline constexpr Tolerance kDoubleFitSummary = {.of_value = 1e-9};
// For the exponential of a logit spread, whose rounding error of about 1e-14 becomes a relative
// error of the exponential (ours).
inline constexpr Tolerance kDoubleExponential = {.of_value = 1e-10};

// For numbers about the errors of the folder's float32 results, recomputed from its tensors (ours).
// They are differences of nearly equal numbers, so they have the float64 rounding errors of those,
// and that of one float32 rounding where the folder took the difference before it rounded the
// result for storing.
inline constexpr Tolerance kMeasured = {.absolute = 1e-13, .of_value = 1e-5};
inline constexpr double kRoundingOfScale = 6e-8;

}  // namespace tolerance
}  // namespace dispersion
