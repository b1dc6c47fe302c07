#include "app/panels/comparison_bar.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/actions_table.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/widgets.h"
#include "app/session/comparison.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kHeight = 38;

float button_width(const Painter& painter, const char* label) {
  return measure(painter, TextStyle::kSmall, label).x + painter.px(20);
}

struct BarButton {
  const char* action;
  const char* label;
};
constexpr std::array<BarButton, 3> kButtons = {
    {{"compare.difference", "Difference"}, {"compare.swap", "Swap"}, {"compare.pin", "Unpin"}}};

// The buttons at the right end. Returns where they begin.
float draw_buttons(const Actor& actor, float right, float y) {
  const Painter& painter = actor.state.painter;
  const float spacing = painter.px(6);
  float left = right + spacing;
  for (const BarButton& button : kButtons)
    left -= button_width(painter, button.label) + spacing;
  float x = left;
  for (const BarButton& button : kButtons) {
    if (!actor.app.comparison) break;  // just unpinned
    const bool on = &button == kButtons.data() && shows_difference(actor.app);
    const float width = button_width(painter, button.label);
    ImGui::SetCursorScreenPos({x, y});
    action_button(actor, button.action, button.label,
                  on ? ButtonKind::kPrimary : ButtonKind::kPlain, width);
    x += width + spacing;
  }
  return left;
}

// Whose heat maps are shown. Returns where the names begin.
float draw_transforms(AppState& app, PanelState& state, float right, float y) {
  Painter& painter = state.painter;
  const std::vector<TransformId> ids = compared_transforms(app);
  int chosen = 0;
  float width = 0;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    names.emplace_back(transform_definition(ids[i]).label);
    width = std::max(width, button_width(painter, names.back().c_str()));
    if (ids[i] == app.comparison->shown) chosen = static_cast<int>(i);
  }
  app.comparison->shown = ids[static_cast<std::size_t>(chosen)];
  if (ids.size() < 2) return right;
  width *= static_cast<float>(ids.size());
  const float left = right - width;
  std::vector<const char*> labels;
  for (const std::string& name : names)
    labels.push_back(name.c_str());
  ImGui::SetCursorScreenPos({left, y + painter.px(1)});
  ImGui::BeginChild("compared transforms", {width, painter.px(24)});
  segments(painter, "maps of", labels.data(), static_cast<int>(labels.size()), chosen,
           "Whose heat maps are shown; curves and numbers are those of all.");
  ImGui::EndChild();
  app.comparison->shown = ids[static_cast<std::size_t>(chosen)];
  return left;
}

// Which state is A, and in what B differs.
std::array<std::pair<const char*, std::string>, 2> words_of(const AppState& app) {
  std::string a = state_text(app.comparison->a);
  const std::string progress = pinned_progress_text(app, app.view.view);
  if (!progress.empty()) a += "; " + progress;
  return {{{"A", std::move(a)}, {"B", present_text(app)}}};
}

// "A  seed 1, step 100 000    B  temperature θ 1 → 0.5", below one another where there is no room
// beside one another. What is still too long is cut, and whole in the tooltip.
void draw_words(const AppState& app, const Painter& painter, ImVec2 start, float width) {
  const auto words = words_of(app);
  const float after_name = painter.px(8);
  const float between = painter.px(22);
  float needed = between;
  for (const auto& [name, text] : words) {
    needed += measure(painter, TextStyle::kSection, name).x + after_name +
              measure(painter, TextStyle::kSmall, text).x;
  }
  const bool one_line = needed <= width;
  const float line = painter.px(16);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = {start.x, start.y + (one_line ? painter.px(6) : painter.px(0))};
  for (const auto& [name, text] : words) {
    const float begin =
        at.x + draw_text(painter, list, at, TextStyle::kSection, painter.palette->text, name) +
        after_name;
    const float own = draw_text(painter, list, {begin, at.y + painter.px(1)}, TextStyle::kSmall,
                                painter.palette->muted,
                                fitted(painter, TextStyle::kSmall, text, start.x + width - begin));
    at = one_line ? ImVec2{begin + own + between, at.y} : ImVec2{start.x, at.y + line};
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({std::max(width, 1.0F), 2 * line});
  help_tooltip(painter, "A: " + words[0].second + "\nB: " + words[1].second);
}

}  // namespace

float comparison_bar_height(const AppState& app, const PanelState& state) {
  return app.comparison ? state.painter.px(kHeight) : 0;
}

void draw_comparison_bar(AppState& app, Session& session, PanelState& state, float width) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImGui::BeginChild("comparison", {width, painter.px(kHeight)}, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const float y = start.y + painter.px(3);
  float right = draw_buttons({app, session, state}, start.x + width, y) - painter.px(14);
  const bool room = right - start.x > painter.px(420);
  if (app.comparison && room && shows_attention(app.view))
    right = draw_transforms(app, state, right, y) - painter.px(14);
  if (app.comparison) draw_words(app, painter, start, right - start.x);
  ImGui::EndChild();
}

}  // namespace dispersion
