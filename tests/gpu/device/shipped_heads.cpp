#include "shipped_heads.h"

#include <utility>

#include "core/spectral/points.h"
#include "tests/shipped_head.h"

namespace dispersion {
namespace {

constexpr int kShipped = 10;

}  // namespace

std::vector<TrainingState> shipped_heads(int count, HeadPath path) {
  std::vector<TrainingState> heads;
  for (int i = 0; static_cast<int>(heads.size()) < count; ++i) {
    const TrainingState shipped = shipped_state(1 + i % kShipped);
    TrainingState head = start_training_from(shipped.parameters, shipped.seed);
    if (path == HeadPath::kDirect || choose_points(head.parameters, Spare::kOneStep).spectral())
      heads.push_back(std::move(head));
  }
  return heads;
}

}  // namespace dispersion
