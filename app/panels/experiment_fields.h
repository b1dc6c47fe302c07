#pragma once

#include "app/panels/input_fields.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// The field of a setting of an experiment with the range that may be entered: the setting's own,
// cut where another setting must be smaller or larger than this one.
NumberField field_of(const Setting& setting, const Experiment& experiment,
                     const SettingValues& values);

}  // namespace dispersion
