#include "app/panels/layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/lesson/presentation.h"
#include "app/panels/bookmarks_card.h"
#include "app/panels/compared_figures.h"
#include "app/panels/comparison_bar.h"
#include "app/panels/file_dialog.h"
#include "app/panels/history_card.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/marks.h"
#include "app/panels/notices.h"
#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/panels/presentation_panel.h"
#include "app/panels/view_grid.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kTopBar = 46;
constexpr float kStatusLine = 30;
constexpr float kColumn = 276;
constexpr float kBetween = 8;

void draw_band(const Painter& painter, float left, float right, float top, float bottom) {
  ImGui::GetWindowDrawList()->AddRectFilled({left, top}, {right, bottom},
                                            packed(painter.palette->panel));
}

// Begins a column of panels, which scrolls when they do not fit.
void begin_column(const Painter& painter, const char* id, ImVec2 corner, ImVec2 size) {
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(painter.palette->panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(14), painter.px(16)});
  ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding | kTabbedThrough);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void draw_controls(AppState& app, Session& session, PanelState& state, ImVec2 corner, ImVec2 size) {
  begin_column(state.painter, "controls", corner, size);
  draw_training_panel(app, session, state);
  gap(state.painter, 8);
  draw_attention_controls(app, state);
  gap(state.painter, 8);
  draw_size_panel(app, state);
  gap(state.painter, 8);
  draw_recipe_panel(app, session, state);
  ImGui::EndChild();
}

// The details about the focused n and the cell under the pointer.
void draw_focused_size_column(const AppState& app, PanelState& state, ImVec2 corner, ImVec2 size) {
  begin_column(state.painter, "details", corner, size);
  draw_focused_size_panel(app, state);
  gap(state.painter, 10);
  draw_why_panel(app, state);
  gap(state.painter, 10);
  draw_pointer_panel(app, state);
  ImGui::EndChild();
}

// Draws the notices, and takes their height from the room below.
void put_notices(AppState& app, Session& session, PanelState& state, ImVec2& corner, ImVec2& size) {
  const float height = notice_height(app, state.painter, size.x);
  ImGui::SetCursorScreenPos(corner);
  if (height > 0) draw_notices(app, session, state, size.x);
  corner.y += height;
  size.y -= height;
}

// A part of the attention view that fills this room.
void draw_page(AppState& app, Session& session, PanelState& state, Page page, ImVec2 corner,
               ImVec2 size) {
  ImGui::SetCursorScreenPos(corner);
  switch (page) {
    case Page::kAttention:
      draw_heatmap_panel(app, state, size);
      break;
    case Page::kCurves:
      draw_curves(app, state, size);
      break;
    case Page::kTraining:
      draw_history_panel(app, state, size);
      break;
    case Page::kControls:
      draw_controls(app, session, state, corner, size);
      break;
    case Page::kFocusedSize:
      draw_focused_size_column(app, state, corner, size);
      break;
  }
}

// The switch of a view that is too low for all its parts: maps, curves and run from `first` on.
// Returns the part that is shown and takes the height of the switch from the room.
Page put_part_switch(PanelState& state, Page first, ImVec2& corner, ImVec2& size) {
  constexpr std::array<const char*, 3> kNames = {"Maps", "Curves", "Run"};
  const Painter& painter = state.painter;
  const int begin = static_cast<int>(first);
  const int count = static_cast<int>(kNames.size()) - begin;
  const int page = static_cast<int>(state.page) - begin;
  int chosen = page >= 0 && page < count ? page : 0;
  ImGui::SetCursorScreenPos(corner);
  ImGui::BeginChild("parts",
                    {std::min(size.x, painter.px(86) * static_cast<float>(count)), painter.px(24)},
                    kTabbedThrough);
  if (segments(state.painter, "part", kNames.data() + begin, count, chosen,
               "This window is too low for maps, curves and the run at once."))
    state.page = static_cast<Page>(chosen + begin);
  ImGui::EndChild();
  corner.y += painter.px(30);
  size.y -= painter.px(30);
  return static_cast<Page>(chosen + begin);
}

// Heat maps on top, curves below them, the history of the run at the bottom. A low window has a
// switch for what it has no room for.
void draw_view(AppState& app, Session& session, PanelState& state, ImVec2 corner, ImVec2 size) {
  const Painter& painter = state.painter;
  const float between = painter.px(kBetween);
  put_notices(app, session, state, corner, size);
  const float logical = size.y / painter.scale;
  if (logical <= 420) {
    const Page page = put_part_switch(state, Page::kAttention, corner, size);
    draw_page(app, session, state, page, corner, size);
    return;
  }
  const bool history = logical > 640;
  const float switch_height = history ? 0 : painter.px(30);
  const float history_height = history ? std::floor(size.y * 0.19F) : 0;
  const float rest = size.y - switch_height - (history ? history_height + between : 0);
  const float maps = heatmap_panel_height(state, size.x, std::floor(rest * 0.56F));
  draw_page(app, session, state, Page::kAttention, corner, {size.x, maps});
  ImVec2 lower = {corner.x, corner.y + maps + between};
  ImVec2 room = {size.x, size.y - maps - between};
  if (!history) {
    const Page page = put_part_switch(state, Page::kCurves, lower, room);
    draw_page(app, session, state, page, lower, room);
    return;
  }
  draw_page(app, session, state, Page::kCurves, lower, {size.x, rest - maps - between});
  draw_page(app, session, state, Page::kTraining, {corner.x, corner.y + size.y - history_height},
            {size.x, history_height});
}

