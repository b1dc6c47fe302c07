#include "core/experiment/dispersion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/attention/transforms.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

// An item among the largest of its set.
struct Ranked {
  float priority = 0;
  std::int32_t index = 0;
};

// Fills `largest` with the largest priorities of a set in descending order. Among equal priorities
// the smaller index comes first, so that the class of the first item is the label. The scan inserts
// item by item, which is fast because nearly every item fails the first comparison.
void largest_priorities(std::span<const float> priority, std::span<Ranked> largest) {
  std::size_t filled = 0;
  for (std::size_t item = 0; item < priority.size(); ++item) {
    const float value = priority[item];
    if (filled == largest.size() && !(value > largest.back().priority)) continue;
    std::size_t place = filled < largest.size() ? filled++ : filled - 1;
    for (; place > 0 && value > largest[place - 1].priority; --place) {
      largest[place] = largest[place - 1];
    }
    largest[place] = {value, static_cast<std::int32_t>(item)};
  }
}

double spread(std::span<const float> logits) {
  const auto [low, high] = std::minmax_element(logits.begin(), logits.end());
  return static_cast<double>(*high) - static_cast<double>(*low);
}

}  // namespace

ItemSets frame_sets(std::uint32_t seed, int items) {
  ItemSets sets;
  sets.resize(kFrameSets, items);
  draw_item_sets(seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
  return sets;
}

FrameLogits make_frame_logits(const ItemSets& sets, std::vector<float> logits,
                              LearnedValues<float> learned) {
  const std::size_t items = static_cast<std::size_t>(sets.items);
  if (sets.sets != kFrameSets || logits.size() != kFrameSets * items) {
    throw std::invalid_argument("a frame needs 32 sets and one logit per item");
  }
  FrameLogits frame;
  frame.items = sets.items;
  frame.columns = std::min(kFrameItems, sets.items);
  frame.logits = std::move(logits);
  frame.learned_tensors = learned.tensors;
  frame.learned.assign(learned.values.begin(), learned.values.end());
  const std::size_t columns = static_cast<std::size_t>(frame.columns);
  frame.shown.resize(kFrameSets * columns);
  frame.shown_priority.resize(kFrameSets * columns);
  frame.shown_class.resize(kFrameSets * columns);
  std::array<Ranked, kFrameItems> largest;
  for (std::size_t set = 0; set < kFrameSets; ++set) {
    largest_priorities(std::span(sets.priority).subspan(set * items, items),
                       std::span(largest).first(columns));
    for (std::size_t rank = 0; rank < columns; ++rank) {
      const std::size_t cell = set * columns + (columns - 1 - rank);
      const std::size_t item = static_cast<std::size_t>(largest[rank].index);
      frame.shown[cell] = largest[rank].index;
      frame.shown_priority[cell] = largest[rank].priority;
      frame.shown_class[cell] = sets.item_class[set * items + item];
    }
  }
  return frame;
}

std::vector<AttentionFrame> apply_transforms(const FrameLogits& frame,
                                             std::span<const AttentionTransform> transforms) {
  const std::size_t items = static_cast<std::size_t>(frame.items);
  const std::size_t columns = static_cast<std::size_t>(frame.columns);
  std::vector<AttentionFrame> frames(transforms.size());
  for (std::size_t t = 0; t < transforms.size(); ++t) {
    validate(transforms[t]);
    frames[t].items = frame.items;
    frames[t].columns = frame.columns;
    frames[t].transform = transforms[t];
    frames[t].weights.resize(kFrameSets * columns);
  }
  // One set at a time, so that its weights stay in the cache; only the weights of the shown items
  // are kept.
  std::vector<float> weights(transforms.size() * items);
  std::vector<TransformResult> results(transforms.size());
  for (std::size_t set = 0; set < kFrameSets; ++set) {
    const std::span<const float> logits = std::span(frame.logits).subspan(set * items, items);
    attention_weights<float>(
        {logits.data(), 1, items, nullptr, {frame.learned_tensors, frame.learned}}, transforms,
        weights.data(), results);
    const double logit_spread = spread(logits);
    for (std::size_t t = 0; t < transforms.size(); ++t) {
      AttentionFrame& to = frames[t];
      for (std::size_t cell = set * columns; cell < (set + 1) * columns; ++cell)
        to.weights[cell] = weights[t * items + static_cast<std::size_t>(frame.shown[cell])];
      const double theta = transforms[t].theta / results[t].beta;
      to.entropy.push_back(static_cast<float>(results[t].entropy));
      to.theta.push_back(static_cast<float>(theta));
      to.logit_spread.push_back(static_cast<float>(logit_spread));
      to.mean_weight_on_max +=
          static_cast<double>(to.weights[(set + 1) * columns - 1]) / kFrameSets;
      to.mean_entropy += results[t].entropy / kFrameSets;
      to.mean_theta += theta / kFrameSets;
      to.mean_logit_spread += logit_spread / kFrameSets;
    }
  }
  return frames;
}

AttentionFrame apply_transform(const FrameLogits& frame, const AttentionTransform& transform) {
  return apply_transforms(frame, {&transform, 1}).front();
}

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
    std::vector<AttentionFrame> frames = apply_transforms(
        make_frame_logits(sets, std::move(logits), parameters.learned()), transforms);
    for (std::size_t t = 0; t < all.size(); ++t)
      all[t].frames.push_back(std::move(frames[t]));
  }
  return all;
}

std::string frame_sets_text() {
  return std::to_string(kFrameSets) + " of every size, seed " + std::to_string(kFigureSetSeed);
}

}  // namespace dispersion
