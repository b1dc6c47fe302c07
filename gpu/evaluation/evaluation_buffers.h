#pragma once

#include <span>
#include <vector>

#include "core/task/item_sets.h"
#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/kept_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Device memory of one call to the evaluation's kernels, in memory that is kept between calls, and
// where its results arrive.
class EvaluationBuffers {
 public:
  // Few enough sets that their memory stays below 1.5 GB. Nearly all of that is moments, where the
  // tables have the most cells and there are kMostTransforms; mostly it is far less.
  static int sets_at_once(int items);
  // What one set takes on the device, in bytes; so many sets take so many times that, or less.
  static std::size_t bytes_of_set(const EvaluationHead& head, int items, int transforms);

  EvaluationBuffers(const EvaluationHead& head, const EvaluationSets& sets,
                    const EvaluationTransforms& transforms, KeptMemory& kept);
  EvaluationBuffers(const EvaluationBuffers&) = delete;
  EvaluationBuffers& operator=(const EvaluationBuffers&) = delete;
  ~EvaluationBuffers() { kept_.end_call(); }

  const EvaluationMemory& memory() const { return memory_; }
  void* moments() const { return memory_.moments; }
  std::size_t moment_bytes() const { return moment_bytes_; }

  void fetch(Stream& stream);
  const SetResult* results() const { return results_.data(); }
  const TransformScore* transform_results() const { return transform_results_.data(); }

 private:
  KeptMemory& kept_;
  EvaluationMemory memory_{};
  std::size_t moment_bytes_ = 0;
  std::vector<SetResult> results_;
  std::vector<TransformScore> transform_results_;
};

// Given sets on the device, with room for their logits if asked for.
class GivenSets {
 public:
  GivenSets(const ItemSetsView& sets, bool with_logits, KeptMemory& kept, Stream& stream);
  GivenSets(const GivenSets&) = delete;
  GivenSets& operator=(const GivenSets&) = delete;
  ~GivenSets() { kept_.end_call(); }

  static std::size_t bytes_of_set(int items, bool with_logits);

  const EvaluationSets& sets() const { return sets_; }
  float* logits() const { return logits_; }
  void fetch_logits(std::span<float> to, Stream& stream) const;

 private:
  KeptMemory& kept_;
  EvaluationSets sets_;
  float* logits_ = nullptr;
};

}  // namespace dispersion
