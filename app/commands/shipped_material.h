#pragma once

#include "app/desk/study_material.h"

namespace dispersion {

// The heads and training histories inside the program, as the window's studies take them.
StudyMaterial study_material();

}  // namespace dispersion
