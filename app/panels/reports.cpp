#include <algorithm>
#include <string>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/notices.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr double kSuccessShown = 6;  // seconds
constexpr float kWidth = 460;
constexpr float kMargin = 12;
constexpr float kButton = 64;
constexpr float kFolderButton = 96;
constexpr float kBetween = 6;  // buttons
constexpr float kButtonRow = 36;

// What a report reads, and how it is dismissed.
struct ReportCard {
  const char* id;
  bool good = false;
  std::string text;
  bool saved = false;  // a file was written, whose folder can be opened
  void (*dismiss)(const AppState& app, PanelState& state);
};

float buttons_width(const Painter& painter, const ReportCard& report) {
  return painter.px(kButton + (report.saved ? kFolderButton + kBetween : 0));
}

bool ok_button(Painter& painter, const ReportCard& report, ImVec2 at) {
  const std::string label = std::string("OK###") + report.id;
  ImGui::SetCursorScreenPos(at);
  return push_button(painter, label.c_str(), ButtonKind::kPlain, painter.px(kButton), "");
}

// Left of the button whose left end is here.
void folder_button(AppState& app, PanelState& state, ImVec2 at) {
  const float width = state.painter.px(kFolderButton);
  ImGui::SetCursorScreenPos({at.x - width - state.painter.px(kBetween), at.y});
  const bool pressed =
      push_button(state.painter, "Open folder###report folder", ButtonKind::kPlain, width, "");
  action_tooltip(app, state, "file.folder");
  if (pressed) open_saved_folder(app);
}

// A short success is a line that ends in its buttons.
bool one_line(const Painter& painter, const ReportCard& report, float width) {
  const float text = measure(painter, TextStyle::kBody, report.text).x;
  return report.good && text + buttons_width(painter, report) + painter.px(12) <= width;
}

void draw_line(AppState& app, PanelState& state, const ReportCard& report, float width) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_text(painter, ImGui::GetWindowDrawList(), {start.x, start.y + painter.px(4)},
            TextStyle::kBody, painter.palette->text, report.text);
  const ImVec2 ok = {start.x + width - painter.px(kButton), start.y};
  if (report.saved) folder_button(app, state, ok);
  if (ok_button(painter, report, ok)) report.dismiss(app, state);
}

// The text with its buttons, which stand below it.
void draw_text_and_buttons(AppState& app, PanelState& state, const ReportCard& report,
                           float width) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  flow_text(painter, TextStyle::kBody, painter.palette->text, report.text);
  const float y = ImGui::GetCursorScreenPos().y + painter.px(4);
  const float button = painter.px(kButton);
  if (report.saved) folder_button(app, state, {start.x + width - button, y});
  if (ok_button(painter, report, {start.x + width - button, y})) report.dismiss(app, state);
  if (report.good) return;
  ImGui::SetCursorScreenPos({start.x + width - 2 * button - painter.px(kBetween), y});
  copy_button(painter, std::string("copy ") + report.id, report.text, button);
}

// Draws a report with its lower right corner here, or as much of it as fits below `top`; the rest
// can be scrolled to. Returns its height.
float draw_report(AppState& app, PanelState& state, const ReportCard& report, float left, float top,
                  ImVec2 corner) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const float margin = painter.px(kMargin);
  const float width = std::min(painter.px(kWidth), corner.x - left);
  const float inner = std::max(1.0F, width - 2 * margin);
  const bool line = one_line(painter, report, inner);
  const float whole =
      2 * margin +
      (line ? painter.px(26)
            : flow_height(painter, TextStyle::kBody, report.text, inner) + painter.px(kButtonRow));
  const float height = std::min(whole, corner.y - top);
  if (height < painter.px(kButtonRow)) return 0;
  const ImVec2 low = {corner.x - width, corner.y - height};
  ImGui::SetCursorScreenPos(low);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {margin, margin});
  ImGui::BeginChild(report.id, {width, height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | kTabbedThrough);
  ImGui::PopStyleVar();
  // Dear ImGui would draw the background of a child below the children drawn before it.
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Colour accent = report.good ? p.good : p.adaptive;
  list->AddRectFilled(low, corner, packed(mix(p.raised, accent, 0.10F)), painter.px(6));
  list->AddRect(low, corner, packed(mix(p.line, accent, 0.5F)), painter.px(6),
                std::max(1.0F, painter.scale));
  const float room = ImGui::GetContentRegionAvail().x;
  if (line) {
    draw_line(app, state, report, room);
  } else {
    draw_text_and_buttons(app, state, report, room);
  }
  ImGui::EndChild();
  return height;
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

bool report_shown(const AppState& app, const PanelState& state) {
  return app.reports_added > state.reports_read || !state.notice.empty();
}

void draw_reports(AppState& app, PanelState& state, ImVec2 low, ImVec2 high) {
  const float between = state.painter.px(8);
  if (app.reports_added > state.reports_read) {
    const Report& report = app.reports.back();
    const ReportCard newest = {
        "report", report.ok, as_sentence(report.text), !report.saved.empty(),
        [](const AppState& all, PanelState& panels) { panels.reports_read = all.reports_added; }};
    high.y -= draw_report(app, state, newest, low.x, low.y, high) + between;
  }
  if (state.notice.empty()) return;
  const ReportCard of_start = {"start", false, as_sentence(state.notice), false,
                               [](const AppState&, PanelState& panels) { panels.notice.clear(); }};
  draw_report(app, state, of_start, low.x, low.y, high);
}

}  // namespace dispersion