// The one column of a medium window: controls or details, with a switch above.
void draw_shared_column(AppState& app, Session& session, PanelState& state, ImVec2 corner,
                        ImVec2 size) {
  Painter& painter = state.painter;
  constexpr std::array<const char*, 2> kNames = {"Controls", "Details"};
  int chosen = state.column_shows_focused_size ? 1 : 0;
  const float switch_height = painter.px(36);
  const float margin = painter.px(14);
  draw_band(painter, corner.x, corner.x + size.x, corner.y, corner.y + switch_height);
  ImGui::SetCursorScreenPos({corner.x + margin, corner.y + painter.px(12)});
  ImGui::BeginChild("column switch", {size.x - 2 * margin, painter.px(24)}, kTabbedThrough);
  segments(painter, "column", kNames.data(), 2, chosen, "");
  ImGui::EndChild();
  state.column_shows_focused_size = chosen == 1;
  corner.y += switch_height;
  size.y -= switch_height;
  if (chosen == 1) {
    draw_focused_size_column(app, state, corner, size);
  } else {
    draw_controls(app, session, state, corner, size);
  }
}

void draw_experiment_column(AppState& app, Session& session, PanelState& state, ImVec2 corner,
                            ImVec2 size) {
  begin_column(state.painter, "experiment controls", corner, size);
  draw_experiment_controls(app, state);
  gap(state.painter, 8);
  draw_training_panel(app, session, state);
  ImGui::EndChild();
}

// The view of an experiment: its settings in a column on the left, its figure in the rest.
void draw_experiment(AppState& app, Session& session, PanelState& state, Arrangement how,
                     ImVec2 corner, ImVec2 size) {
  const Painter& painter = state.painter;
  const bool small = how == Arrangement::kSmall;
  const float between = small ? 0 : painter.px(kBetween);
  const float column = small ? 0 : painter.px(kColumn);
  if (small && state.experiment_settings) {
    draw_experiment_column(app, session, state, corner, size);
    return;
  }
  if (!small) draw_experiment_column(app, session, state, corner, {column, size.y});
  ImVec2 view = {corner.x + column + between, corner.y + between};
  ImVec2 room = {size.x - column - 2 * between, size.y - 2 * between};
  put_notices(app, session, state, view, room);
  draw_experiment_view(app, state, app.view.view, true, view, room);
}

// Several views beside one another, with one column for that in focus on their left.
void draw_grid(AppState& app, Session& session, PanelState& state, ImVec2 corner, ImVec2 size) {
  const float between = state.painter.px(kBetween);
  const float column = state.painter.px(kColumn);
  if (app.view.view == View::kAttention) {
    draw_shared_column(app, session, state, corner, {column, size.y});
  } else {
    draw_experiment_column(app, session, state, corner, {column, size.y});
  }
  ImVec2 panes = {corner.x + column + between, corner.y + between};
  ImVec2 room = {size.x - column - 2 * between, size.y - 2 * between};
  put_notices(app, session, state, panes, room);
  draw_panes(app, state, panes, room);
}

// The page of the attention view that a small window shows.
void draw_small(AppState& app, Session& session, PanelState& state, ImVec2 corner, ImVec2 size) {
  put_notices(app, session, state, corner, size);
  draw_page(app, session, state, state.page, corner, size);
}

void draw_middle(AppState& app, Session& session, PanelState& state, Arrangement how, ImVec2 corner,
                 ImVec2 size) {
  const Painter& painter = state.painter;
  const float between = painter.px(kBetween);
  const float column = painter.px(kColumn);
  const ImVec2 view = {corner.x + column + between, corner.y + between};
  const bool room = how == Arrangement::kWide || how == Arrangement::kMedium;
  if (room && app.view.grid.shape != GridShape::kOne) {
    draw_grid(app, session, state, corner, size);
    return;
  }
  if (app.view.view != View::kAttention) {
    draw_experiment(app, session, state, how, corner, size);
    return;
  }
  switch (how) {
    case Arrangement::kWide:
      draw_controls(app, session, state, corner, {column, size.y});
      draw_view(app, session, state, view, {size.x - 2 * (column + between), size.y - 2 * between});
      draw_focused_size_column(app, state, {corner.x + size.x - column, corner.y},
                               {column, size.y});
      break;
    case Arrangement::kMedium:
      draw_shared_column(app, session, state, corner, {column, size.y});
      draw_view(app, session, state, view, {size.x - column - 2 * between, size.y - 2 * between});
      break;
    case Arrangement::kSmall:
    case Arrangement::kTooSmall:
      draw_small(app, session, state, corner, size);
      break;
  }
}

