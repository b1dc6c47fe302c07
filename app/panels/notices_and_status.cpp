#include "app/panels/panels.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/painter.h"
#include "app/panels/widgets.h"
#include "app/session/run_status.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"
#include "core/io/checkpoint.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// kKept: a run of an earlier session; kStart: PanelState::notice
enum class Source { kRun, kReport, kKept, kStart };

struct Notice {
  Source source;
  bool good = false;
  std::string text;
};

constexpr float kLine = 34;
constexpr double kSuccessShown = 6;   // seconds
constexpr double kDoubleClick = 0.7;  // seconds that its second press may come later

std::vector<Notice> notices(const AppState& app, const PanelState& state) {
  std::vector<Notice> all;
  if (app.status.phase == RunPhase::kDiverged || !app.status.notice.empty()) {
    all.push_back({Source::kRun, false,
                   app.status.notice.empty()
                       ? "Training stopped: the loss is not finite. The last good state is kept."
                       : app.status.notice});
  }
  if (app.reports_added > state.reports_read) {
    all.push_back({Source::kReport, app.reports.back().ok, app.reports.back().text});
  }
  if (!app.kept_runs.empty()) {
    std::string text = "Unsaved run: " + path_text(app.kept_runs.front().stem());
    const std::size_t more = app.kept_runs.size() - 1;
    if (more > 0) text += ", and " + std::to_string(more) + " more";
    all.push_back({Source::kKept, false, std::move(text)});
  }
  if (!state.notice.empty()) all.push_back({Source::kStart, false, state.notice});
  return all;
}

void dismiss(const AppState& app, PanelState& state, Source source) {
  if (source == Source::kReport) state.reports_read = app.reports_added;
  if (source == Source::kStart) state.notice.clear();
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
  if (source != Source::kRun) return painter.px(80);
  if (phase == RunPhase::kDiverged) return painter.px(278);
  return phase == RunPhase::kDeviceLost ? painter.px(166) : 0;
}

void draw_run_buttons(AppState& app, Session& session, PanelState& state, float right, float y) {
  Painter& painter = state.painter;
  const float halve = painter.px(140);
  const float back = painter.px(118);
  ImGui::SetCursorScreenPos({right - halve, y});
  if (push_button(painter, "Halve learning rate", ButtonKind::kPrimary, halve,
                  "Starts a new run with half the learning rate.")) {
    app.run.recipe = app.status.recipe;
    app.run.recipe.learning_rate /= 2;
    start_run(app, session);
  }
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
  const float height = painter.px(kLine);
  const Colour accent = notice.good ? p.good : p.adaptive;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(start, {start.x + width, start.y + height},
                      packed(mix(p.panel, accent, 0.14F)), painter.px(4));
  list->AddRectFilled(start, {start.x + painter.px(3), start.y + height}, packed(accent),
                      painter.px(2));
  const float y = start.y + painter.px(4);
  const float right = start.x + width - painter.px(6);
  const bool of_run = notice.source == Source::kRun;
  const float buttons = buttons_width(painter, notice.source, app.status.phase);
  draw_text(painter, list, {start.x + painter.px(14), start.y + painter.px(8)}, TextStyle::kBody,
            p.text,
            fitted(painter, TextStyle::kBody, as_sentence(notice.text),
                   width - buttons - painter.px(30)));
  if (of_run && app.status.phase == RunPhase::kDiverged) {
    draw_run_buttons(app, session, state, right, y);
  } else if (of_run && app.status.phase == RunPhase::kDeviceLost) {
    draw_cpu_button(session, painter, right, y);
  } else if (notice.source == Source::kKept) {
    draw_kept_buttons(app, session, state, right, y);
  } else if (!of_run) {
    ImGui::SetCursorScreenPos({right - painter.px(64), y});
    const char* label = notice.source == Source::kReport ? "OK###report" : "OK###start";
    if (push_button(painter, label, ButtonKind::kPlain, painter.px(64), "")) {
      dismiss(app, state, notice.source);
    }
  }
  ImGui::SetCursorScreenPos({start.x, start.y + height + painter.px(6)});
}

}  // namespace

