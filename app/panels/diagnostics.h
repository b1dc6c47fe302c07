#pragma once

#include <string>

#include "app/session/app_state.h"

namespace dispersion {

// What a report about this program should say, as lines of "name: value": the build, what computes,
// the devices with their memory, and how the window draws. Needs a current OpenGL context.
std::string diagnostics_text(const AppState& app);

}  // namespace dispersion
