#pragma once

#include <string>

#include "app/session/settings.h"
#include "core/figure/figure.h"

namespace dispersion {

struct RunStatus;

// The head to which the fit of this figure was made, by the figure's provenance.
RuleOrigin rule_origin(const Provenance& provenance);

// Puts the adaptive rule of the paper back, which was fitted to no head.
void use_paper_rule(ViewSettings& view);

// Whether the rule was fitted to another head than the open one, or to an older step of it.
bool of_other_head(const RuleOrigin& origin, const RunStatus& status);

// "β fitted to seed 1, step 100 000; not this head"; empty where the rule was fitted to no head.
std::string rule_origin_text(const RuleOrigin& origin, const RunStatus& status);

}  // namespace dispersion
