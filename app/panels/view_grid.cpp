#include "app/panels/view_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/panels/figure_panels.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/menu.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kBetween = 8;
constexpr float kHeader = 30;
constexpr float kAccent = 2;
constexpr float kShapeMenuWidth = 280;
constexpr float kCurvesBelow = 420;  // from this height on, curves stand below the heat maps

struct Box {
  ImVec2 corner;
  ImVec2 size;
};

std::array<int, 2> columns_and_rows(GridShape shape) {
  const bool across = shape == GridShape::kBeside || shape == GridShape::kFour;
  const bool down = shape == GridShape::kBelow || shape == GridShape::kFour;
  return {across ? 2 : 1, down ? 2 : 1};
}

Box box_of(GridShape shape, std::size_t pane, ImVec2 corner, ImVec2 size, float between) {
  const auto [columns, rows] = columns_and_rows(shape);
  const auto across = static_cast<float>(columns);
  const auto down = static_cast<float>(rows);
  const ImVec2 each = {std::floor((size.x - between * (across - 1)) / across),
                       std::floor((size.y - between * (down - 1)) / down)};
  const auto column = static_cast<float>(static_cast<int>(pane) % columns);
  const auto row = static_cast<float>(static_cast<int>(pane) / columns);
  return {{corner.x + column * (each.x + between), corner.y + row * (each.y + between)}, each};
}

// --- Menus ---

