#pragma once

#include <limits>

namespace dispersion {

// How far a number may be from the truth t of a tensor whose largest magnitude is `scale`:
// absolute + of_value |t| + of_scale scale, and never more than cap_of_scale scale.
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

// Every tolerance of `verify`. Source, unless said otherwise: the table "Float32 against float64,
// and tolerances to use" of the golden folder's README. It holds for a float32 program.
namespace tolerance {

inline constexpr Tolerance kFreshForward = {.of_scale = 5e-6};
inline constexpr Tolerance kFreshLoss = {.absolute = 2e-6};
inline constexpr Tolerance kFreshGradient = {.of_scale = 1e-5};
inline constexpr Tolerance kFreshKeyBiasGradient = {.absolute = 1e-8};

inline constexpr Tolerance kAdamLoss = {.absolute = 2e-6};
inline constexpr Tolerance kAfterSteps = {.absolute = 1e-4};      // every one ...
inline constexpr Tolerance kAfterStepsMost = {.absolute = 1e-6};  // ... and 99.9 % of all
inline constexpr double kAfterStepsMostShare = 0.999;
// Adam divides the rounding noise of this gradient by its own size.
inline constexpr Tolerance kAfterStepsKeyBias = {.absolute = 5e-3};

inline constexpr Tolerance kTrainedLogits = {.absolute = 1e-4};
inline constexpr Tolerance kTrainedEntropy = {.absolute = 5e-5};
inline constexpr Tolerance kTrainedBeta = {.absolute = 1e-4};
inline constexpr Tolerance kTrainedWeights = {.absolute = 5e-5, .cap_of_scale = 1e-4};
inline constexpr Tolerance kTrainedClassLogits = {.absolute = 3e-4};
inline constexpr Tolerance kAdaptiveClassLogits = {.absolute = 5e-4};
// A margin is the difference of two class logits (ours: twice their tolerance).
inline constexpr Tolerance kTrainedMargin = {.absolute = 6e-4};
inline constexpr Tolerance kAdaptiveMargin = {.absolute = 1e-3};
// Indices are compared only where the decision is clearer than this.
inline constexpr double kClearLogitGap = 1e-3;
inline constexpr double kClearMargin = 2e-3;
inline constexpr double kClearInDouble = 1e-9;  // ours, for the float64 program

inline constexpr Tolerance kAdaptiveGradient = {.of_scale = 1e-4};
inline constexpr Tolerance kAdaptiveQueryGradient = {.of_scale = 1e-3};  // cancellation
inline constexpr Tolerance kAdaptiveKeyBiasGradient = {.absolute = 2e-6};
// Between attention and class logits the README gives no number (ours: that of the class logits).
inline constexpr Tolerance kAdaptiveValues = {.absolute = 5e-4};

inline constexpr Tolerance kCaseWeights = {.absolute = 5e-6};
inline constexpr Tolerance kCaseEntropy = {.absolute = 1e-5};
inline constexpr Tolerance kCaseBeta = {.absolute = 2e-5};
inline constexpr Tolerance kCaseGradient = {.absolute = 2e-5};
inline constexpr Tolerance kCaseSparse = {.absolute = 1e-6};
inline constexpr Tolerance kStreaming = {.absolute = 3e-5};

// A double-precision program. The README allows tensors 1e-7 of scale; since the stored truth is a
// float64 number rounded once, we hold every element to that one rounding (2^-24 of its value) plus
// what two float64 programs may differ by, and so see a change of any single element.
inline constexpr Tolerance kDoubleTensor = {.of_value = 6e-8, .of_scale = 1e-11};
// A weight is an exponential, right to its own size however small; below the smallest normal
// float32 nothing is promised.
inline constexpr Tolerance kDoubleWeights = {.absolute = 1.2e-38, .of_value = 6e-8};
inline constexpr Tolerance kDoubleScalar = {.absolute = 1e-12, .of_value = 1e-12};
// Zero but for rounding (ours: the README gives float32 numbers only).
inline constexpr Tolerance kDoubleFreshKeyBiasGradient = {.absolute = 1e-15};
inline constexpr Tolerance kDoubleKeyBiasGradient = {.absolute = 1e-13, .of_value = 6e-8};
inline constexpr Tolerance kDoubleAfterStepsKeyBias = {.absolute = 1e-6};  // noise of any size
// p-values and t.
inline constexpr Tolerance kDoubleProbability = {.of_value = 1e-8};
// Least squares by another solver, of the largest coefficient; what else a fit has (ours).
inline constexpr Tolerance kDoubleFit = {.of_scale = 1e-9};
inline constexpr Tolerance kDoubleFitSummary = {.of_value = 1e-9};
// exp of a logit spread: its rounding, near 1e-14, is relative here (ours).
inline constexpr Tolerance kDoubleExponential = {.of_value = 1e-10};

// Numbers about the folder's float32 results, made again from its tensors (ours): they are
// differences of nearly equal numbers, so they carry the float64 rounding of those, and one float32
// rounding where the difference was taken before the result was rounded for storing.
inline constexpr Tolerance kMeasured = {.absolute = 1e-13, .of_value = 1e-5};
inline constexpr double kRoundingOfScale = 6e-8;

}  // namespace tolerance
}  // namespace dispersion
