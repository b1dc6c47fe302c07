#pragma once

#include <atomic>
#include <memory>

#include "app/session/experiment_states.h"

namespace dispersion {

// Figures with every kind of part, so that the window can be tested without computing anything.
// of the table a table and a plot, of the fit points, bars, lines and a range, of the surface four
// fields, of the spread several curves with intervals; of others a failure.
Figure synthetic_figure(View view);

// A request for each of them; that of the table waits in the middle of its work until `release` is
// set.
MakeRequest synthetic_requests(std::shared_ptr<std::atomic<bool>> release = nullptr);

}  // namespace dispersion
