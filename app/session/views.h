#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"

namespace dispersion {

// What the middle of the window shows: the attention view, or an experiment whose figure is
// computed beside the training. The number of an experiment's view is one more than its place among
// experiments().
enum class View : int { kAttention };

// As many as there can be: an array with a place for each view.
std::size_t view_count();

// The views of the window in the order of the top bar; the n-th is opened by the key n.
std::vector<View> window_views();

// The view of the experiment of this name. Throws std::invalid_argument when there is none.
View view_named(std::string_view name);

// The experiment in this view, which is not the attention view.
const Experiment& experiment_in(View view);

std::string_view view_title(View view);
std::string_view view_help(View view);
std::string_view view_figure(View view);  // name of its figure, as the command line has it
bool is_theory(View view);                // stands in the menu of that name

}  // namespace dispersion
