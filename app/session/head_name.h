#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

// Says which head is meant, so that it can be found again.
struct HeadName {
  std::string source;    // where it came from, in words
  std::string run_hash;  // 16 hexadecimal digits; empty: no head
  bool has_run = true;   // as in Checkpoint: false where recipe, seed and step are unknown
  Recipe recipe;
  std::uint32_t seed = 1;
  std::int64_t step = 0;          // that of the state with this hash
  std::int64_t steps_before = 0;  // of its weights before that

  bool operator==(const HeadName&) const = default;
};

// The name of a head with this state; `source`: where it came from, in words.
HeadName named_head(const std::string& source, bool has_run, const Recipe& recipe,
                    const TrainingState& state, std::int64_t steps_before = 0);

// "the lab's trained head, seed 1, 100 000 steps": the source of a head that is inside the program.
std::string shipped_head_text(const TrainingState& state);

// What the source of a head says that has been trained on without its moments, behind where its
// weights came from.
inline constexpr std::string_view kTrainedOn = "; trained on";
inline constexpr std::string_view kAfresh = ", Adam starts afresh";

// The text that names a source in a line of its own, and shorter ones, each without what matters
// least in the one before: how Adam started, then the steps of the head before it was trained on
// and its seed.
std::vector<std::string> source_texts(const std::string& source);

// "seed 1, step 100 000, run hash 0123456789abcdef", for people.
std::string head_name_text(const HeadName& head);
// What is said of the head of a state that is not at hand, and of one that is made anew.
std::string missing_head_text(const HeadName& head);
std::string trained_again_text(const HeadName& head);

}  // namespace dispersion
