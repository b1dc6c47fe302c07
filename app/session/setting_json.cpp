#include "app/session/setting_json.h"

#include <nlohmann/json.hpp>

namespace dispersion {

using Json = nlohmann::ordered_json;

Json setting_json(const Setting& setting, const SettingValues& values,
                  Json (*transform_json)(const AttentionTransform&)) {
  switch (setting.kind) {
    case SettingKind::kWhole:
      return values.count(setting.name);
    case SettingKind::kReal:
      return values.real(setting.name);
    case SettingKind::kFlag:
      return values.flag(setting.name);
    case SettingKind::kChoice:
      return values.choice(setting.name);
    case SettingKind::kSizes:
      return values.sizes(setting.name);
    case SettingKind::kTransforms:
      break;
  }
  Json json = Json::array();
  for (const AttentionTransform& transform : values.transforms())
    json.push_back(transform_json(transform));
  return json;
}

}  // namespace dispersion
