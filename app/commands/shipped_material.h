#pragma once

#include "app/session/study_material.h"

namespace dispersion {

// The heads, their training histories and their table inside the program, as the window's studies
// take them. The table only if it is of these heads.
StudyMaterial study_material();

}  // namespace dispersion
