#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/dialog_frame.h"
#include "app/panels/export_preview.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/painter.h"
#include "app/panels/panel_frame.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/session/compared_snapshots.h"
#include "app/session/comparison.h"
#include "app/session/run_status.h"
#include "app/session/state_order.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kName = "Export###export dialog";
constexpr float kWidth = 1040;
constexpr float kHeight = 660;
constexpr float kFields = 316;
constexpr float kNarrowFields = 280;
constexpr float kWideFields = 800;   // from this width of the dialog on, the fields are wider
constexpr float kLeastBeside = 640;  // from this width on, fields and preview are side by side
constexpr float kLeastHeight = 320;
constexpr float kLeastSmall = 60;  // width of a small preview beside the fields of a smaller dialog
constexpr float kGutter = 22;
constexpr float kSmallGutter = 12;
constexpr float kMargin = 18;
constexpr float kTitle = 36;
constexpr float kFoot = 84;    // path and buttons
constexpr float kWait = 30;    // for the figures to be finished
constexpr float kNotice = 50;  // most height of a notice above the buttons; a longer one scrolls
constexpr float kLeastButton = 84;
constexpr float kBetweenButtons = 6;
constexpr std::size_t kLongestPath = 4096;

// The field for the path. Returns whether Enter was pressed in it.
bool draw_path(ExportState& exporting, Painter& painter, ImVec2 at, float width) {
  std::array<char, kLongestPath> text{};
  std::string& path = exporting.settings.path;
  std::copy_n(path.data(), std::min(path.size(), text.size() - 1), text.data());
  const float label = draw_text(painter, ImGui::GetWindowDrawList(), {at.x, at.y + painter.px(5)},
                                TextStyle::kBody, painter.palette->muted, "file") +
                      painter.px(12);
  ImGui::SetCursorScreenPos({at.x + label, at.y});
  ImGui::SetNextItemWidth(width - label);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {painter.px(8), painter.px(5)});
  const bool entered = keyboard_field("##path", text);
  ImGui::PopStyleVar();
  if (path != text.data()) {
    path = text.data();
    path_typed(exporting);
  }
  return entered;
}

struct Button {
  const char* label;
  ButtonKind kind;
  const char* help;
};

// The buttons of the dialog, from right to left.
std::vector<Button> buttons(const ExportState& exporting) {
  return {
      {exporting.underway > 0                ? "Working …###do"
       : exporting.waiting && exporting.save ? "Waiting …###do"
       : exporting.replace                   ? "Replace###do"
                                             : "Export###do",
       ButtonKind::kPrimary, "Write the file (Ctrl+Enter)."},
      {"Cancel###away", ButtonKind::kPlain, "Esc"},
      {"Copy image", ButtonKind::kPlain,
       "The figure as set here, as a PNG on the clipboard (Ctrl+Shift+C)."},
      {"Copy data", ButtonKind::kPlain, "The figure's numbers as CSV on the clipboard (Ctrl+D)."},
  };
}

float button_width(const Painter& painter, const Button& button) {
  const std::string label = button.label;
  const float text = measure(painter, TextStyle::kSmall, label.substr(0, label.find('#'))).x;
  return std::max(text + painter.px(20),
                  painter.px(button.kind == ButtonKind::kPrimary ? kLeastButton : 0));
}

float buttons_width(const ExportState& exporting, const Painter& painter) {
  float width = 0;
  for (const Button& button : buttons(exporting))
    width += button_width(painter, button) + painter.px(kBetweenButtons);
  return width;
}

void draw_buttons(ExportState& exporting, Painter& painter, float right, float y) {
  const std::vector<Button> all = buttons(exporting);
  float x = right;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float width = button_width(painter, all[i]);
    x -= width;
    ImGui::SetCursorScreenPos({x, y});
    const bool clicked = push_button(painter, all[i].label, all[i].kind, width, all[i].help);
    x -= painter.px(kBetweenButtons);
    if (!clicked) continue;
    if (i == 0 && exporting.underway == 0) exporting.save = true;
    if (i == 1) close_export(exporting);
    if (i == 2) exporting.copy_image = true;
    if (i == 3) exporting.copy_data = true;
  }
}

