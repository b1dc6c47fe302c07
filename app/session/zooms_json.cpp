// What is shown of figures as JSON.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/json_fields.h"
#include "app/session/state_json.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

Json limits_json(const AxisLimits& limits) {
  return Json::array({limits.low, limits.high});
}

AxisLimits limits_of(const JsonValue& json) {
  if (json.size() != 2) json.refuse("a list of two numbers");
  const AxisLimits limits = {json.at(std::size_t{0}).number(), json.at(std::size_t{1}).number()};
  if (!(limits.low < limits.high)) json.refuse("a list of a smaller and a larger number");
  return limits;
}

std::optional<AxisLimits> limits_in(const JsonValue& object, std::string_view key) {
  const std::optional<JsonValue> found = object.find(key);
  if (!found) return std::nullopt;
  return limits_of(*found);
}

Json plot_json(const PlotZoom& zoom) {
  Json json = Json::object();
  if (zoom.x) json["x"] = limits_json(*zoom.x);
  if (zoom.y) json["y"] = limits_json(*zoom.y);
  if (!zoom.hidden.empty()) json["hidden"] = zoom.hidden;
  return json;
}

PlotZoom plot_of(const JsonValue& json) {
  refuse_unknown(json, {"x", "y", "hidden"});
  PlotZoom zoom = {limits_in(json, "x"), limits_in(json, "y"), {}};
  if (const auto hidden = json.find("hidden")) {
    for (std::size_t i = 0; i < hidden->size(); ++i)
      zoom.hidden.insert(hidden->at(i).text());
  }
  return zoom;
}

Json zoom_json(const FigureZoom& zoom) {
  Json json = Json::object();
  if (zoom.items) json["items"] = limits_json(*zoom.items);
  for (const auto& [title, plot] : zoom.plots)
    json["plots"][title] = plot_json(plot);
  if (zoom.seen_from != SurfaceView())
    json["seen_from"] = Json::array({zoom.seen_from.azimuth, zoom.seen_from.elevation});
  return json;
}

SurfaceView seen_from_of(const JsonValue& json) {
  if (json.size() != 2) json.refuse("a list of two angles");
  return {json.at(std::size_t{0}).number(),
          number_from(json.at(std::size_t{1}), 0, std::numbers::pi / 2)};
}

FigureZoom zoom_of(const JsonValue& json) {
  refuse_unknown(json, {"items", "plots", "seen_from"});
  FigureZoom zoom;
  zoom.items = limits_in(json, "items");
  read_if_there(json, "seen_from", zoom.seen_from, seen_from_of);
  const auto plots = json.find("plots");
  if (!plots) return zoom;
  for (const std::string& title : plots->keys())
    zoom.plots[title] = plot_of(plots->at(title));
  return zoom;
}

}  // namespace

Json zooms_json(const std::map<std::string, FigureZoom>& zooms) {
  Json json = Json::object();
  for (const auto& [figure, zoom] : zooms)
    json[figure] = zoom_json(zoom);
  return json;
}

void read_zooms(const JsonValue& json, std::map<std::string, FigureZoom>& zooms) {
  zooms.clear();
  for (const std::string& figure : json.keys())
    zooms[figure] = zoom_of(json.at(figure));
}

}  // namespace dispersion
