#include "app/commands/dispersion_frames.h"

#include <utility>

namespace dispersion {

std::vector<TransformFrames> dispersion_frames(Backend& backend,
                                               const Parameters<float>& parameters,
                                               std::span<const int> sizes,
                                               std::span<const AttentionTransform> transforms) {
  std::vector<TransformFrames> all;
  for (const AttentionTransform& transform : transforms)
    all.push_back({transform, {}});
  for (const int size : sizes) {
    const ItemSets sets = frame_sets(kFigureSetSeed, size);
    std::vector<float> logits;
    backend.attention_logits(parameters, sets.view(), logits);
    std::vector<AttentionFrame> frames =
        apply_transforms(make_frame_logits(sets, std::move(logits)), transforms);
    for (std::size_t t = 0; t < all.size(); ++t)
      all[t].frames.push_back(std::move(frames[t]));
  }
  return all;
}

}  // namespace dispersion
