#include "app/commands/dispersion_frames.h"

#include <utility>

namespace dispersion {

DispersionFrames dispersion_frames(Backend& backend, const Parameters<float>& parameters,
                                   std::span<const int> sizes) {
  DispersionFrames frames;
  for (const int size : sizes) {
    const ItemSets sets = frame_sets(kFigureSetSeed, size);
    std::vector<float> logits;
    backend.attention_logits(parameters, sets.view(), logits);
    const FrameLogits frame = make_frame_logits(sets, std::move(logits));
    frames.plain.push_back(apply_map(frame, {MapKind::kSoftmax, 1, AdaptiveRule()}));
    frames.adaptive.push_back(apply_map(frame, {MapKind::kAdaptive, 1, AdaptiveRule()}));
  }
  return frames;
}

}  // namespace dispersion
