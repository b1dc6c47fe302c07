#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/attention/attention_transform.h"
#include "core/backend.h"

namespace dispersion {

// Figures 2 and 7: attention on the 16 items with the largest priorities, in 32 sets. Each size has
// one frame.
inline constexpr int kFrameSets = 32;
inline constexpr int kFrameItems = 16;

// The logits of one frame, kept so that a change of theta or of the rule needs no forward pass.
struct FrameLogits {
  int items = 0;              // n
  std::vector<float> logits;  // of all items, [kFrameSets, items]
  // The shown items, which have the largest priorities, in ascending order, so that the maximum is
  // the rightmost column:
  std::vector<std::int32_t> shown;        // index of the item in its set, [kFrameSets, columns]
  std::vector<float> shown_priority;      // [kFrameSets, columns]
  std::vector<std::uint8_t> shown_class;  // [kFrameSets, columns]
  int columns = 0;                        // min(16, n)
  // What the head learned for the transform that it was trained with (LearnedValues).
  std::span<const LearnedTensor> learned_tensors = {};
  std::vector<float> learned = {};
};

// A frame under one transform.
struct AttentionFrame {
  int items = 0;
  int columns = 0;
  AttentionTransform transform;
  std::vector<float> weights;       // [kFrameSets, columns]
  std::vector<float> entropy;       // of the transform's weights, nats, [kFrameSets]
  std::vector<float> theta;         // effective temperature theta / beta, [kFrameSets]
  std::vector<float> logit_spread;  // [kFrameSets]
  // Means over the sets:
  double mean_weight_on_max = 0;
  double mean_entropy = 0;  // of the transform's weights, nats
  double mean_theta = 0;
  double mean_logit_spread = 0;
};

// The frames of one transform, one per size; a frame that is not computed yet has items == 0.
struct TransformFrames {
  AttentionTransform transform;
  std::vector<AttentionFrame> frames;
};

// The sets of a frame: the first kFrameSets evaluation sets of this seed and size.
ItemSets frame_sets(std::uint32_t seed, int items);

// Chooses the shown items and keeps the logits, [kFrameSets, items]. Throws std::invalid_argument
// for other numbers of sets or logits.
FrameLogits make_frame_logits(const ItemSets& sets, std::vector<float> logits,
                              LearnedValues<float> learned = {});

// The frame under each transform, in the order of the transforms.
std::vector<AttentionFrame> apply_transforms(const FrameLogits& frame,
                                             std::span<const AttentionTransform> transforms);
AttentionFrame apply_transform(const FrameLogits& frame, const AttentionTransform& transform);

// The seed of the sets in figures of one head.
inline constexpr std::uint32_t kFigureSetSeed = 1;

// Figures 2 and 7 of a head: for every transform one frame per size.
std::vector<TransformFrames> dispersion_frames(Backend& backend,
                                               const Parameters<float>& parameters,
                                               std::span<const int> sizes,
                                               std::span<const AttentionTransform> transforms);

// "32 of every size, seed 1": for the provenance of these figures.
std::string frame_sets_text();

}  // namespace dispersion
