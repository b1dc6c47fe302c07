#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"

namespace dispersion {

// What the middle of the window shows: the attention view, or an experiment whose figure is
// computed beside the training. An experiment's view has the number of its index in experiments()
// plus one.
enum class View : int { kAttention };

// The number of views, for arrays with an element per view.
std::size_t view_count();

// The views of the window in the order of the top bar; the n-th is opened by the key n, up to 9.
std::vector<View> window_views();

// The view of the experiment of this name. Throws std::invalid_argument when there is none.
View view_named(std::string_view name);

// The experiment of this view, which must not be the attention view.
const Experiment& experiment_in(View view);

std::string_view view_title(View view);
std::string view_help(View view);         // one line, with the place in the paper
std::string_view view_figure(View view);  // name of its figure on the command line
bool is_theory(View view);                // whether it is in the menu "Theory"

}  // namespace dispersion