// A picture of the panes, in a square of 16 logical pixels.
void draw_shape(const Painter& painter, GridShape shape, ImVec2 at, Colour value) {
  const auto [columns, rows] = columns_and_rows(shape);
  const float line = std::max(1.0F, std::floor(painter.scale));
  const ImVec2 size = {painter.px(16), painter.px(14)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = packed(value);
  list->AddRect(at, {at.x + size.x, at.y + size.y}, ink, painter.px(2), line);
  const ImVec2 middle = {std::floor(at.x + size.x / 2), std::floor(at.y + size.y / 2)};
  if (columns == 2) list->AddRectFilled({middle.x, at.y}, {middle.x + line, at.y + size.y}, ink);
  if (rows == 2) list->AddRectFilled({at.x, middle.y}, {at.x + size.x, middle.y + line}, ink);
}

// --- A pane ---

std::string pane_id(const char* what, std::size_t pane) {
  return what + std::to_string(pane + 1);
}

void draw_view_list(AppState& app, Painter& painter, const Pane& shown, ImVec2 at) {
  if (!begin_menu(painter, "views of pane", at)) return;
  for (const Pane& pane : pane_choices(app.experiments.views)) {
    const std::string title(pane_title(pane));
    const std::string help = pane.part == AttentionPart::kAll ? view_help(pane.view) : "";
    const MenuLine line = {
        .id = "###show " + title, .text = title, .chosen = pane == shown, .help = help};
    if (menu_line(painter, line)) show_in_focus(app.view, pane);
  }
  end_menu();
}

// What the line of the pane says beside its name: how far its computation is.
std::string note_of(const AppState& app, const Pane& pane) {
  if (pane.view == View::kAttention) return "";
  return experiment_note(app.experiments.of(pane.view));
}

// The sentence of the figure, for which a pane has no room.
std::string sentence_of(const AppState& app, const Pane& pane) {
  if (pane.view == View::kAttention) return view_help(pane.view);
  const auto& result = app.experiments.of(pane.view).result;
  return result ? result->figure.sentence.text() : view_help(pane.view);
}

// The button at the right end: this view alone.
void draw_enlarge(AppState& app, PanelState& state, std::size_t pane, ImVec2 at) {
  Painter& painter = state.painter;
  ImGui::SetCursorScreenPos(at);
  const float side = painter.px(24);
  const bool pressed =
      ImGui::InvisibleButton(pane_id("###enlarge pane ", pane).c_str(), {side, side}, kFocusable);
  const bool lit = ImGui::IsItemHovered();
  help_tooltip(painter, "This view alone.");
  draw_shape(painter, GridShape::kOne, {at.x + painter.px(4), at.y + painter.px(5)},
             lit ? painter.palette->text : painter.palette->muted);
  if (!pressed) return;
  focus_pane(app.view, pane);
  set_shape(app.view, GridShape::kOne);
}

// The switch between heat maps and surfaces, where the pane shows fields, with its right end at
// `right`. Returns its left end.
float draw_fields_switch(AppState& app, Painter& painter, const Pane& pane, std::size_t index,
                         float right, float y) {
  if (pane.view == View::kAttention) return right;
  const auto& result = app.experiments.of(pane.view).result;
  if (!result || result->figure.fields.empty()) return right;
  const char* label = app.view.surfaces ? "as heat maps" : "as surfaces";
  const float width = measure(painter, TextStyle::kSmall, label).x + painter.px(16);
  ImGui::SetCursorScreenPos({right - width, y});
  if (ImGui::InvisibleButton(pane_id("###fields of pane ", index).c_str(), {width, painter.px(26)},
                             kFocusable))
    app.view.surfaces = !app.view.surfaces;
  const bool lit = ImGui::IsItemHovered();
  help_tooltip(painter, "The same numbers as colours on a plane, or as heights.");
  draw_text(painter, ImGui::GetWindowDrawList(), {right - width + painter.px(8), y + painter.px(6)},
            TextStyle::kSmall, lit ? painter.palette->text : painter.palette->muted, label);
  return right - width;
}

void draw_header(AppState& app, PanelState& state, std::size_t index, const Pane& pane, Box box) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const bool focused = index == app.view.grid.focused;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end = {box.corner.x + box.size.x, box.corner.y + box.size.y};
  list->AddRectFilled(box.corner, end, packed(p.panel));
  if (focused)
    list->AddRectFilled(box.corner, {end.x, box.corner.y + painter.px(kAccent)},
                        packed(p.baseline));
  const std::string label = std::string(pane_title(pane)) + "  ▾";
  const float room = box.size.x - painter.px(14 + 34);
  const std::string text = fitted(painter, TextStyle::kBody, label, room);
  const ImVec2 at = {box.corner.x + painter.px(14), box.corner.y + painter.px(7)};
  ImGui::SetCursorScreenPos({box.corner.x + painter.px(6), box.corner.y + painter.px(kAccent)});
  const float width = measure(painter, TextStyle::kBody, text).x;
  if (ImGui::InvisibleButton(pane_id("###view of pane ", index).c_str(),
                             {width + painter.px(16), painter.px(26)}, kFocusable)) {
    focus_pane(app.view, index);
    ImGui::OpenPopup("views of pane");
  }
  const bool lit = ImGui::IsItemHovered();
  help_tooltip(painter, sentence_of(app, pane));
  draw_text(painter, list, at, TextStyle::kBody, focused || lit ? p.text : p.muted, text);
  draw_view_list(app, painter, pane, {box.corner.x + painter.px(6), end.y + painter.px(2)});
  const std::string note = note_of(app, pane);
  const float left = at.x + width + painter.px(14);
  const float right = draw_fields_switch(app, painter, pane, index, end.x - painter.px(34),
                                         box.corner.y + painter.px(kAccent));
  draw_text(painter, list, {left, at.y + painter.px(1)}, TextStyle::kSmall, p.muted,
            fitted(painter, TextStyle::kSmall, note, right - left));
  draw_enlarge(app, state, index, {end.x - painter.px(30), box.corner.y + painter.px(kAccent + 1)});
}

void draw_body(AppState& app, PanelState& state, const Pane& pane, Box box) {
  ImGui::SetCursorScreenPos(box.corner);
  if (pane.view != View::kAttention) {
    draw_experiment_view(app, state, pane.view, false, box.corner, box.size);
    return;
  }
  switch (pane.part) {
    case AttentionPart::kAll:
      draw_maps_and_curves(app, state, box.corner, box.size);
      break;
    case AttentionPart::kMaps:
      draw_heatmap_panel(app, state, box.size);
      break;
    case AttentionPart::kCurves:
      draw_curves(app, state, box.size);
      break;
    case AttentionPart::kTraining:
      draw_history_panel(app, state, box.size);
      break;
  }
}

