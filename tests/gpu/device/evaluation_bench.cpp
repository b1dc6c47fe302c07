#include <string>
#include <vector>

#include "benches.h"
#include "figures.h"
#include "gpu/evaluation/cuda_evaluator.h"
#include "shipped_heads.h"

namespace dispersion {
namespace {

double evaluation_seconds(const BenchSizes& sizes, HeadPath path, int items, int sets) {
  const std::vector<AttentionTransform> transforms = {{TransformId::kSoftmax, 1, {}},
                                                      {TransformId::kAdaptive, 1, {}}};
  const Parameters<float> head = shipped_heads(1, path).front().parameters;
  CudaEvaluator evaluator;
  std::vector<std::int32_t> labels;
  return median_seconds(sizes.repetitions, [&] {
    evaluator.evaluate_drawn(head, {.seed = 1, .items = items, .first_set = 0, .sets = sets},
                             transforms, path, labels);
  });
}

}  // namespace

void evaluation_bench(const BenchSizes& sizes) {
  for (const HeadPath path : {HeadPath::kSpectral, HeadPath::kDirect}) {
    const auto measure = [&](int items, int sets) {
      figure(std::string(head_path_name(path)) + "_" + std::to_string(sets) + "_sets_of_" +
                 std::to_string(items) + "_us",
             1e6 * evaluation_seconds(sizes, path, items, sets));
    };
    for (const int items : sizes.items)
      measure(items, 1);
    measure(sizes.items_of_many, sizes.many_sets);
  }
}

}  // namespace dispersion
