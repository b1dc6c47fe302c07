#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/backend.h"
#include "core/experiment/training_history.h"
#include "core/figure/named_value.h"
#include "core/figure/statement.h"
#include "core/head/recipe.h"

namespace dispersion {

struct RunCurves;  // core/figure/figures.h

// What figures, the window and `train` say of the training of heads.

// Of histories, which may have different last steps; those without rows count for nothing. The
// title and the sentence speak of the sets of measure_history().
Statement training_title(const std::vector<History>& histories);
Statement training_subtitle(const std::vector<History>& histories);
Statement training_sentence(const std::vector<History>& histories);

// What the curves of a run are measured on: "of each batch", or "of each batch from step 100 000
// on" with ", before: 128 sets of 16 items". Without batches it is "of 128 sets of 16 items".
struct RunSets {
  Statement of;
  Statement before;
};
RunSets run_sets(const RunCurves& curves);

// The name of the curve of a run's batches beside kEarlierName.
inline constexpr std::string_view kRunName = "this run";

// Loss and accuracy at the newest of these steps; empty without records. `of_batches`: they were
// measured on the batches of a run, else on the sets of a history. Steps are counted on from
// `steps_before`.
Statement run_sentence(const StepRecord& newest, std::int64_t steps_before, bool of_batches);

// ", 2 not finite left out", where a plot leaves out values; empty for 0.
Statement not_finite_text(std::int64_t count);

// "loss 0.4123  accuracy 97.7 %", of a batch.
Statement batch_text(const StepRecord& record);

// Loss and accuracy in the window. `newest`: the last batch; null: this run has none yet.
// `smoothed`: the accuracy of the newest batches.
std::vector<NamedValue> batch_values(const StepRecord* newest, double smoothed,
                                     const Recipe& recipe);

}  // namespace dispersion
