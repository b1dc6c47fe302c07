#include "app/session/transform_json.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "app/session/json_fields.h"
#include "app/session/settings.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

AttentionTransform named_transform(const JsonValue& json) {
  try {
    const AttentionTransform transform = parse_transform(json.text());
    validate(transform);
    return transform;
  } catch (const std::invalid_argument& error) {
    json.refuse(std::string("an attention transform: ") + error.what());
  }
}

}  // namespace

Json rule_json(const AdaptiveRule& rule) {
  Json json = {{"coefficients", rule.coefficients}, {"gate", rule.gate}};
  if (rule.guarded || rule.peak != 0) {
    json["guarded"] = rule.guarded;
    json["peak"] = rule.peak;
  }
  return json;
}

AdaptiveRule rule_of(const JsonValue& json) {
  refuse_unknown(json, {"coefficients", "gate", "guarded", "peak"});
  AdaptiveRule rule;
  const JsonValue list = json.at("coefficients");
  if (list.size() != rule.coefficients.size()) list.refuse("a list of five numbers");
  for (std::size_t i = 0; i < rule.coefficients.size(); ++i)
    rule.coefficients[i] = list.at(i).number();
  rule.gate = json.at("gate").number();
  if (const auto guarded = json.find("guarded")) rule.guarded = guarded->flag();
  if (const auto peak = json.find("peak")) rule.peak = peak->number();
  return rule;
}

Json transform_json(const AttentionTransform& transform) {
  const AttentionTransform usual = usual_transform(transform.id);
  if (transform.theta == usual.theta && transform.rule == usual.rule)
    return transform_text(transform);
  return {{"transform", transform_text(transform)},
          {"theta", transform.theta},
          {"rule", rule_json(transform.rule)}};
}

AttentionTransform transform_of(const JsonValue& json) {
  if (json.json().is_string()) return named_transform(json);
  refuse_unknown(json, {"transform", "theta", "rule"});
  AttentionTransform transform = named_transform(json.at("transform"));
  transform.theta = number_from(json.at("theta"), kLowestTheta, kHighestTheta);
  transform.rule = rule_of(json.at("rule"));
  return transform;
}

}  // namespace dispersion
