#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/attention/transforms.h"
#include "core/io/json.h"

namespace dispersion {

// Rules and transforms as JSON, with all that they have. Readers throw FileError.

nlohmann::ordered_json rule_json(const AdaptiveRule& rule);
AdaptiveRule rule_of(const JsonValue& json);

// "top-k:k=8", or an object where it has its own theta or rule.
nlohmann::ordered_json transform_json(const AttentionTransform& transform);
AttentionTransform transform_of(const JsonValue& json);

}  // namespace dispersion
