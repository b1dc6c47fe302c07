#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/session/views.h"
#include "core/figure/figure.h"
#include "core/figure/surface.h"

namespace dispersion {

struct AppState;
struct ShownState;

// A figure as the window shows it at one moment, with its full provenance.
struct FigureSnapshot {
  std::string name;  // in a list: "attention"
  std::shared_ptr<const Figure> figure;
  bool surfaces = false;  // whether fields are drawn as surfaces
  SurfaceView view;       // from where surfaces are seen
  // The figure as an animation, in which n doubles from frame to frame; null: there is none.
  std::shared_ptr<const std::vector<Figure>> frames = nullptr;
  bool former_settings = false;  // of settings, or of a head, that have changed since
};

// The names of those of the attention view.
inline constexpr const char* kMapsName = "attention";
inline constexpr const char* kSizesName = "accuracy and entropy";
inline constexpr const char* kTrainingName = "training";

// What a view shows, the most important first: the attention view has the heat maps,
// accuracy and entropy against n, and the curves of the run; an experiment has its figure. Empty
// while nothing is computed. While a state is pinned as A, they are of both
// (compared_snapshots.h).
std::vector<FigureSnapshot> figure_snapshots(const AppState& app, View view);
std::vector<FigureSnapshot> figure_snapshots(const AppState& app);  // of the view in front
// Those of the present state alone.
std::vector<FigureSnapshot> present_figures(const AppState& app, View view);
// Those of the attention view.
std::vector<FigureSnapshot> attention_figures(const ShownState& state);

}  // namespace dispersion
