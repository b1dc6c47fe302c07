#include "app/session/user_settings.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/app_state.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// A part of the settings, which is undone as a whole.
struct Part {
  std::string what;  // from before to after
  bool changed;
  void (*put)(const UserSettings& from, UserSettings& settings);
};

template <class Value>
std::string from_to(std::string_view name, const Value& before, const Value& after) {
  return std::string(name) + " " + before + " → " + after;
}

std::string switches_text(const ViewSettings& before, const ViewSettings& after) {
  std::string text;
  for (std::size_t i = 0; i < after.choices.size() && i < before.choices.size(); ++i) {
    if (before.choices[i] == after.choices[i]) continue;
    const TransformChoice& choice = after.choices[i];
    text +=
        (text.empty() ? "" : ", ") + std::string(transform_definition(choice.transform.id).label);
    if (before.choices[i].shown != choice.shown) text += choice.shown ? " on" : " off";
  }
  return text;
}

template <auto kMember>
Part view_part(const UserSettings& before, const UserSettings& after, std::string what) {
  return {std::move(what), !(before.view.*kMember == after.view.*kMember),
          [](const UserSettings& from, UserSettings& settings) {
            settings.view.*kMember = from.view.*kMember;
          }};
}

std::string grid_text(const ViewGrid& before, const ViewGrid& after) {
  if (before.shape == after.shape) return "panes of the window";
  switch (after.shape) {
    case GridShape::kOne:
      return "one view";
    case GridShape::kBeside:
    case GridShape::kBelow:
      return "two views";
    case GridShape::kFour:
      break;
  }
  return "four views";
}

// The adaptive rule with the head to which it was fitted.
Part rule_part(const UserSettings& before, const UserSettings& after) {
  const ViewSettings& a = before.view;
  const ViewSettings& b = after.view;
  return {"β(H) of adaptive θ", !(a.rule == b.rule && a.rule_origin == b.rule_origin),
          [](const UserSettings& from, UserSettings& settings) {
            settings.view.rule = from.view.rule;
            settings.view.rule_origin = from.view.rule_origin;
          }};
}

std::vector<Part> view_parts(const UserSettings& before, const UserSettings& after) {
  const ViewSettings& a = before.view;
  const ViewSettings& b = after.view;
  return {
      view_part<&ViewSettings::view>(before, after, "view " + std::string(view_title(b.view))),
      view_part<&ViewSettings::grid>(before, after, grid_text(a.grid, b.grid)),
      view_part<&ViewSettings::theta>(
          before, after, from_to("temperature θ", plain_number(a.theta), plain_number(b.theta))),
      rule_part(before, after),
      view_part<&ViewSettings::choices>(before, after, switches_text(a, b)),
      view_part<&ViewSettings::focused_items>(
          before, after,
          from_to("n", grouped_text(a.focused_items), grouped_text(b.focused_items))),
      view_part<&ViewSettings::colour_scale>(before, after, "colours of the weights"),
      view_part<&ViewSettings::theme>(before, after, std::string(theme_name(b.theme)) + " colours"),
      view_part<&ViewSettings::ui_scale>(before, after, "size of the window's letters"),
      view_part<&ViewSettings::projector>(before, after, "large type"),
      view_part<&ViewSettings::surfaces>(before, after, b.surfaces ? "surfaces" : "heat maps"),
  };
}

template <auto kMember>
Part run_part(const UserSettings& before, const UserSettings& after, std::string what) {
  return {std::move(what), !(before.run.*kMember == after.run.*kMember),
          [](const UserSettings& from, UserSettings& settings) {
            settings.run.*kMember = from.run.*kMember;
          }};
}

std::string value_text(const Setting& setting, const SettingValues& values) {
  if (setting.kind == SettingKind::kFlag) return values.flag(setting.name) ? "on" : "off";
  if (setting.kind == SettingKind::kChoice) return std::string(values.choice(setting.name));
  return plain_number(values.real(setting.name));
}

