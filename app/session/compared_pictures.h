#pragma once

#include <map>
#include <memory>
#include <vector>

#include "app/session/views.h"
#include "core/attention/attention_transform.h"
#include "core/figure/difference.h"

namespace dispersion {

struct AppState;
struct ExperimentResult;
struct ViewSnapshot;

// The figure of A while that of B is of the settings before the present ones, which says so.
Figure pinned_alone(Figure a);

// What A and B show together, made anew when what it is made of has changed.
class ComparedPictures {
 public:
  // The heat maps of one transform, and the curves, of the newest snapshots of both. `app` has a
  // comparison.
  void update(const AppState& app);

  const ComparedGrids& maps() const { return maps_; }
  const LinePlot& accuracy() const { return accuracy_; }
  const LinePlot& entropy() const { return entropy_; }
  // Whether these have changed since the last call.
  bool take_change();

  // The figure of an experiment for both, or pinned_alone() while that of B is of former settings;
  // null while one of them has none.
  std::shared_ptr<const Figure> experiment(const AppState& app, View view);

 private:
  struct Experiment {
    std::shared_ptr<const ExperimentResult> a;
    std::shared_ptr<const ExperimentResult> b;
    bool difference = false;
    bool former = false;  // `b` is of former settings
    std::shared_ptr<const Figure> figure;
  };
  // What maps and curves were made of.
  struct Made {
    std::shared_ptr<const ViewSnapshot> a;
    std::shared_ptr<const ViewSnapshot> b;
    std::vector<TransformId> shown;  // by A and B
    TransformId transform = TransformId::kSoftmax;
    ColourScale scale = ColourScale::kLinear;
    bool difference = false;

    bool operator==(const Made&) const = default;
  };

  Made made_;
  bool changed_ = true;
  ComparedGrids maps_;
  LinePlot accuracy_;
  LinePlot entropy_;
  std::map<View, Experiment> experiments_;
};

}  // namespace dispersion