// The height that the notice takes above the buttons; 0 when it fits beside them.
float height_above_buttons(const ExportState& exporting, const Painter& painter, float width) {
  const std::string notice = export_notice_text(exporting);
  const float beside = width - buttons_width(exporting, painter);
  if (measure(painter, TextStyle::kSmall, notice).x <= beside) return 0;
  return std::min(flow_height(painter, TextStyle::kSmall, notice, width), painter.px(kNotice)) +
         painter.px(10);
}

// Path, notice and buttons. `notice`: the height of the notice above the buttons, or 0 when it is
// beside them.
void draw_foot(ExportState& exporting, Painter& painter, ImVec2 at, float width, float notice) {
  if (draw_path(exporting, painter, at, width)) exporting.save = true;
  const float y = at.y + painter.px(38);
  draw_buttons(exporting, painter, at.x + width, y + notice);
  const std::string text = export_notice_text(exporting);
  if (text.empty()) return;
  const Palette& p = *painter.palette;
  ImGui::SetCursorScreenPos({at.x, notice > 0 ? y : y + painter.px(6)});
  const float beside = width - buttons_width(exporting, painter);
  ImGui::BeginChild(
      "notice", {notice > 0 ? width : std::max(beside, 1.0F), notice > 0 ? notice : painter.px(26)},
      kTabbedThrough, ImGuiWindowFlags_NoBackground);
  flow_text(painter, TextStyle::kSmall, exporting.notice_good ? p.good : p.adaptive, text);
  ImGui::EndChild();
}

// Figures that are not finished: how long they take, and a button to use them as they are.
void draw_wait(AppState& app, Painter& painter, ImVec2 at, float width) {
  const ExperimentState& computing = app.experiments.of(app.exporting.view);
  const float share = static_cast<float>(computing.update.share);
  ImGui::GetWindowDrawList()->AddLine({at.x, at.y}, {at.x + share * width, at.y},
                                      packed(painter.palette->baseline), painter.px(2));
  const Button as_it_is = {"Use what is there", ButtonKind::kPlain,
                           "The figure as it is now. It says what it lacks."};
  const float button = button_width(painter, as_it_is);
  const std::string text = fitted(painter, TextStyle::kSmall, export_wait_text(app),
                                  width - button - painter.px(kBetweenButtons));
  draw_text(painter, ImGui::GetWindowDrawList(), {at.x, at.y + painter.px(12)}, TextStyle::kSmall,
            painter.palette->text, text);
  ImGui::SetCursorScreenPos({at.x + width - button, at.y + painter.px(6)});
  if (push_button(painter, as_it_is.label, as_it_is.kind, button, as_it_is.help))
    app.exporting.take_unfinished = true;
}

// Where the preview stands.
enum class PreviewPlace { kBeside, kSmallBeside, kBelow };

PreviewPlace preview_place(const ExportState& exporting, const Painter& painter, ImVec2 size,
                           float inner) {
  if (size.x >= painter.px(kLeastBeside) && size.y >= painter.px(kLeastHeight))
    return PreviewPlace::kBeside;
  const float left = inner - painter.px(kNarrowFields + kSmallGutter);
  const bool small = is_picture(*exporting.settings.format) && left >= painter.px(kLeastSmall);
  return small ? PreviewPlace::kSmallBeside : PreviewPlace::kBelow;
}

// The fields from this corner on, with the preview where there is room for it.
void draw_fields(AppState& app, PanelState& state, ImVec2 at, ImVec2 room, PreviewPlace place) {
  ExportState& exporting = app.exporting;
  Painter& painter = state.painter;
  const bool wide =
      place == PreviewPlace::kBeside && room.x + 2 * painter.px(kMargin) >= painter.px(kWideFields);
  const float fields =
      place == PreviewPlace::kBelow ? room.x : painter.px(wide ? kFields : kNarrowFields);
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild("fields", {fields, room.y - painter.px(10)}, kTabbedThrough,
                    ImGuiWindowFlags_NoBackground);
  draw_export_fields(app, painter);
  if (place == PreviewPlace::kBelow) {
    gap(painter, 6);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const ImVec2 box = {ImGui::GetContentRegionAvail().x, painter.px(220)};
    draw_export_preview(exporting, state, below, box);
    ImGui::SetCursorScreenPos({below.x, below.y + box.y - 1});
    ImGui::Dummy({1, 1});
  }
  ImGui::EndChild();
  const bool small = place == PreviewPlace::kSmallBeside;
  const float before = fields + painter.px(small ? kSmallGutter : kGutter);
  const ImVec2 corner = {at.x + before, at.y};
  const float width = room.x - before;
  if (place == PreviewPlace::kBeside)
    draw_export_preview(exporting, state, corner, {width, room.y - painter.px(2)});
  if (small) draw_small_preview(exporting, state, corner, {width, room.y - painter.px(10)});
}

