#pragma once

#include "app/panels/input_fields.h"
#include "app/session/app_state.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// The field of a setting of an experiment with the range that may be entered: the setting's own,
// cut where another setting must be smaller or larger than this one.
NumberField field_of(const Setting& setting, const Experiment& experiment,
                     const SettingValues& values);

// Stop while it is computed, Go on where it was stopped, Try again where it failed.
void draw_experiment_buttons(ExperimentState& experiment, Painter& painter, float width);

}  // namespace dispersion
