#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/experiment/sequence_backend.h"
#include "core/task/item_sets.h"

namespace dispersion {

struct ScenarioResult {
  std::vector<float> head;     // after training
  std::vector<float> entropy;  // of all evaluations
  std::vector<float> logits;
  std::vector<float> attended;

  bool operator==(const ScenarioResult&) const = default;
};

// A backend of each kind on the device, and what the program asks of them, on few and small sets.
class Scenario {
 public:
  Scenario();

  // Whether there are backends; if not, `why` says why.
  bool make();
  // Loads, trains, reads, evaluates and attends; may be asked for again.
  ScenarioResult work();

  std::string why;

 private:
  void evaluate(const Parameters<float>& head, ScenarioResult& result);

  Recipe recipe_;
  DrawnSets drawn_;
  ItemSets sets_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<SequenceBackend> sequences_;
};

}  // namespace dispersion
