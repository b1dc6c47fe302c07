#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/backend.h"
#include "gpu/evaluation/device_head.h"

namespace dispersion {

// Evaluates heads on the device, in fp32. Keeps the tables of the last head. Throws CudaError.
class CudaEvaluator {
 public:
  explicit CudaEvaluator(DeviceUse use = DeviceUse::kForeground) : stream_(use) {}

  // Draws the sets where they are needed; `labels` is set to theirs, [sets].
  SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                               std::span<const AttentionTransform> transforms, HeadPath path,
                               std::vector<std::int32_t>& labels);

  // Of sets that are given: sets `logits` to their attention logits, [sets, items], and computes
  // nothing else.
  void attention_logits(const Parameters<float>& head, const ItemSetsView& given,
                        std::vector<float>& logits);

  // Of sets that are given; `logits`, if not null, is set to the attention logits, [sets, items].
  SetEvaluation evaluate(const Parameters<float>& head, const ItemSetsView& given,
                         std::span<const AttentionTransform> transforms,
                         std::vector<float>* logits);

 private:
  const DeviceHead& prepare(const Parameters<float>& head, HeadPath path);
  // The first pass, to `memory`.
  void score(const DeviceHead& head, const EvaluationMemory& memory);
  void run(const DeviceHead& head, const EvaluationSets& sets,
           std::span<const AttentionTransform> transforms, float* logits, int first,
           SetEvaluation& evaluation, std::vector<std::int32_t>* labels);

  Stream stream_;
  std::optional<Parameters<float>> parameters_;  // that the heads below are of
  SpectralPoints points_;
  std::unique_ptr<DeviceHead> spectral_;
  std::unique_ptr<DeviceHead> direct_;
};

}  // namespace dispersion
