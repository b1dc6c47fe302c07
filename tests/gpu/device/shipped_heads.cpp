#include "shipped_heads.h"

#include <string>
#include <utility>

#include "core/io/checkpoint.h"
#include "core/spectral/points.h"

namespace dispersion {
namespace {

constexpr int kShipped = 10;

TrainingState shipped_head(int seed) {
  const Checkpoint head = load_checkpoint(std::string(DISPERSION_HEADS_DIR "/seed") +
                                          std::to_string(seed) + ".safetensors");
  return start_training_from(head.state.parameters, head.state.seed);
}

}  // namespace

std::vector<TrainingState> shipped_heads(int count, HeadPath path) {
  std::vector<TrainingState> heads;
  for (int i = 0; static_cast<int>(heads.size()) < count; ++i) {
    TrainingState head = shipped_head(1 + i % kShipped);
    if (path == HeadPath::kDirect || choose_points(head.parameters, Spare::kOneStep).spectral())
      heads.push_back(std::move(head));
  }
  return heads;
}

}  // namespace dispersion
