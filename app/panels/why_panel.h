#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Why attention looks as it does at the n that is looked at: logit spread, the paper's bound, and
// what the rule does.
void draw_why_panel(const AppState& app, PanelState& state);

// The largest weight an item can have among n when all logits lie within `spread`: the sharp form
// of the bound in lemma 2.1.
double largest_possible_weight(double spread, double theta, int items);

// Share of the shown sets whose entropy lies where the rule leaves theta alone although attention
// is dispersed: above the gate and with beta = 1.
double share_beyond_rule(const AttentionFrame& plain, const AdaptiveRule& rule);

}  // namespace dispersion
