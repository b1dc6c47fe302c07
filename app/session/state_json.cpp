#include "app/session/state_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/json_fields.h"
#include "app/session/setting_json.h"
#include "core/attention/transforms.h"
#include "core/experiment/size_table.h"
#include "core/io/checkpoint.h"
#include "core/io/text.h"

namespace dispersion {

template <>
inline constexpr Names<GridShape, 4> kNames<GridShape> = {{{GridShape::kOne, "one"},
                                                           {GridShape::kBeside, "beside"},
                                                           {GridShape::kBelow, "below"},
                                                           {GridShape::kFour, "four"}}};

template <>
inline constexpr Names<AttentionPart, 4> kNames<AttentionPart> = {
    {{AttentionPart::kAll, "all"},
     {AttentionPart::kMaps, "maps"},
     {AttentionPart::kCurves, "curves"},
     {AttentionPart::kTraining, "training"}}};

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLargestStep = 1'000'000'000'000;
constexpr double kLargestScale = 16;

// --- Names ---

std::string view_name(View view) {
  return view == View::kAttention ? "attention" : std::string(experiment_in(view).name);
}

View view_of(const JsonValue& json) {
  const std::string name = json.text();
  if (name == "attention") return View::kAttention;
  try {
    return view_named(name);
  } catch (const std::invalid_argument&) {
    json.refuse("a view of this program, not " + in_quotes(name));
  }
}

// --- Panes ---

Json grid_json(const ViewGrid& grid) {
  Json panes = Json::array();
  for (const Pane& pane : grid.panes)
    panes.push_back({{"view", view_name(pane.view)}, {"part", name_of(pane.part)}});
  return {{"shape", name_of(grid.shape)}, {"focused", grid.focused}, {"panes", std::move(panes)}};
}

ViewGrid grid_of(const JsonValue& json) {
  refuse_unknown(json, {"shape", "focused", "panes"});
  ViewGrid grid;
  grid.shape = value_of<GridShape>(json.at("shape"));
  const std::size_t count = grid.shape == GridShape::kOne ? kMostPanes : pane_count(grid.shape);
  grid.focused =
      static_cast<std::size_t>(json.at("focused").integer(0, static_cast<std::int64_t>(count) - 1));
  const JsonValue panes = json.at("panes");
  if (panes.size() != grid.panes.size()) panes.refuse("a list of four panes");
  for (std::size_t i = 0; i < grid.panes.size(); ++i) {
    refuse_unknown(panes.at(i), {"view", "part"});
    grid.panes[i] = {view_of(panes.at(i).at("view")),
                     value_of<AttentionPart>(panes.at(i).at("part"))};
  }
  return grid;
}

// --- Rules and transforms ---

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

AttentionTransform named_transform(const JsonValue& json) {
  try {
    const AttentionTransform transform = parse_transform(json.text());
    validate(transform);
    return transform;
  } catch (const std::invalid_argument& error) {
    json.refuse(std::string("an attention transform: ") + error.what());
  }
}

// A transform with all that it has: "top-k:k=8", or an object where it has its own theta or rule.
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

Json choices_json(const std::vector<TransformChoice>& choices) {
  Json json = Json::array();
  for (const TransformChoice& choice : choices)
    json.push_back({{"of", transform_json(choice.transform)}, {"shown", choice.shown}});
  return json;
}

// A transform that the text does not have is as in a new window.
void read_choices(const JsonValue& json, std::vector<TransformChoice>& choices) {
  for (std::size_t i = 0; i < json.size(); ++i) {
    const JsonValue each = json.at(i);
    refuse_unknown(each, {"of", "shown"});
    const AttentionTransform transform = transform_of(each.at("of"));
    const auto place = std::ranges::find_if(choices, [&](const TransformChoice& choice) {
      return choice.transform.id == transform.id;
    });
    if (place == choices.end()) each.at("of").refuse("a transform beside plain softmax");
    *place = {transform, each.at("shown").flag()};
  }
}

// --- Settings of experiments ---

void read_choice(const JsonValue& json, const Setting& setting, SettingValues& values) {
  const std::string name = json.text();
  std::string names;
  for (const SettingChoice& choice : setting.choices) {
    if (choice.name == name) return values.set(setting.name, choice.name);
    names.append(names.empty() ? "" : ", ").append(choice.name);
  }
  json.refuse("one of " + names);
}

void read_setting(const JsonValue& json, const Setting& setting, SettingValues& values) {
  switch (setting.kind) {
    case SettingKind::kWhole:
      return values.set(setting.name, static_cast<double>(json.integer<std::int64_t>()));
    case SettingKind::kReal:
      return values.set(setting.name, json.number());
    case SettingKind::kFlag:
      return values.set(setting.name, json.flag() ? 1.0 : 0.0);
    case SettingKind::kChoice:
      return read_choice(json, setting, values);
    case SettingKind::kSizes:
      return values.set(setting.name,
                        json.list([](const JsonValue& each) { return each.integer<int>(); }));
    case SettingKind::kTransforms:
      return values.set_transforms(json.list(transform_of));
  }
}

void read_settings(const JsonValue& json, const Experiment& experiment, SettingValues& values) {
  for (const std::string& key : json.keys()) {
    const auto found = std::ranges::find_if(
        experiment.settings, [&](const Setting& setting) { return setting_key(setting) == key; });
    if (found == experiment.settings.end()) json.at(key).refuse(kUnknownField);
    read_setting(json.at(key), *found, values);
  }
  try {
    values.require_valid();
  } catch (const std::invalid_argument& error) {
    json.refuse(std::string("settings in their ranges: ") + error.what());
  }
}

// --- Zooms ---

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
  return json;
}

