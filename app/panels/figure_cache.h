#pragma once

#include <memory>
#include <vector>

#include "app/session/app_state.h"
#include "app/window/texture.h"
#include "core/figure/figure.h"

namespace dispersion {

// The figures of the newest snapshot, built by core/figure and rebuilt only when something they
// show changed. The heat maps also lie in one texture: strip s, frame f at (kFrameItems f,
// kFrameSets s).
class FigureCache {
 public:
  void update(const AppState& app);

  // What the strips of the grid show, in their order.
  const std::vector<TransformFrames>& transforms() const { return transforms_; }
  const HeatmapGrid& grid() const { return grid_; }
  const LinePlot& accuracy() const { return accuracy_; }
  const LinePlot& entropy() const { return entropy_; }
  const Texture& frames() const { return frames_; }

 private:
  void paint_frames();

  std::shared_ptr<const ViewSnapshot> built_from_;
  ColourScale scale_ = ColourScale::kLinear;
  std::vector<TransformId> shown_;
  std::vector<TransformFrames> transforms_;
  HeatmapGrid grid_;
  LinePlot accuracy_;
  LinePlot entropy_;
  Texture frames_;
};

}  // namespace dispersion
