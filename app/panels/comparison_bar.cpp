#include "app/panels/comparison_bar.h"

#include <algorithm>
#include <array>
#include <string>
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

// "A  seed 1, step 100 000    B  temperature θ 1 → 0.5"
void draw_words(const AppState& app, PanelState& state, float left, float right, float y) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string progress = pinned_progress_text(*app.comparison);
  const std::string differs = what_differs(app);
  const std::array<std::array<std::string, 2>, 2> parts = {
      {{"A", state_text(app.comparison->a)},
       {"B", differs.empty() ? "does not differ from A" : differs}}};
  for (const auto& [name, text] : parts) {
    if (right - left < painter.px(30)) return;
    left += draw_text(painter, list, {left, y}, TextStyle::kSection, p.text, name) + painter.px(8);
    left += draw_text(painter, list, {left, y + painter.px(1)}, TextStyle::kSmall, p.muted,
                      fitted(painter, TextStyle::kSmall, text, right - left)) +
            painter.px(22);
  }
  if (!progress.empty() && right - left > painter.px(60))
    draw_text(painter, list, {left, y + painter.px(1)}, TextStyle::kSmall, p.text,
              fitted(painter, TextStyle::kSmall, progress, right - left));
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
  if (app.comparison) draw_words(app, state, start.x, right, y + painter.px(3));
  ImGui::EndChild();
}

}  // namespace dispersion