Arrangement arrangement_of(const Painter& painter, ImVec2 size) {
  return arrangement(size.x / painter.scale, size.y / painter.scale);
}

// What lies over everything between these corners: messages, and the card that is open.
void draw_cards(AppState& app, Session& session, PanelState& state, ImVec2 low, ImVec2 high) {
  const Painter& painter = state.painter;
  const float margin = painter.px(14);
  draw_reports(app, state, {low.x + margin, low.y + margin}, {high.x - margin, high.y - margin});
  // In a small window a card covers what is below it but for a narrow edge.
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const bool small = arrangement_of(painter, size) == Arrangement::kSmall;
  const float edge = small ? painter.px(4) : margin;
  low = {low.x + edge, low.y + edge};
  high = {high.x - edge, high.y - edge};
  if (state.keys_shown) draw_keys_list(app, state, low, high);
  if (state.bookmarks.shown) draw_bookmarks_card(app, session, state, low, high);
  if (state.history_shown) draw_history_card(app, state, low, high);
}

void draw_everything(AppState& app, Session& session, PanelState& state, Arrangement how,
                     ImVec2 size) {
  Painter& painter = state.painter;
  const float margin = painter.px(14);
  const float bar = painter.px(kTopBar);
  const float top = bar + comparison_bar_height(app, state);
  const float bottom = size.y - painter.px(kStatusLine);
  draw_band(painter, 0, size.x, 0, top);
  draw_band(painter, 0, size.x, bottom, size.y);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_middle(app, session, state, how, {0, top + 1}, {size.x, bottom - top - 1});
  const ImU32 line = packed(painter.palette->line);
  list->AddLine({0, top}, {size.x, top}, line);
  list->AddLine({0, bottom}, {size.x, bottom}, line);
  ImGui::SetCursorScreenPos({margin, 0});
  ImGui::BeginChild("top bar", {size.x - 2 * margin, bar}, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_top_bar(app, session, state, how == Arrangement::kSmall);
  ImGui::EndChild();
  if (app.comparison) {
    ImGui::SetCursorScreenPos({margin, bar});
    draw_comparison_bar(app, session, state, size.x - 2 * margin);
  }
  ImGui::SetCursorScreenPos({margin, bottom});
  ImGui::BeginChild("status line", {size.x - 2 * margin, size.y - bottom}, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_status_line(app, state);
  ImGui::EndChild();
  draw_cards(app, session, state, {0, top}, {size.x, bottom});
}

// What is presented, its controls shown or not.
void draw_presented(AppState& app, Session& session, PanelState& state, ImVec2 size) {
  if (app.presentation->controls && !app.presentation->blank) {
    const float foot = presentation_foot_height(state.painter);
    const ImVec2 desk = {size.x, size.y - foot};
    draw_everything(app, session, state, arrangement_of(state.painter, desk), desk);
    draw_presentation_foot(app, session, state, size);
  } else {
    draw_presentation(app, session, state, size);
    draw_cards(app, session, state, {0, 0}, size);
  }
  draw_pointer_ring(app, state.painter);
}

}  // namespace

Arrangement arrangement(float logical_width, float logical_height) {
  if (logical_width < 260 || logical_height < 150) return Arrangement::kTooSmall;
  if (logical_width < 700 || logical_height < 300) return Arrangement::kSmall;
  return logical_width < 1120 ? Arrangement::kMedium : Arrangement::kWide;
}

void draw_lab(AppState& app, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  painter.values.clear();
  painter.arrows_left = false;
  const std::string wanted = painter.wanted_field;
  take_marks(app, state);
  state.figures.update(app);
  update_compared_figures(app, state);
  take_answer(app, state);
  forget_success(app, state);
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  // The cleared ground shows through: to fill the window once more would take a third of the time
  // that software needs to draw a frame.
  ImGui::Begin("lab", nullptr,
               ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  const Arrangement how = arrangement_of(painter, size);
  if (presents(app)) {
    draw_presented(app, session, state, size);
  } else if (how == Arrangement::kTooSmall) {
    draw_empty(painter, {0, 0}, size, "A little larger, please");
  } else {
    draw_everything(app, session, state, how, size);
  }
  // A field that this window does not show does not get the keyboard later.
  if (!wanted.empty() && painter.wanted_field == wanted) painter.wanted_field.clear();
  const Actor actor = {app, session, state};
  share_arrows(painter);
  handle_keys(actor);
  draw_command_palette(actor);
  draw_export_dialog(app, state);
  draw_file_dialog(app, session, state);
  give_focus_back(painter);
  draw_focus_ring(painter);
  ImGui::End();
}

}  // namespace dispersion
