#include "app/panels/panels.h"

#include <array>
#include <string>

#include "app/panels/actions.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr float kNamed = 700;  // logical pixels

struct Action {
  const char* label;
  const char* help;
};
constexpr std::array<Action, 6> kActions = {
    {{"Open", "Open a head from a file (Ctrl+O)."},
     {"Save", "Save the head with its optimiser's state, to go on later bit for bit (Ctrl+S)."},
     {"Export", "Export what is shown as a figure: PDF, SVG, PNG, CSV and more (Ctrl+E)."},
     {"Light", "Dark or light colours (T)."},
     {"Present", "Large type for a projector (P). Ctrl and + or − scale everything."},
     {"Keys", "All keys (F1)."}}};

std::string label_of(const AppState& app, std::size_t i) {
  if (i == 3) return app.view.theme == Theme::kDark ? "Light###theme" : "Dark###theme";
  return kActions[i].label;
}

float button_width(const Painter& painter, const std::string& label) {
  const std::string text = label.substr(0, label.find('#'));
  return measure(painter, TextStyle::kSmall, text).x + painter.px(20);
}

void act(AppState& app, PanelState& state, std::size_t i) {
  switch (i) {
    case 0:
      ask_for_path(app, state.entry, PathEntry::Purpose::kOpen);
      break;
    case 1:
      ask_for_path(app, state.entry, PathEntry::Purpose::kSave);
      break;
    case 2:
      open_export(app, state.surface);
      break;
    case 3:
      app.view.theme = app.view.theme == Theme::kDark ? Theme::kLight : Theme::kDark;
      break;
    case 4:
      app.view.projector = !app.view.projector;
      break;
    default:
      state.keys_shown = !state.keys_shown;
  }
}

// Right-aligned; returns where they begin.
float draw_actions(AppState& app, PanelState& state, float right, float y) {
  Painter& painter = state.painter;
  const float spacing = painter.px(6);
  float left = right;
  for (std::size_t i = 0; i < kActions.size(); ++i) {
    left -= button_width(painter, label_of(app, i)) + (i == 0 ? 0 : spacing);
  }
  float x = left;
  for (std::size_t i = 0; i < kActions.size(); ++i) {
    const std::string label = label_of(app, i);
    const float width = button_width(painter, label);
    const bool on = (i == 4 && app.view.projector) || (i == 5 && state.keys_shown);
    ImGui::SetCursorScreenPos({x, y});
    if (push_button(painter, label.c_str(), on ? ButtonKind::kPrimary : ButtonKind::kPlain, width,
                    kActions[i].help)) {
      act(app, state, i);
    }
    x += width + spacing;
  }
  return left;
}

void draw_attention_pages(PanelState& state) {
  constexpr std::array<const char*, 5> kNames = {"Attention", "Curves", "Run", "Controls", "Here"};
  int chosen = static_cast<int>(state.page);
  if (segments(state.painter, "page", kNames.data(), static_cast<int>(kNames.size()), chosen, "")) {
    state.page = static_cast<Page>(chosen);
  }
}

void draw_experiment_pages(PanelState& state) {
  constexpr std::array<const char*, 2> kNames = {"Figure", "Settings"};
  int chosen = state.experiment_settings ? 1 : 0;
  segments(state.painter, "experiment page", kNames.data(), 2, chosen, "");
  state.experiment_settings = chosen == 1;
}

void draw_pages(AppState& app, PanelState& state, ImVec2 at, float width) {
  const float right = at.x + width;
  if (app.experiments.views.size() > 1) at.x = draw_view_menu(app, state, at) + state.painter.px(8);
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild("pages", {right - at.x, state.painter.px(26)}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  if (app.view.view == View::kAttention) {
    draw_attention_pages(state);
  } else {
    draw_experiment_pages(state);
  }
  ImGui::EndChild();
}

std::string what_is_open(const AppState& app) {
  if (app.status.backend.empty()) return "";
  return app.status.head_source;
}

}  // namespace

void draw_top_bar(AppState& app, Session& session, PanelState& state, bool pages) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float y = start.y + painter.px(10);
  if (state.entry.purpose != PathEntry::Purpose::kNone) {
    ImGui::SetCursorScreenPos({start.x, y});
    draw_path_bar(session, state);
    return;
  }
  if (pages) {
    draw_pages(app, state, {start.x, y}, width);
    return;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Where views and buttons need the room, the name goes.
  float name = -painter.px(16);
  if (width >= painter.px(kNamed)) {
    name = draw_text(painter, list, {start.x, start.y + painter.px(14)}, TextStyle::kTitle, p.text,
                     "Dispersion Lab");
  }
  const float left = draw_actions(app, state, start.x + width, y);
  float x = start.x + name + painter.px(16);
  if (app.experiments.views.size() > 1) x = draw_view_tabs(app, state, {x, y});
  x += painter.px(16);
  draw_text(painter, list, {x, start.y + painter.px(16)}, TextStyle::kSmall, p.muted,
            fitted(painter, TextStyle::kSmall, what_is_open(app), left - x - painter.px(12)));
}

}  // namespace dispersion
