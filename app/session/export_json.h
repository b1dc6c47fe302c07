#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/session/export_settings.h"
#include "core/io/json.h"

namespace dispersion {

// The settings of exported files as JSON. The reader throws FileError for what is unknown or out of
// range; what is missing stays as it is.
nlohmann::ordered_json export_json(const ExportSettings& settings);
void read_export(const JsonValue& json, ExportSettings& settings);

}  // namespace dispersion
