#include <string>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/experiment_fields.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// A row for a setting of the experiment in this view. Carrying it out brings the view to the front.
struct Row {
  View view;
  const Setting& setting;

  Action begin(const std::string& name) const {
    const View front = view;
    const std::string label(setting.label);
    return {.id = "setting." + std::string(view_title(view)) + "." + std::string(setting.name),
            .group = std::string(view_title(view)),
            .name = name,
            .help = std::string(setting.help),
            .act = [front, label](const Actor& a) {
              show_experiment_field(a.app, a.state, front, label);
            }};
  }
};

void add_number(std::vector<Action>& all, const Row& row, const SettingValues& values) {
  const NumberField field = field_of(row.setting, experiment_in(row.view), values);
  Action action = row.begin(std::string(row.setting.label));
  const View view = row.view;
  const std::string name(row.setting.name);
  action.value = plain_number(values.real(name));
  action.number =
      ActionNumber{field.low, field.high, field.whole, [view, name](const Actor& a, double value) {
                     a.app.experiment_settings.of(view).set(name, value);
                     show_view(a.app.view, view);
                   }};
  all.push_back(std::move(action));
}

void add_flag(std::vector<Action>& all, const Row& row, const SettingValues& values) {
  Action action = row.begin(std::string(row.setting.label));
  const View view = row.view;
  const std::string name(row.setting.name);
  const bool on = values.flag(name);
  action.value = on ? "on" : "off";
  action.act = [view, name, on](const Actor& a) {
    a.app.experiment_settings.of(view).set(name, on ? 0.0 : 1.0);
    show_view(a.app.view, view);
  };
  all.push_back(std::move(action));
}

void add_choices(std::vector<Action>& all, const Row& row, const SettingValues& values) {
  const std::string name(row.setting.name);
  for (std::size_t i = 0; i < row.setting.choices.size(); ++i) {
    const SettingChoice& choice = row.setting.choices[i];
    if (choice.label.empty()) continue;
    Action action = row.begin(std::string(row.setting.label) + ": " + std::string(choice.label));
    action.id += "." + std::string(choice.name);
    action.value = values.whole(name) == static_cast<int>(i) ? "chosen" : "";
    const View view = row.view;
    action.act = [view, name, i](const Actor& a) {
      a.app.experiment_settings.of(view).set(name, static_cast<double>(i));
      show_view(a.app.view, view);
    };
    all.push_back(std::move(action));
  }
}

void add_settings(std::vector<Action>& all, View view, const SettingValues& values) {
  for (const Setting& setting : experiment_in(view).settings) {
    // The temperature of the view has a row of its own.
    if (setting.label.empty() || setting.of_view || !values.applies(setting)) continue;
    const Row row = {view, setting};
    switch (setting.kind) {
      case SettingKind::kWhole:
      case SettingKind::kReal:
        add_number(all, row, values);
        break;
      case SettingKind::kFlag:
        add_flag(all, row, values);
        break;
      case SettingKind::kChoice:
        add_choices(all, row, values);
        break;
      case SettingKind::kTransforms:
      case SettingKind::kSizes:
        break;  // the view's own switches, and the action line
    }
  }
}

}  // namespace

void add_experiment_actions(std::vector<Action>& all, const AppState& app) {
  for (const View view : app.experiments.views) {
    if (view != View::kAttention) add_settings(all, view, app.experiment_settings.of(view));
  }
}

}  // namespace dispersion
