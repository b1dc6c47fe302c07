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
#include "app/session/transform_json.h"
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

// --- Names ---

std::string view_name(View view) {
  return view == View::kAttention ? "attention" : std::string(experiment_in(view).name);
}

View view_of(const JsonValue& json) {
  const std::string name = json.text();
  for (const View view : window_views()) {
    if (view_name(view) == name) return view;
  }
  json.refuse("a view of this program, not " + in_quotes(name));
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

// --- Transforms ---

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

// --- Runs ---

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
    return number_from(each, kLowestUiScale, kHighestUiScale);
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

Json head_json(const HeadName& head) {
  Json json = {{"source", head.source}, {"run_hash", head.run_hash}};
  if (!head.has_run) return json;
  json["recipe"] = Json::parse(recipe_to_json(head.recipe));
  json["seed"] = head.seed;
  json["step"] = head.step;
  if (head.steps_before > 0) json["steps_before"] = head.steps_before;
  return json;
}

void read_head(const JsonValue& json, HeadName& head) {
  refuse_unknown(json, {"source", "run_hash", "recipe", "seed", "step", "steps_before"});
  head.source = json.at("source").text();
  head.run_hash = json.at("run_hash").text();
  head.has_run = json.find("recipe").has_value();
  if (!head.has_run) return;
  head.recipe = recipe_of(json.at("recipe"));
  head.seed = json.at("seed").integer<std::uint32_t>();
  head.step = json.at("step").integer(0, kLargestStep);
  read_if_there(json, "steps_before", head.steps_before,
                [](const JsonValue& each) { return each.integer(0, kLargestStep); });
}

}  // namespace dispersion
