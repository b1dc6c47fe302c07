#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/session/head_name.h"
#include "app/session/user_settings.h"
#include "core/io/json.h"

namespace dispersion {

// What the user sets, and the name of a head, as JSON. Readers throw FileError for what is unknown
// or out of range; what is missing stays as it is in `settings`.

// The range of ViewSettings::ui_scale.
inline constexpr double kLowestUiScale = 0.5;
inline constexpr double kHighestUiScale = 3;

nlohmann::ordered_json view_json(const ViewSettings& view);
void read_view(const JsonValue& json, ViewSettings& view);

nlohmann::ordered_json run_json(const RunSettings& run);
void read_run(const JsonValue& json, RunSettings& run);

// The experiments whose settings are not those of a new window, and that of `front`.
nlohmann::ordered_json experiments_json(const ExperimentSettings& settings, View front);
void read_experiments(const JsonValue& json, ExperimentSettings& settings);

nlohmann::ordered_json zooms_json(const std::map<std::string, FigureZoom>& zooms);
void read_zooms(const JsonValue& json, std::map<std::string, FigureZoom>& zooms);

nlohmann::ordered_json head_json(const HeadName& head);
void read_head(const JsonValue& json, HeadName& head);

}  // namespace dispersion
