#pragma once

#include <string>

#include "app/session/app_state.h"

namespace dispersion {

// What a copied number needs to be understood elsewhere: program, head, recipe, settings, and the
// step and number of sets of the measurement. Lines of "section<tab>label<tab>value".
std::string provenance_text(const AppState& app);

}  // namespace dispersion
