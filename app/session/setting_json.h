#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/attention/attention_transform.h"
#include "core/experiment/settings.h"

namespace dispersion {

// The value of a setting of an experiment. `transform_json`: how one of a list of transforms is
// written.
nlohmann::ordered_json setting_json(
    const Setting& setting, const SettingValues& values,
    nlohmann::ordered_json (*transform_json)(const AttentionTransform&));

}  // namespace dispersion
