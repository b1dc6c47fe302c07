#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/dialog_frame.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/painter.h"
#include "app/panels/panel_frame.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/session/compared_snapshots.h"
#include "app/session/comparison.h"
#include "app/session/state_order.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr float kCaption = 24;
constexpr float kPreviewMargin = 12;
constexpr float kStaleAlpha = 0.45F;

// "254 × 158.9 mm  ·  2 000 × 1 251 pixels  ·  text of 9.8 pt"
std::string sheet_text(const Preview& preview, const FigureFormat& format) {
  const auto length = [](double value) { return fixed_text(value, value < 100 ? 1 : 0); };
  const SheetSize& sheet = preview.sheet;
  std::string text = length(sheet.width_mm) + " × " + length(sheet.height_mm) + " mm";
  if (format.kind == FormatKind::kPixels) {
    const auto pixels = [&](double millimetres) {
      return grouped_text(std::llround(millimetres / 25.4 * sheet.pixels_per_inch));
    };
    text += "  ·  " + pixels(sheet.width_mm) + " × " + pixels(sheet.height_mm) + " pixels";
  }
  return text + "  ·  text of " + fixed_text(sheet.text_points, 1) + " pt";
}

// The chequers behind a transparent figure. They are light or dark like the figure's own colours,
// so that its text can be read on them whatever the theme of the window.
void draw_chequers(const Painter& painter, PrintTheme theme, ImDrawList* list, ImVec2 low,
                   ImVec2 high) {
  const Palette& p = theme == PrintTheme::kDark ? kDarkPalette : kLightPalette;
  list->AddRectFilled(low, high, packed(p.raised));
  const float side = painter.px(8);
  const ImU32 ink = packed(mix(p.raised, p.line, 0.6F));
  int row = 0;
  for (float y = low.y; y < high.y; y += side, ++row) {
    for (float x = low.x + (row % 2 == 0 ? 0 : side); x < high.x; x += 2 * side)
      list->AddRectFilled({x, y}, {std::min(x + side, high.x), std::min(y + side, high.y)}, ink);
  }
}

void draw_picture(const ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 high) {
  state.preview.update(exporting.preview);
  const Texture& texture = state.preview.texture;
  const float width = static_cast<float>(texture.width());
  const float height = static_cast<float>(texture.height());
  const float scale = std::min((high.x - low.x) / width, (high.y - low.y) / height);
  const ImVec2 size = {std::round(width * scale), std::round(height * scale)};
  const ImVec2 corner = {std::round((low.x + high.x - size.x) / 2),
                         std::round((low.y + high.y - size.y) / 2)};
  const ImVec2 end = {corner.x + size.x, corner.y + size.y};
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (exporting.settings.transparent)
    draw_chequers(state.painter, exporting.settings.theme, list, corner, end);
  const float alpha = exporting.preview_stale || exporting.waiting ? kStaleAlpha : 1;
  list->AddImage(static_cast<ImTextureID>(texture.name()), corner, end, {0, 0}, {1, 1},
                 IM_COL32(255, 255, 255, static_cast<int>(255 * alpha)));
  list->AddRect(corner, end, packed(state.painter.palette->line));
}