// "Fit: sets 100 → 200"
std::string experiment_text(View view, const SettingValues& before, const SettingValues& after) {
  std::string text;
  for (const Setting& setting : experiment_in(view).settings) {
    const std::string_view name = setting.label.empty() ? setting.name : setting.label;
    const bool sizes = before.sizes(setting.name) != after.sizes(setting.name);
    const bool transforms =
        setting.kind == SettingKind::kTransforms && before.transforms() != after.transforms();
    const bool number = before.real(setting.name) != after.real(setting.name);
    if (!sizes && !transforms && !number) continue;
    text += text.empty() ? std::string(view_title(view)) + ": " : ", ";
    text += number ? from_to(name, value_text(setting, before), value_text(setting, after))
                   : std::string(name);
  }
  return text;
}

std::string experiments_text(const ExperimentSettings& before, const ExperimentSettings& after) {
  std::string text;
  for (std::size_t i = 1; i < view_count(); ++i) {
    const auto view = static_cast<View>(i);
    if (before.of(view) == after.of(view)) continue;
    text += (text.empty() ? "" : "; ") + experiment_text(view, before.of(view), after.of(view));
  }
  return text;
}

using Zooms = std::map<std::string, FigureZoom>;

// Whether nothing but the sides differ from which surfaces are seen.
bool only_turned(Zooms before, Zooms after) {
  for (Zooms* zooms : {&before, &after}) {
    for (auto& [figure, zoom] : *zooms)
      zoom.seen_from = {};
    std::erase_if(*zooms, [](const auto& zoom) { return zoom.second == FigureZoom(); });
  }
  return before == after;
}

std::vector<Part> other_parts(const UserSettings& before, const UserSettings& after) {
  const RunSettings& a = before.run;
  const RunSettings& b = after.run;
  return {
      run_part<&RunSettings::recipe>(before, after, "recipe"),
      run_part<&RunSettings::seed>(before, after,
                                   from_to("seed", std::to_string(a.seed), std::to_string(b.seed))),
      run_part<&RunSettings::stop_at>(
          before, after, from_to("stop at step", grouped_text(a.stop_at), grouped_text(b.stop_at))),
      {experiments_text(before.experiments, after.experiments),
       !(before.experiments == after.experiments),
       [](const UserSettings& from, UserSettings& settings) {
         settings.experiments = from.experiments;
       }},
      {only_turned(before.zooms, after.zooms) ? "turn of a surface" : "zoom",
       before.zooms != after.zooms,
       [](const UserSettings& from, UserSettings& settings) { settings.zooms = from.zooms; }},
  };
}

std::vector<Part> parts(const UserSettings& before, const UserSettings& after) {
  std::vector<Part> all = view_parts(before, after);
  std::ranges::move(other_parts(before, after), std::back_inserter(all));
  return all;
}

}  // namespace

UserSettings user_settings(const AppState& app) {
  UserSettings settings = {app.view, app.run, app.experiment_settings, app.zooms};
  // A figure that was drawn may have an entry that changes nothing.
  for (auto& [figure, zoom] : settings.zooms)
    std::erase_if(zoom.plots, [](const auto& plot) { return plot.second == PlotZoom(); });
  std::erase_if(settings.zooms, [](const auto& zoom) { return zoom.second == FigureZoom(); });
  return settings;
}

void put_settings(const UserSettings& settings, AppState& app) {
  app.view = settings.view;
  app.run = settings.run;
  app.experiment_settings = settings.experiments;
  app.zooms = settings.zooms;
}

std::string difference_text(const UserSettings& before, const UserSettings& after) {
  std::string text;
  for (const Part& part : parts(before, after)) {
    if (part.changed) text += (text.empty() ? "" : "; ") + part.what;
  }
  return text;
}

void put_difference(const UserSettings& before, const UserSettings& after, const UserSettings& to,
                    UserSettings& settings) {
  for (const Part& part : parts(before, after)) {
    if (part.changed) part.put(to, settings);
  }
}

}  // namespace dispersion
