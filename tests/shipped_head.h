#pragma once

#include <string>

#include "core/io/checkpoint.h"

namespace dispersion {

// The heads that come with the program, by the seed that they were trained with, from 1 to 10.
inline TrainingState shipped_state(int seed) {
  return load_checkpoint(DISPERSION_HEADS_DIR "/seed" + std::to_string(seed) + ".safetensors")
      .state;
}

// The first of them.
inline const Parameters<float>& shipped_head() {
  static const Parameters<float> head = shipped_state(1).parameters;
  return head;
}

}  // namespace dispersion
