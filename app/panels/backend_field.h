#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// What computes: the choice, the memory of the device, and where CUDA is not used, why.
void draw_backend_field(const AppState& app, Session& session, PanelState& state);

// The choices there are: automatic, CPU, one per CUDA device, and what is chosen now if it is none
// of these.
std::vector<BackendChoice> backend_choices(const RunStatus& status);
// "automatic", "CPU", "CUDA device 0".
std::string choice_text(const BackendChoice& choice);
// In gigabytes of 10^9 bytes, without the unit: "3.1".
std::string gigabytes(std::size_t bytes);

}  // namespace dispersion
