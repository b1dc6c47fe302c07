#include "app/session/views.h"

#include <stdexcept>
#include <string>

namespace dispersion {

std::size_t view_count() {
  return experiments().size() + 1;
}

std::vector<View> window_views() {
  std::vector<View> views = {View::kAttention};
  for (const Experiment& experiment : experiments()) {
    if (experiment.place == ExperimentPlace::kEverywhere)
      views.push_back(view_named(experiment.name));
  }
  return views;
}

View view_named(std::string_view name) {
  const Experiment* experiment = find_experiment(name);
  if (experiment == nullptr)
    throw std::invalid_argument("no view shows '" + std::string(name) + "'");
  return static_cast<View>(experiment - experiments().data() + 1);
}

const Experiment& experiment_in(View view) {
  return experiments()[static_cast<std::size_t>(view) - 1];
}

std::string_view view_title(View view) {
  return view == View::kAttention ? "Attention" : experiment_in(view).title;
}

std::string view_help(View view) {
  return view == View::kAttention ? "Attention on the largest items as n doubles (figures 2 and 7)"
                                  : experiment_in(view).summary_with_place();
}

std::string_view view_figure(View view) {
  return view == View::kAttention ? "dispersion" : experiment_in(view).name;
}

bool is_theory(View view) {
  return view != View::kAttention && experiment_in(view).theory;
}

}  // namespace dispersion
