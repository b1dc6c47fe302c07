#pragma once

#include <string>

#include "app/panels/lab.h"

namespace dispersion {

// Opens the window and returns the exit code once it is closed, by the user, by a signal or because
// its display is gone. Arguments as those of Lab.
int show_window(const LabOptions& options, BackendSource backends, Checkpoint start,
                const std::string& head_source);

}  // namespace dispersion
