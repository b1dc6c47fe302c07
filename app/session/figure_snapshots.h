#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/surface.h"

namespace dispersion {

struct AppState;

// A figure as the window shows it at one moment, with where it came from.
struct FigureSnapshot {
  std::string name;  // in a list: "attention"
  std::shared_ptr<const Figure> figure;
  bool surfaces = false;  // fields are seen as surfaces, and from there
  SurfaceView view;
  // The same as an animation: the doubling of n, figure after figure. Null: it does not move.
  std::shared_ptr<const std::vector<Figure>> frames = nullptr;
};

// What the view in front shows, the most important first: the attention view has the heat maps,
// accuracy and entropy against n, and the curves of the run; an experiment has its figure. Empty
// while nothing is computed. `view`: from where surfaces are seen.
std::vector<FigureSnapshot> figure_snapshots(const AppState& app, const SurfaceView& view);

}  // namespace dispersion