void draw_pane(AppState& app, PanelState& state, std::size_t index, Box box) {
  const Pane pane = pane_at(app.view, index);
  const float header = state.painter.px(kHeader);
  ImGui::SetCursorScreenPos(box.corner);
  ImGui::BeginChild(pane_id("pane ", index).c_str(), box.size, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  // Whatever is pressed in a pane, it gets the focus with that.
  constexpr ImGuiHoveredFlags kInside =
      ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem;
  const bool pressed =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (pressed && ImGui::IsWindowHovered(kInside)) focus_pane(app.view, index);
  draw_body(app, state, pane,
            {{box.corner.x, box.corner.y + header}, {box.size.x, box.size.y - header}});
  draw_header(app, state, index, pane, {box.corner, {box.size.x, header}});
  ImGui::EndChild();
}

}  // namespace

void draw_maps_and_curves(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size) {
  const float between = state.painter.px(kBetween);
  float maps = size.y;
  const bool curves = size.y > state.painter.px(kCurvesBelow);
  if (curves) maps = heatmap_panel_height(state, size.x, std::floor(size.y * 0.56F));
  ImGui::SetCursorScreenPos(corner);
  draw_heatmap_panel(app, state, {size.x, maps});
  if (!curves) return;
  ImGui::SetCursorScreenPos({corner.x, corner.y + maps + between});
  draw_curves(app, state, {size.x, size.y - maps - between});
}

void draw_panes(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size) {
  const GridShape shape = app.view.grid.shape;
  // Each panel of heat maps forgets the cell that was pointed at before.
  AppState::Pointer pointer;
  app.pointer = {};
  for (const std::size_t pane : shown_panes(app.view.grid)) {
    draw_pane(app, state, pane, box_of(shape, pane, corner, size, state.painter.px(kBetween)));
    if (app.pointer.items > 0) pointer = app.pointer;
  }
  app.pointer = pointer;
}

std::span<const ShapeName> shape_names() {
  static constexpr std::array<ShapeName, 4> kNames = {
      {{GridShape::kOne, "view.one", "One view"},
       {GridShape::kBeside, "view.beside", "Two views side by side"},
       {GridShape::kBelow, "view.below", "Two views, one below the other"},
       {GridShape::kFour, "view.four", "Four views"}}};
  return kNames;
}

void draw_shape_button(const Actor& actor, ImVec2 at) {
  AppState& app = actor.app;
  Painter& painter = actor.state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 size = {painter.px(kShapeButton), painter.px(26)};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("###views beside one another", size, kFocusable))
    ImGui::OpenPopup("shapes");
  const bool lit = ImGui::IsItemHovered();
  help_tooltip(painter, "One view, or several beside one another.");
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y},
                                            packed(lit ? p.line : p.raised), painter.px(5));
  draw_shape(painter, app.view.grid.shape, {at.x + painter.px(7), at.y + painter.px(6)}, p.text);
  if (!begin_menu(painter, "shapes", {at.x, at.y + painter.px(30)})) return;
  const std::vector<Action> all = actions(app, actor.state);
  for (const ShapeName& each : shape_names()) {
    const Action* action = find_action(all, each.action);
    const MenuLine line = {.id = std::string("###") + each.name,
                           .text = each.name,
                           .note = action != nullptr ? chords_text(*action) : "",
                           .chosen = app.view.grid.shape == each.shape,
                           .width = kShapeMenuWidth,
                           .picture = [&](ImVec2 corner, Colour ink) {
                             draw_shape(painter, each.shape, corner, ink);
                           }};
    if (menu_line(painter, line)) set_shape(app.view, each.shape);
  }
  end_menu();
}

}  // namespace dispersion
