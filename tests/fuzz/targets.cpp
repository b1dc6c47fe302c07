#include <array>

#include "tests/fuzz/mutations.h"
#include "tests/fuzz/readers.h"

namespace dispersion::fuzz {

std::span<const Target> targets() {
  static constexpr std::array kTargets = {
      Target{"safetensors", safetensors_seeds, mutated_safetensors, check_safetensors},
      Target{"checkpoint", checkpoint_seeds, mutated_safetensors, check_checkpoint},
      Target{"recipe", recipe_seeds, mutated_json, check_recipe},
      Target{"history", history_seeds, mutated_lines, check_history},
      Target{"table", table_seeds, mutated_json, check_table},
      Target{"precision", precision_seeds, mutated_json_lines, check_precision},
      Target{"preferences", preferences_seeds, mutated_json, check_preferences},
      Target{"state", state_seeds, mutated_json, check_state},
      Target{"lesson", lesson_seeds, mutated_lines, check_lesson},
      Target{"json", json_seeds, mutated_json, check_exported},
      Target{"png", png_seeds, mutated_picture, check_exported},
      Target{"svg", svg_seeds, mutated_picture, check_exported},
      Target{"pdf", pdf_seeds, mutated_picture, check_exported},
      Target{"animation", animation_seeds, mutated_picture, check_exported},
      Target{"comments", comment_seeds, mutated_lines, check_exported},
      Target{"look", look_seeds, mutated_words, check_look},
      Target{"cases", cases_seeds, mutated_json, check_cases},
      Target{"tensor_cases", tensor_cases_seeds, mutated_safetensors, check_tensor_cases}};
  return kTargets;
}

}  // namespace dispersion::fuzz
