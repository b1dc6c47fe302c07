#pragma once

#include <vector>

#include "app/session/figure_snapshots.h"

namespace dispersion {

// The figures of both states where one is pinned as A, as the window shows them. Their provenance
// is that of B, with that of A under names that begin with "A ", where it is another, and the line
// of text that restores A.

// In the place of present_figures(); `app` has a comparison.
std::vector<FigureSnapshot> compared_snapshots(const AppState& app, View view);

// The same of the attention view, whose present state is another than that of the window.
std::vector<FigureSnapshot> compared_attention(const AppState& app, const ShownState& b);

// Whether A has more to come for a view.
bool pinned_unfinished(const AppState& app, View view);

}  // namespace dispersion
