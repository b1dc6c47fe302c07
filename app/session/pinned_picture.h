#pragma once

#include <memory>

#include "app/session/app_state.h"

namespace dispersion {

// The picture of a state that is pinned, as far as the window has it already.

// What the newest picture has of the present head and settings. Frames and rows of other steps,
// runs or settings, of which it has some while a head is trained, are left out; null: it has
// nothing else.
std::shared_ptr<const ViewSnapshot> picture_of_state(const AppState& app);

// The one of two pictures of a state that is of more sets, `newer` where both are of as many.
// Either may be null.
std::shared_ptr<const ViewSnapshot> further(std::shared_ptr<const ViewSnapshot> older,
                                            std::shared_ptr<const ViewSnapshot> newer);

// Which share of the work on a complete picture is in this one, in [0, 1].
double picture_share(const ViewSnapshot& snapshot);

}  // namespace dispersion
