#include "app/panels/presentation_panel.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/lesson/presentation.h"
#include "app/panels/actions_table.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/panels.h"
#include "app/panels/view_grid.h"
#include "app/panels/widgets.h"
#include "app/session/run_status.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr float kFoot = 32;
constexpr float kMargin = 8;
constexpr float kColumn = 352;        // of a lesson's text
constexpr float kColumnShare = 0.4F;  // of the width that it takes at most
constexpr float kStacked = 640;       // in a window narrower than this, the text stands above
constexpr float kStackedShare = 0.45F;
constexpr double kRingShown = 2;  // seconds after the last move
constexpr float kRing = 22;

// The view that is presented, whatever the desk shows beside it.
void draw_presented_view(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size) {
  if (app.view.grid.shape != GridShape::kOne) {
    draw_panes(app, state, corner, size);
  } else if (app.view.view == View::kAttention) {
    draw_maps_and_curves(app, state, corner, size);
  } else {
    draw_experiment_view(app, state, app.view.view, true, corner, size);
  }
}

// Keys of what is presented, longest first; each but the first leaves out what matters least.
std::vector<std::string> key_texts(const AppState& app) {
  const bool sizes = steps_of(app) == Steps::kSizes;
  const std::string steps = sizes ? "→ doubles n   ← halves it" : "→ on   ← back";
  const std::string digits = sizes ? "" : "   1–9 step";
  return {steps + digits + "   B blank   C controls   Esc leaves",
          steps + "   B blank   C controls   Esc leaves", steps + "   Esc leaves", "Esc leaves"};
}

std::string fitting(const Painter& painter, const std::vector<std::string>& texts, float room) {
  const auto fits = std::ranges::find_if(texts, [&](const std::string& text) {
    return measure(painter, TextStyle::kSmall, text).x <= room;
  });
  return fits == texts.end() ? "" : *fits;
}

// A button of the foot; returns where it ends.
float foot_button(const Actor& actor, const char* action, const char* label, ImVec2 at) {
  ImGui::SetCursorScreenPos(at);
  action_button(actor, action, label, ButtonKind::kPlain, 0);
  return ImGui::GetItemRectMax().x + actor.state.painter.px(6);
}

}  // namespace

std::string presented_place(const AppState& app) {
  const Presentation& shown = *app.presentation;
  switch (steps_of(app)) {
    case Steps::kLesson:
      return std::to_string(shown.step + 1) + " of " + std::to_string(step_count(app)) + "  ·  " +
             shown.lesson->title;
    case Steps::kBookmarks:
      if (const Bookmark* bookmark = presented_bookmark(app))
        return std::to_string(shown.step) + " of " + std::to_string(step_count(app)) + "  ·  " +
               bookmark->name;
      return "the desk; bookmarks that follow: " + std::to_string(step_count(app));
    case Steps::kSizes:
      break;
  }
  return "n = " + grouped_text(app.view.focused_items);
}

std::string presented_progress(const AppState& app) {
  if (!app.status.notice.empty()) return as_sentence(app.status.notice);
  if (app.status.phase == RunPhase::kTraining) return "training, step " + step_text(app.status);
  if (app.view.view != View::kAttention) {
    const ExperimentState& experiment = app.experiments.of(app.view.view);
    return experiment.busy() ? "being computed: " + experiment_progress_text(experiment) : "";
  }
  if (!app.snapshot || app.stale()) return "being computed …";
  return app.snapshot->complete ? "" : "more sets are being counted …";
}

float presentation_foot_height(const Painter& painter) {
  return painter.px(kFoot);
}

void draw_presentation_foot(AppState& app, Session& session, PanelState& state, ImVec2 size) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const Actor actor = {app, session, state};
  const float margin = painter.px(14);
  const float top = size.y - presentation_foot_height(painter);
  ImGui::SetCursorScreenPos({0, top});
  ImGui::BeginChild("presentation foot", {size.x, size.y - top}, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({0, top}, size, packed(p.panel));
  float x = foot_button(actor, "present.back", "‹###present back", {margin, top + painter.px(3)});
  x = foot_button(actor, "present.next", "›###present on", {x, top + painter.px(3)});
  x += painter.px(6);
  const float y = top + painter.px(8);
  std::string place = presented_place(app);
  const Presentation& shown = *app.presentation;
  if (shown.pages > 1)
    place += "  ·  part " + std::to_string(shown.page + 1) + " of " + std::to_string(shown.pages);
  x += draw_text(painter, list, {x, y}, TextStyle::kSmall, p.text,
                 fitted(painter, TextStyle::kSmall, place, size.x - x - margin));
  const std::string progress = presented_progress(app);
  const float gap = painter.px(24);
  const float wanted = progress.empty() ? 0 : measure(painter, TextStyle::kSmall, progress).x + gap;
  const std::string keys = fitting(painter, key_texts(app), size.x - x - wanted - gap - margin);
  const float keys_width = measure(painter, TextStyle::kSmall, keys).x;
  const float right = size.x - margin - keys_width;
  draw_text(painter, list, {right, y}, TextStyle::kSmall, p.muted, keys);
  draw_text(painter, list, {x + gap, y}, TextStyle::kSmall, p.muted,
            fitted(painter, TextStyle::kSmall, progress, right - x - 2 * gap));
  ImGui::EndChild();
}

void draw_pointer_ring(AppState& app, Painter& painter) {
  Presentation& shown = *app.presentation;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) shown.moved_at = painter.now;
  if (painter.now > shown.moved_at + kRingShown || !ImGui::IsMousePosValid()) return;
  painter.redraw(shown.moved_at + kRingShown + 0.01);
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const Palette& p = *painter.palette;
  const float radius = painter.px(kRing);
  list->AddCircleFilled(io.MousePos, radius, packed(p.adaptive, 0.22F));
  list->AddCircle(io.MousePos, radius, packed(p.adaptive), 0, std::max(2.0F, 2 * painter.scale));
}

void draw_presentation(AppState& app, Session& session, PanelState& state, ImVec2 size) {
  const Painter& painter = state.painter;
  if (app.presentation->blank) {
    ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, size, IM_COL32_BLACK);
    return;
  }
  const float margin = painter.px(kMargin);
  ImVec2 corner = {margin, margin};
  ImVec2 room = {size.x - 2 * margin, size.y - presentation_foot_height(painter) - 2 * margin};
  if (app.presentation->lesson && size.x < painter.px(kStacked)) {
    const float text = std::floor(room.y * kStackedShare);
    draw_lesson_column(app, session, state, corner, {room.x, text});
    corner.y += text + margin;
    room.y -= text + margin;
  } else if (app.presentation->lesson) {
    const float text = std::floor(std::min(painter.px(kColumn), kColumnShare * room.x));
    draw_lesson_column(app, session, state, corner, {text, room.y});
    corner.x += text + margin;
    room.x -= text + margin;
  }
  draw_presented_view(app, state, corner, room);
  draw_presentation_foot(app, session, state, size);
}

}  // namespace dispersion
