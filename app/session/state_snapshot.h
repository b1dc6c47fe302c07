#pragma once

#include <memory>

#include "app/session/messages.h"
#include "core/progress.h"

namespace dispersion {

// The complete picture of one version of a head: every frame and every row, over as many sets as a
// window ends with that does not train. To the last bit it is the picture that LiveView keeps of
// this head on the same kind of backend. Computed in slices; null after a stop. Throws what the
// backend throws, and std::invalid_argument for a transform that is not valid.
std::shared_ptr<const ViewSnapshot> state_snapshot(Backend& backend, const HeadVersion& head,
                                                   const ViewRequest& request,
                                                   const Progress& progress);

// Whether the snapshot is such a picture already, of this version of the head.
bool is_final(const ViewSnapshot& snapshot, const HeadVersion& head);

}  // namespace dispersion
