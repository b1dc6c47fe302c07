#include "app/panels/notices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/painter.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

enum class Source { kRun, kKept };

struct Notice {
  Source source;
  std::string text;
};

constexpr float kLine = 34;
constexpr float kButton = 26;
constexpr float kBetween = 6;
constexpr float kTextMargin = 14;
constexpr float kLeastText = 200;     // with less room beside the buttons, the text is above them
constexpr double kDoubleClick = 0.7;  // seconds that its second press may come later

std::vector<Notice> notices(const AppState& app) {
  std::vector<Notice> all;
  if (app.status.phase == RunPhase::kDiverged || !app.status.notice.empty()) {
    all.push_back({Source::kRun,
                   app.status.notice.empty()
                       ? "Training stopped: the loss is not finite. The last good state is kept."
                       : app.status.notice});
  }
  if (!app.kept_runs.empty()) {
    std::string text = "Unsaved run: " + path_text(app.kept_runs.front().stem());
    const std::size_t more = app.kept_runs.size() - 1;
    if (more > 0) text += ", and " + std::to_string(more) + " more";
    all.push_back({Source::kKept, std::move(text)});
  }
  return all;
}

void draw_cpu_button(Session& session, Painter& painter, float right, float y) {
  const float width = painter.px(150);
  ImGui::SetCursorScreenPos({right - width, y});
  if (push_button(painter, "Go on with the CPU", ButtonKind::kPrimary, width,
                  "The run goes on from the step that was kept, on the processor.")) {
    session.send(GoOnWithCpuCommand{});
  }
}

// Bring back, discard, or leave it to the next start. The next offer comes to the same place: the
// second press of a double click does not answer it too.
void draw_kept_buttons(AppState& app, Session& session, PanelState& state, float right, float y) {
  Painter& painter = state.painter;
  const float width = painter.px(96);
  const float step = width + painter.px(6);
  const std::filesystem::path run = app.kept_runs.front();
  ImGui::SetCursorScreenPos({right - width, y});
  const bool later = push_button(painter, "Later###kept later", ButtonKind::kPlain, width,
                                 "The run stays where it is; the next start offers it again.");
  ImGui::SetCursorScreenPos({right - width - step, y});
  const bool discard = push_button(painter, "Discard###kept discard", ButtonKind::kPlain, width,
                                   "Removes the run for good.");
  ImGui::SetCursorScreenPos({right - width - 2 * step, y});
  const bool back = push_button(painter, "Bring back###kept back", ButtonKind::kPrimary, width,
                                "Opens the run as it stood when it was left.");
  const bool answered = back || discard || later;
  if (!answered || painter.now < state.kept_answered + kDoubleClick) return;
  if (back) session.send(OpenKeptCommand{run});
  if (discard) session.send(DiscardKeptCommand{run});
  app.kept_runs.erase(app.kept_runs.begin());
  state.kept_answered = painter.now;
}

float buttons_width(const Painter& painter, Source source, RunPhase phase) {
  if (source == Source::kKept) return painter.px(316);
  if (phase == RunPhase::kDiverged) return painter.px(278);
  return phase == RunPhase::kDeviceLost ? painter.px(166) : 0;
}

// A notice is as high as its whole text needs.
struct NoticeShape {
  float text_width = 0;
  float text_height = 0;
  float height = 0;
  float buttons = 0;  // how far below its top they begin
};

NoticeShape shape(const Painter& painter, const Notice& notice, RunPhase phase, float width) {
  const float buttons = buttons_width(painter, notice.source, phase);
  const float all = width - painter.px(2 * kTextMargin);
  const bool beside = all - buttons >= painter.px(kLeastText) || buttons == 0;
  NoticeShape result;
  result.text_width = std::max(1.0F, beside ? all - buttons : all);
  result.text_height =
      flow_height(painter, TextStyle::kBody, as_sentence(notice.text), result.text_width);
  result.height = std::max(painter.px(kLine), result.text_height + painter.px(17));
  result.buttons = std::round((result.height - painter.px(kButton)) / 2);
  if (beside) return result;
  result.buttons = result.text_height + painter.px(14);
  result.height = result.buttons + painter.px(30);
  return result;
}

void draw_run_buttons(AppState& app, Session& session, PanelState& state, float right, float y) {
  Painter& painter = state.painter;
  const float halve = painter.px(140);
  const float back = painter.px(118);
  ImGui::SetCursorScreenPos({right - halve, y});
  action_button({app, session, state}, "run.halve", "Halve learning rate", ButtonKind::kPrimary,
                halve);
  ImGui::SetCursorScreenPos({right - halve - painter.px(6) - back, y});
  if (push_button(painter, "Back to its start", ButtonKind::kPlain, back,
                  "Rewinds this run to the weights it began with.")) {
    rewind(session);
  }
}

void draw_notice(AppState& app, Session& session, PanelState& state, const Notice& notice,
                 float width) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const RunPhase phase = app.status.phase;
  const NoticeShape at = shape(painter, notice, phase, width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(start, {start.x + width, start.y + at.height},
                      packed(mix(p.panel, p.adaptive, 0.14F)), painter.px(4));
  list->AddRectFilled(start, {start.x + painter.px(3), start.y + at.height}, packed(p.adaptive),
                      painter.px(2));
  draw_wrapped(painter, {start.x + painter.px(kTextMargin), start.y + painter.px(8)},
               TextStyle::kBody, p.text, as_sentence(notice.text), at.text_width);
  const float right = start.x + width - painter.px(6);
  const float y = start.y + at.buttons;
  if (notice.source == Source::kKept) {
    draw_kept_buttons(app, session, state, right, y);
  } else if (phase == RunPhase::kDiverged) {
    draw_run_buttons(app, session, state, right, y);
  } else if (phase == RunPhase::kDeviceLost) {
    draw_cpu_button(session, painter, right, y);
  }
  ImGui::SetCursorScreenPos({start.x, start.y + at.height + painter.px(kBetween)});
}

}  // namespace

float notice_height(const AppState& app, const Painter& painter, float width) {
  float height = 0;
  for (const Notice& notice : notices(app))
    height += shape(painter, notice, app.status.phase, width).height + painter.px(kBetween);
  return height;
}

void draw_notices(AppState& app, Session& session, PanelState& state, float width) {
  for (const Notice& notice : notices(app))
    draw_notice(app, session, state, notice, width);
}

}  // namespace dispersion