void draw_inside(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size) {
  ExportState& exporting = app.exporting;
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const float margin = painter.px(kMargin);
  const float inner = size.x - 2 * margin;
  const PreviewPlace place = preview_place(exporting, painter, size, inner);
  state.preview.alone = state.preview.alone && place == PreviewPlace::kSmallBeside;
  if (state.preview.alone) {
    draw_preview_alone(exporting, state, {corner.x + margin, corner.y + margin},
                       {inner, size.y - 2 * margin});
    return;
  }
  const ImVec2 start = {corner.x + margin, corner.y + painter.px(14)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float title = draw_text(painter, list, start, TextStyle::kTitle, p.text, "Export");
  draw_text(painter, list, {start.x + title + painter.px(14), start.y + painter.px(2)},
            TextStyle::kSmall, p.muted,
            fitted(painter, TextStyle::kSmall, exporting.figure()->figure->title,
                   inner - title - painter.px(14)));
  const float top = start.y + painter.px(kTitle);
  const float notice = height_above_buttons(exporting, painter, inner);
  const float wait = exporting.waiting ? painter.px(kWait) : 0;
  const float foot = corner.y + size.y - painter.px(kFoot) - notice - wait;
  draw_fields(app, state, {start.x, top}, {inner, foot - top}, place);
  list->AddLine({corner.x, foot}, {corner.x + size.x, foot}, packed(p.line));
  if (exporting.waiting) draw_wait(app, painter, {start.x, foot}, inner);
  draw_foot(exporting, painter, {start.x, foot + wait + painter.px(12)}, inner, notice);
}

void handle_dialog_keys(ExportState& exporting, PreviewPicture& preview, bool list_open) {
  if (exporting.underway == 0 &&
      (pressed(ImGuiMod_Ctrl | ImGuiKey_Enter) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadEnter)))
    exporting.save = true;
  // While a list is open, Esc closes that and not the dialog; what was typed, it takes back first.
  // Dear ImGui has closed the list by now.
  if (!pressed(ImGuiKey_Escape) || list_open || typed_text_changed() ||
      !ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows))
    return;
  if (!std::exchange(preview.alone, false)) close_export(exporting);
}

}  // namespace

std::string export_notice_text(const ExportState& exporting) {
  return exporting.notice == exporting.preview.error ? "" : as_sentence(exporting.notice);
}

std::string export_wait_text(const AppState& app) {
  const ExportState& exporting = app.exporting;
  const std::string progress = experiment_progress_text(app.experiments.of(exporting.view));
  const std::string pinned = pinned_progress_text(app, exporting.view);
  if (!pinned.empty()) return pinned;
  if (pinned_unfinished(app, exporting.view))
    return "The sets that A and B have seen are being counted";
  if (!exporting.order) return "Being computed: " + progress;
  return "Every n at step " + step_text(exporting.order->state.status) + ": " + progress;
}

void draw_export_dialog(AppState& app, PanelState& state) {
  ExportState& exporting = app.exporting;
  if (exporting.open && !ImGui::IsPopupOpen(kName)) {
    ImGui::OpenPopup(kName);
    state.preview.alone = false;
  }
  const std::optional<ImVec2> size = begin_dialog(state.painter, kName, {kWidth, kHeight});
  if (!size) {
    state.list_open = false;  // whatever has closed the dialog
    return;
  }
  if (exporting.open) {
    handle_dialog_keys(exporting, state.preview, state.list_open);
    draw_inside(app, state, ImGui::GetWindowPos(), *size);
  }
  state.list_open = exporting.open && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  if (!exporting.open) {
    ImGui::CloseCurrentPopup();
    state.painter.redraw(state.painter.now);  // this frame still shows the dialog, empty
  }
  end_dialog();
}

}  // namespace dispersion
