#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/backend.h"
#include "gpu/evaluation/device_head.h"
#include "gpu/evaluation/evaluation_buffers.h"
#include "gpu/runtime/kept_memory.h"

namespace dispersion {

// Evaluates heads on the calling thread's device, in fp32. Keeps the tables of the last head, and
// device memory between calls. Throws CudaError.
class CudaEvaluator {
 public:
  explicit CudaEvaluator(DeviceUse use = DeviceUse::kForeground);

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

  // Gives back the memory that is kept between calls, but for that of the heads; the next one has
  // to ask for it again.
  void release_memory();

 private:
  const DeviceHead& prepare(const Parameters<float>& head, HeadPath path);
  int sets_at_once(int sets, int items,
                   const std::function<std::size_t(std::int64_t)>& bytes_of_set);
  // Puts given sets on the device, as many at a time as it holds, and calls use(part, first set)
  // for each part, which leaves the part's logits where `logits`, if not null, wants them.
  void for_each_part(const EvaluationHead& head, const ItemSetsView& given, std::size_t transforms,
                     std::vector<float>* logits,
                     const std::function<void(const GivenSets&, int)>& use);
  // The first pass, to `memory`.
  void score(const DeviceHead& head, const EvaluationMemory& memory);
  void run(const DeviceHead& head, const EvaluationSets& sets,
           std::span<const AttentionTransform> transforms, float* logits, int first,
           SetEvaluation& evaluation, std::vector<std::int32_t>* labels);

  std::size_t block_shared_bytes_;  // that a block may have
  int most_blocks_;                 // of a launch of long blocks
  Stream stream_;
  KeptMemory given_;                             // of sets
  KeptMemory buffers_;                           // of all else
  std::optional<Parameters<float>> parameters_;  // that the heads below are of
  SpectralPoints points_;
  KeptMemory spectral_memory_;  // of one head after the other
  KeptMemory direct_memory_;
  std::optional<DeviceHead> spectral_;
  std::optional<DeviceHead> direct_;
};

}  // namespace dispersion
