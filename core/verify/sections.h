#pragma once

#include "core/verify/golden_folder.h"
#include "core/verify/report.h"

namespace dispersion {

// The parts of a golden folder, each recomputed from the folder's own inputs: shapes, sizes,
// numbers of sets, steps and cases, and the recipe are read, not known. Nothing thrown: what is
// missing or malformed is a row that failed.
void verify_meta(GoldenFolder& folder, VerifyReport& report);
void verify_forward_backward(GoldenFolder& folder, VerifyReport& report);
void verify_adam(GoldenFolder& folder, VerifyReport& report);
void verify_trained(GoldenFolder& folder, VerifyReport& report);
void verify_adaptive_backward(GoldenFolder& folder, VerifyReport& report);
void verify_softmax_cases(GoldenFolder& folder, VerifyReport& report);
void verify_streaming(GoldenFolder& folder, VerifyReport& report);
void verify_polynomial(GoldenFolder& folder, VerifyReport& report);
void verify_statistics(GoldenFolder& folder, VerifyReport& report);
void verify_power_series(GoldenFolder& folder, VerifyReport& report);
void verify_bounds(GoldenFolder& folder, VerifyReport& report);

}  // namespace dispersion
