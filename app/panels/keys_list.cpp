#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/panel_frame.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kLine = 23;
constexpr float kHeading = 30;
constexpr float kColumn = 310;
constexpr float kBetween = 30;  // columns
constexpr float kMargin = 22;
constexpr float kTitle = 60;

// The actions of a group that have keys.
struct Group {
  std::string name;
  std::vector<const Action*> rows;
};

std::vector<Group> groups_with_keys(const std::vector<Action>& all) {
  std::vector<Group> groups;
  for (const Action& action : all) {
    if (action.chords.empty()) continue;
    auto group = std::ranges::find(groups, action.group, &Group::name);
    if (group == groups.end()) group = groups.insert(groups.end(), {action.group, {}});
    group->rows.push_back(&action);
  }
  return groups;
}

float height_of(const Group& group) {
  return kHeading + kLine * static_cast<float>(group.rows.size());
}

// The groups one below the other, in as many columns of about the same height.
std::vector<std::vector<Group>> in_columns(const std::vector<Group>& groups, int columns) {
  float whole = 0;
  for (const Group& group : groups)
    whole += height_of(group);
  std::vector<std::vector<Group>> result(1);
  float height = 0;
  for (const Group& group : groups) {
    const bool last = static_cast<int>(result.size()) == columns;
    const float target = whole / static_cast<float>(columns);
    if (!last && height > 0 && height + height_of(group) / 2 > target) {
      result.emplace_back();
      height = 0;
    }
    result.back().push_back(group);
    height += height_of(group);
  }
  return result;
}

void draw_row(const Painter& painter, const Action& action, ImVec2 at, float width) {
  const std::string keys = chords_text(action);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float keys_width = measure(painter, TextStyle::kBody, keys).x;
  draw_text(painter, list, at, TextStyle::kBody, painter.palette->muted,
            fitted(painter, TextStyle::kBody, action.name, width - keys_width - painter.px(12)));
  draw_text(painter, list, {at.x + width - keys_width, at.y}, TextStyle::kBody,
            painter.palette->text, keys);
}

// Returns the height.
float draw_column(const Painter& painter, const std::vector<Group>& groups, ImVec2 at,
                  float width) {
  const float top = at.y;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const Group& group : groups) {
    draw_text(painter, list, {at.x, at.y + painter.px(6)}, TextStyle::kSection,
              painter.palette->text, group.name);
    at.y += painter.px(kHeading);
    for (const Action* action : group.rows) {
      draw_row(painter, *action, at, width);
      at.y += painter.px(kLine);
    }
  }
  return at.y - top;
}

float tallest(const std::vector<std::vector<Group>>& columns) {
  float most = 0;
  for (const auto& column : columns) {
    float height = 0;
    for (const Group& group : column)
      height += height_of(group);
    most = std::max(most, height);
  }
  return most;
}

// The keys scroll the list where it does not fit.
void scroll_by_keys(float line, float page) {
  float by = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) by += line;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) by -= line;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) by += page;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) by -= page;
  if (by != 0)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0F, ImGui::GetScrollMaxY()));
}

}  // namespace

void draw_keys_list(const AppState& app, PanelState& state, ImVec2 low, ImVec2 high) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const std::vector<Action> all = actions(app, state);
  const std::vector<Group> groups = groups_with_keys(all);
  const float margin = painter.px(kMargin);
  const float pitch = painter.px(kColumn + kBetween);
  const float room = high.x - low.x - 2 * margin;
  const int columns = std::clamp(static_cast<int>((room + painter.px(kBetween)) / pitch), 1, 3);
  const std::vector<std::vector<Group>> parts = in_columns(groups, columns);
  const float width = columns == 1
                          ? std::min(room, painter.px(kColumn))
                          : pitch * static_cast<float>(parts.size()) - painter.px(kBetween);
  const float content = painter.px(tallest(parts));
  begin_card(painter, "keys", {width + 2 * margin, content + painter.px(kTitle) + margin}, low,
             high);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float inner = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float title =
      draw_text(painter, list, corner, TextStyle::kTitle, p.text, "Keys") + painter.px(14);
  draw_text(painter, list, {corner.x + title, corner.y + painter.px(2)}, TextStyle::kSmall, p.muted,
            fitted(painter, TextStyle::kSmall,
                   "Ctrl K finds everything else.  Esc hides this list.", inner - title));
  ImGui::Dummy({inner, painter.px(18)});
  ImGui::BeginChild("rows", {inner + margin - painter.px(6), 0}, kTabbedThrough);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < parts.size(); ++i)
    draw_column(painter, parts[i], {start.x + pitch * static_cast<float>(i), start.y},
                columns == 1 ? width : painter.px(kColumn));
  ImGui::Dummy({1, content});
  scroll_by_keys(painter.px(kLine), painter.px(kLine) * 5);
  ImGui::EndChild();
  end_card();
}

}  // namespace dispersion