FigureZoom zoom_of(const JsonValue& json) {
  refuse_unknown(json, {"items", "plots"});
  FigureZoom zoom;
  zoom.items = limits_in(json, "items");
  const auto plots = json.find("plots");
  if (!plots) return zoom;
  for (const std::string& title : plots->keys())
    zoom.plots[title] = plot_of(plots->at(title));
  return zoom;
}

Recipe recipe_of(const JsonValue& json) {
  try {
    return recipe_from_json(json.json().dump());
  } catch (const std::invalid_argument& error) {
    json.refuse(std::string("a recipe: ") + error.what());
  }
}

}  // namespace

Json view_json(const ViewSettings& view) {
  Json json = {{"view", view_name(view.view)},
               {"grid", grid_json(view.grid)},
               {"theta", view.theta},
               {"rule", rule_json(view.rule)},
               {"transforms", choices_json(view.choices)},
               {"n", view.focused_items},
               {"colour_scale", name_of(view.colour_scale)},
               {"theme", theme_name(view.theme)},
               {"ui_scale", view.ui_scale},
               {"projector", view.projector},
               {"surfaces", view.surfaces}};
  if (!view.rule_origin.head.empty())
    json["rule_origin"] = {{"head", view.rule_origin.head},
                           {"run_hash", view.rule_origin.run_hash}};
  return json;
}

void read_view(const JsonValue& json, ViewSettings& view) {
  refuse_unknown(json, {"view", "grid", "theta", "rule", "transforms", "n", "colour_scale", "theme",
                        "ui_scale", "projector", "surfaces", "rule_origin"});
  read_if_there(json, "view", view.view, view_of);
  read_if_there(json, "grid", view.grid, grid_of);
  read_if_there(json, "theta", view.theta, [](const JsonValue& each) {
    return number_from(each, kLowestTheta, kHighestTheta);
  });
  read_if_there(json, "rule", view.rule, rule_of);
  if (json.find("rule")) view.rule_origin = {};
  read_if_there(json, "rule_origin", view.rule_origin, [](const JsonValue& each) {
    refuse_unknown(each, {"head", "run_hash"});
    return RuleOrigin{each.at("head").text(), each.at("run_hash").text()};
  });
  if (const auto transforms = json.find("transforms")) read_choices(*transforms, view.choices);
  read_if_there(json, "n", view.focused_items, [](const JsonValue& each) {
    const int items = each.integer<int>();
    const std::vector<int> sizes = doubling_sizes();
    if (std::ranges::find(sizes, items) == sizes.end())
      each.refuse("a power of two from " + std::to_string(sizes.front()) + " to " +
                  std::to_string(sizes.back()));
    return items;
  });
  read_if_there(json, "colour_scale", view.colour_scale, value_of<ColourScale>);
  read_if_there(json, "theme", view.theme, [](const JsonValue& each) {
    const std::string name = each.text();
    const std::optional<Theme> known = theme_of_name(name);
    if (!known) each.refuse("dark, light or high contrast");
    return *known;
  });
  read_if_there(json, "ui_scale", view.ui_scale, [](const JsonValue& each) {
    return number_from(each, 1 / kLargestScale, kLargestScale);
  });
  read_if_there(json, "projector", view.projector, flag_of);
  read_if_there(json, "surfaces", view.surfaces, flag_of);
}

Json run_json(const RunSettings& run) {
  return {{"recipe", Json::parse(recipe_to_json(run.recipe))},
          {"seed", run.seed},
          {"stop_at", run.stop_at}};
}

void read_run(const JsonValue& json, RunSettings& run) {
  refuse_unknown(json, {"recipe", "seed", "stop_at"});
  read_if_there(json, "recipe", run.recipe, recipe_of);
  read_if_there(json, "seed", run.seed,
                [](const JsonValue& each) { return each.integer<std::uint32_t>(); });
  read_if_there(json, "stop_at", run.stop_at,
                [](const JsonValue& each) { return each.integer(1, kLargestStep); });
}

Json experiments_json(const ExperimentSettings& settings, View front) {
  const ExperimentSettings usual;
  Json json = Json::object();
  for (std::size_t i = 1; i < view_count(); ++i) {
    const auto view = static_cast<View>(i);
    if (view != front && settings.of(view) == usual.of(view)) continue;
    Json values = Json::object();
    for (const Setting& setting : experiment_in(view).settings)
      values[setting_key(setting)] = setting_json(setting, settings.of(view), transform_json);
    json[view_name(view)] = std::move(values);
  }
  return json;
}

void read_experiments(const JsonValue& json, ExperimentSettings& settings) {
  for (const std::string& name : json.keys()) {
    const Experiment* experiment = find_experiment(name);
    if (experiment == nullptr) json.at(name).refuse("left out: there is no such experiment here");
    read_settings(json.at(name), *experiment, settings.of(view_named(experiment->name)));
  }
}

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

Json head_json(const HeadName& head) {
  Json json = {{"source", head.source}, {"run_hash", head.run_hash}};
  if (!head.has_run) return json;
  json["recipe"] = Json::parse(recipe_to_json(head.recipe));
  json["seed"] = head.seed;
  json["step"] = head.step;
  return json;
}

void read_head(const JsonValue& json, HeadName& head) {
  refuse_unknown(json, {"source", "run_hash", "recipe", "seed", "step"});
  head.source = json.at("source").text();
  head.run_hash = json.at("run_hash").text();
  head.has_run = json.find("recipe").has_value();
  if (!head.has_run) return;
  head.recipe = recipe_of(json.at("recipe"));
  head.seed = json.at("seed").integer<std::uint32_t>();
  head.step = json.at("step").integer(0, kLargestStep);
}

}  // namespace dispersion