void forget_success(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  if (app.reports_added != state.reports_seen) {
    state.reports_seen = app.reports_added;
    state.report_since = painter.now;
  }
  const bool shown = app.reports_added > state.reports_read && app.reports.back().ok;
  if (!shown) return;
  const double end = state.report_since + kSuccessShown;
  if (painter.now >= end) {
    state.reports_read = app.reports_added;
  } else {
    painter.redraw(end);
  }
}

float notice_height(const AppState& app, const PanelState& state) {
  return static_cast<float>(notices(app, state).size()) * state.painter.px(kLine + 6);
}

void draw_notices(AppState& app, Session& session, PanelState& state, float width) {
  for (const Notice& notice : notices(app, state)) {
    draw_notice(app, session, state, notice, width);
  }
}

namespace {

// "7c1e 09af": the first eight digits are enough to compare by eye.
std::string short_hash(const std::string& hash) {
  return hash.size() < 8 ? hash : hash.substr(0, 4) + " " + hash.substr(4, 4);
}

std::string memory_text(const DeviceMemory& memory) {
  return gigabytes(memory.total_bytes - memory.free_bytes) + " of " +
         gigabytes(memory.total_bytes) + " GB used";
}

// The parts of the status line, most important first.
std::vector<std::string> facts(const AppState& app) {
  const RunStatus& status = app.status;
  if (status.backend.empty()) return {"starting …"};
  std::vector<std::string> texts = {status.backend_line, computation_text(status)};
  if (!status.run_hash.empty()) texts.push_back("run " + short_hash(status.run_hash));
  texts.push_back(status.has_run
                      ? "seed " + std::to_string(status.seed) + ", step " + step_text(status)
                      : std::string(kWeightsOnly));
  if (status.phase == RunPhase::kTraining) {
    texts.push_back(fixed_text(status.steps_per_second, 0) + " steps/s");
  }
  if (status.memory) texts.push_back(memory_text(*status.memory));
  return texts;
}

// As many of the facts as fit side by side into `room`, the first ones first; none is cut but the
// first.
std::string facts_that_fit(const Painter& painter, const std::vector<std::string>& facts,
                           float room) {
  std::string text = fitted(painter, TextStyle::kSmall, facts.front(), room);
  for (std::size_t i = 1; i < facts.size(); ++i) {
    const std::string longer = text + "   ·   " + facts[i];
    if (measure(painter, TextStyle::kSmall, longer).x > room) break;
    text = longer;
  }
  return text;
}

}  // namespace

void draw_status_line(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float y = start.y + painter.px(6);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string zoom = fixed_text(100 * painter.scale, 0) + " %";
  const std::string keys = width > painter.px(700) ? "F1 keys    Ctrl + − scale    " + zoom : zoom;
  const float keys_width = measure(painter, TextStyle::kSmall, keys).x;
  draw_text(painter, list, {start.x + width - keys_width, y}, TextStyle::kSmall, p.muted, keys);
  const float room = width - keys_width - painter.px(24);
  const float text_width = draw_text(painter, list, {start.x, y}, TextStyle::kSmall, p.muted,
                                     facts_that_fit(painter, facts(app), room));
  ImGui::SetCursorScreenPos(start);
  if (ImGui::InvisibleButton("run hash", {std::max(1.0F, text_width), painter.px(26)},
                             kFocusable)) {
    copy_text(painter, "run hash", app.status.run_hash);
  }
  help_tooltip(painter, ("Run hash " + app.status.run_hash + " at step " +
                         grouped_text(app.status.hash_step) +
                         ": equal hashes mean equal runs, bit for bit. Click to copy.")
                            .c_str());
}

}  // namespace dispersion