void draw_text_preview(const ExportState& exporting, const Painter& painter, ImVec2 low,
                       ImVec2 size) {
  ImGui::SetCursorScreenPos(low);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(painter.palette->raised));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(12), painter.px(10)});
  ImGui::BeginChild("text", size, ImGuiChildFlags_AlwaysUseWindowPadding | kTabbedThrough,
                    ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  const std::string& text = exporting.preview.text;
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  if (text.size() < exporting.preview.bytes) ImGui::TextUnformatted("…");
  ImGui::PopFont();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void draw_centred(const Painter& painter, ImVec2 low, ImVec2 high, Colour ink,
                  const std::string& text) {
  const float width = std::min(painter.px(420), high.x - low.x - painter.px(24));
  ImGui::SetCursorScreenPos({(low.x + high.x - width) / 2, (low.y + high.y) / 2 - painter.px(24)});
  ImGui::BeginChild("sentence", {width, painter.px(80)}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  flow_text(painter, TextStyle::kBody, ink, text);
  ImGui::EndChild();
}

// Draws what the file will look like in a box of this corner and size, and a line about its size
// below it.
void draw_export_preview(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 end = {low.x + size.x, low.y + size.y - painter.px(kCaption)};
  ImGui::GetWindowDrawList()->AddRectFilled(low, end, packed(p.background), painter.px(6));
  const float inset = painter.px(kPreviewMargin);
  const ImVec2 corner = low;
  low = {low.x + inset, low.y + inset};
  const ImVec2 high = {end.x - inset, end.y - inset};
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  exporting.box = {static_cast<int>((high.x - low.x) * pixels.x),
                   static_cast<int>((high.y - low.y) * pixels.y)};
  const Preview& preview = exporting.preview;
  const bool picture = is_picture(*exporting.settings.format);
  std::string caption;
  if (!preview.error.empty()) {
    draw_centred(painter, low, high, p.adaptive, as_sentence(preview.error));
  } else if (picture ? preview.pixels.rgba.empty() : preview.text.empty()) {
    draw_empty(painter, low, high, "Being drawn …");
  } else if (picture) {
    draw_picture(exporting, state, low, high);
    caption = sheet_text(preview, *exporting.settings.format);
  } else {
    draw_text_preview(exporting, painter, corner, {size.x, end.y - corner.y});
    caption = grouped_text(static_cast<std::int64_t>(preview.bytes)) + " bytes";
  }
  const std::string fitting = fitted(painter, TextStyle::kSmall, caption, size.x);
  const float width = measure(painter, TextStyle::kSmall, fitting).x;
  draw_text(painter, ImGui::GetWindowDrawList(),
            {corner.x + (size.x - width) / 2, end.y + painter.px(7)}, TextStyle::kSmall, p.muted,
            fitting);
}

constexpr const char* kName = "Export###export dialog";
constexpr float kWidth = 1040;
constexpr float kHeight = 660;
constexpr float kFields = 316;
constexpr float kNarrowFields = 280;
constexpr float kWideFields = 800;   // from this width of the dialog on, the fields are wider
constexpr float kLeastBeside = 640;  // from this width on, fields and preview are side by side
constexpr float kLeastHeight = 320;
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
  const ExperimentState& computing = app.experiments.of(app.view.view);
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

void draw_inside(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size) {
  ExportState& exporting = app.exporting;
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const float margin = painter.px(kMargin);
  const float inner = size.x - 2 * margin;
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
  const bool beside = size.x >= painter.px(kLeastBeside) && size.y >= painter.px(kLeastHeight);
  const float fields = !beside                            ? inner
                       : size.x < painter.px(kWideFields) ? painter.px(kNarrowFields)
                                                          : painter.px(kFields);
  ImGui::SetCursorScreenPos({start.x, top});
  ImGui::BeginChild("fields", {fields, foot - top - painter.px(10)}, kTabbedThrough,
                    ImGuiWindowFlags_NoBackground);
  draw_export_fields(exporting, painter);
  if (!beside) {
    gap(painter, 6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = {ImGui::GetContentRegionAvail().x, painter.px(220)};
    draw_export_preview(exporting, state, at, room);
    ImGui::SetCursorScreenPos({at.x, at.y + room.y - 1});
    ImGui::Dummy({1, 1});
  }
  ImGui::EndChild();
  if (beside) {
    const float gutter = painter.px(22);
    draw_export_preview(exporting, state, {start.x + fields + gutter, top},
                        {inner - fields - gutter, foot - top - painter.px(2)});
  }
  list->AddLine({corner.x, foot}, {corner.x + size.x, foot}, packed(p.line));
  if (exporting.waiting) draw_wait(app, painter, {start.x, foot}, inner);
  draw_foot(exporting, painter, {start.x, foot + wait + painter.px(12)}, inner, notice);
}

void handle_dialog_keys(ExportState& exporting, bool list_open) {
  if (exporting.underway == 0 &&
      (pressed(ImGuiMod_Ctrl | ImGuiKey_Enter) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadEnter)))
    exporting.save = true;
  // While a list is open, Esc closes that and not the dialog; what was typed, it takes back first.
  // Dear ImGui has closed the list by now.
  if (pressed(ImGuiKey_Escape) && !list_open && !typed_text_changed() &&
      ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows))
    close_export(exporting);
}

}  // namespace

std::string export_notice_text(const ExportState& exporting) {
  return exporting.notice == exporting.preview.error ? "" : as_sentence(exporting.notice);
}

std::string export_wait_text(const AppState& app) {
  const ExportState& exporting = app.exporting;
  const std::string progress = experiment_progress_text(app.experiments.of(app.view.view));
  const std::string pinned = pinned_progress_text(app);
  if (!pinned.empty()) return pinned;
  if (pinned_unfinished(app)) return "The sets that A and B have seen are being counted";
  if (!exporting.order) return "Being computed: " + progress;
  return "Every n at step " + grouped_text(exporting.order->state.status.step) + ": " + progress;
}

void draw_export_dialog(AppState& app, PanelState& state) {
  ExportState& exporting = app.exporting;
  if (exporting.open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const std::optional<ImVec2> size = begin_dialog(state.painter, kName, {kWidth, kHeight});
  if (!size) return;
  if (exporting.open) {
    handle_dialog_keys(exporting, state.list_open);
    draw_inside(app, state, ImGui::GetWindowPos(), *size);
    state.list_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  }
  if (!exporting.open) {
    ImGui::CloseCurrentPopup();
    state.painter.redraw(state.painter.now);  // this frame still shows the dialog, empty
  }
  end_dialog();
}

}  // namespace dispersion
