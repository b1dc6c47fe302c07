#include <algorithm>
#include <string>

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
constexpr float kButtonRow = 36;

// What a report reads, and how it is dismissed.
struct ReportCard {
  const char* id;
  bool good = false;
  std::string text;
  void (*dismiss)(const AppState& app, PanelState& state);
};

bool ok_button(Painter& painter, const ReportCard& report, ImVec2 at) {
  const std::string label = std::string("OK###") + report.id;
  ImGui::SetCursorScreenPos(at);
  return push_button(painter, label.c_str(), ButtonKind::kPlain, painter.px(kButton), "");
}

// A short success is a line that ends in its button.
bool one_line(const Painter& painter, const ReportCard& report, float width) {
  const float text = measure(painter, TextStyle::kBody, report.text).x;
  return report.good && text + painter.px(kButton + 12) <= width;
}

void draw_line(const AppState& app, PanelState& state, const ReportCard& report, float width) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_text(painter, ImGui::GetWindowDrawList(), {start.x, start.y + painter.px(4)},
            TextStyle::kBody, painter.palette->text, report.text);
  if (ok_button(painter, report, {start.x + width - painter.px(kButton), start.y}))
    report.dismiss(app, state);
}

// The text with its buttons, which stand below it.
void draw_text_and_buttons(const AppState& app, PanelState& state, const ReportCard& report,
                           float width) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  flow_text(painter, TextStyle::kBody, painter.palette->text, report.text);
  const float y = ImGui::GetCursorScreenPos().y + painter.px(4);
  const float button = painter.px(kButton);
  if (ok_button(painter, report, {start.x + width - button, y})) report.dismiss(app, state);
  if (report.good) return;
  const std::string copy = std::string("copy ") + report.id;
  const bool copied = painter.copied == copy && painter.now < painter.copied_until;
  ImGui::SetCursorScreenPos({start.x + width - 2 * button - painter.px(6), y});
  if (push_button(painter, ((copied ? "Copied###" : "Copy###") + copy).c_str(), ButtonKind::kPlain,
                  button, "Puts the whole message on the clipboard."))
    copy_text(painter, copy, report.text);
}

// Draws a report with its lower right corner here, or as much of it as fits below `top`; the rest
// can be scrolled to. Returns its height.
float draw_report(const AppState& app, PanelState& state, const ReportCard& report, float left,
                  float top, ImVec2 corner) {
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

void draw_reports(const AppState& app, PanelState& state, ImVec2 low, ImVec2 high) {
  const float between = state.painter.px(8);
  if (app.reports_added > state.reports_read) {
    const ReportCard newest = {
        "report", app.reports.back().ok, as_sentence(app.reports.back().text),
        [](const AppState& all, PanelState& panels) { panels.reports_read = all.reports_added; }};
    high.y -= draw_report(app, state, newest, low.x, low.y, high) + between;
  }
  if (state.notice.empty()) return;
  const ReportCard of_start = {"start", false, as_sentence(state.notice),
                               [](const AppState&, PanelState& panels) { panels.notice.clear(); }};
  draw_report(app, state, of_start, low.x, low.y, high);
}

}  // namespace dispersion
