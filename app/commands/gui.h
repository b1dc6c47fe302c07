#pragma once

#include <functional>
#include <string>

#include "app/panels/lab.h"

namespace dispersion {

struct HeadSource;

// Opens the window and returns the exit code once it is closed, by the user, by a signal or because
// its display is gone. Arguments as those of Lab; `opened` is called before the first frame.
int show_window(const LabOptions& options, BackendSource backends, Checkpoint start,
                const std::string& head_source, const std::function<void(Lab&)>& opened = {});

// Where a head came from, in words. `shipped`: it is the one inside the program.
std::string head_source_text(const HeadSource& head, bool shipped);

}  // namespace dispersion
