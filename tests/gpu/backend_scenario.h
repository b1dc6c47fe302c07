#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/experiment/sequence_backend.h"
#include "core/task/item_sets.h"
#include "gpu/cuda_backend.h"

namespace dispersion {

struct ScenarioResult {
  std::vector<float> head;     // after training
  std::vector<float> entropy;  // of all evaluations
  std::vector<float> logits;
  std::vector<float> attended;

  bool operator==(const ScenarioResult&) const = default;
};

// A backend of each kind on the device, and what the program asks of them, on few and small sets:
// steps that are repeated with other points, and more transforms than kernels have room for.
class Scenario {
 public:
  // `numbers` are those of attention.
  explicit Scenario(DeviceUse use = DeviceUse::kForeground,
                    AttentionNumbers numbers = AttentionNumbers::kFloat);

  // Whether there are backends; if not, `why` says why.
  bool make();
  // Loads, trains, reads, evaluates and attends; may be asked for again.
  ScenarioResult work();

  std::string why;

 private:
  void evaluate(const Parameters<float>& head, ScenarioResult& result);

  DeviceUse use_;
  SequenceAttention attention_;
  Recipe recipe_;
  DrawnSets drawn_;
  ItemSets sets_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequences_;
};

}  // namespace dispersion
