#include "app/panels/export_preview.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/keyboard_focus.h"
#include "app/panels/panel_frame.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr float kCaption = 24;
constexpr float kMargin = 12;
constexpr float kSmallMargin = 4;
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

// As much of it as there is room for.
void draw_small_sentence(const Painter& painter, ImVec2 low, ImVec2 high, const std::string& text) {
  ImGui::SetCursorScreenPos(low);
  ImGui::BeginChild(
      "sentence", {high.x - low.x, high.y - low.y}, ImGuiChildFlags_None,
      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs);
  flow_text(painter, TextStyle::kSmall, painter.palette->adaptive, text);
  ImGui::EndChild();
}

// The picture is to be as sharp as the screen.
void want_pixels(ExportState& exporting, ImVec2 low, ImVec2 high) {
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  exporting.box = {static_cast<int>((high.x - low.x) * pixels.x),
                   static_cast<int>((high.y - low.y) * pixels.y)};
}

// What the box of the preview shows, between these corners. Returns a line about it.
std::string draw_content(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 high) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  want_pixels(exporting, low, high);
  const Preview& preview = exporting.preview;
  const bool picture = is_picture(*exporting.settings.format);
  if (!preview.error.empty()) {
    draw_centred(painter, low, high, p.adaptive, as_sentence(preview.error));
    return "";
  }
  if (picture ? preview.pixels.rgba.empty() : preview.text.empty()) {
    draw_empty(painter, low, high, "Being drawn …");
    return "";
  }
  if (picture) {
    draw_picture(exporting, state, low, high);
    return sheet_text(preview, *exporting.settings.format);
  }
  const float inset = painter.px(kMargin);
  draw_text_preview(exporting, painter, {low.x - inset, low.y - inset},
                    {high.x - low.x + 2 * inset, high.y - low.y + 2 * inset});
  return grouped_text(static_cast<std::int64_t>(preview.bytes)) + " bytes";
}

void draw_ground(const Painter& painter, ImVec2 low, ImVec2 high) {
  ImGui::GetWindowDrawList()->AddRectFilled(low, high, packed(painter.palette->background),
                                            painter.px(6));
}

// Whether the box was pressed. It lies over what is drawn in it.
bool pressed_box(const Painter& painter, const char* id, ImVec2 low, ImVec2 size,
                 std::string_view help) {
  ImGui::SetCursorScreenPos(low);
  const bool pressed = ImGui::InvisibleButton(id, size, kFocusable);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  help_tooltip(painter, help);
  return pressed;
}

}  // namespace

void draw_export_preview(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size) {
  const Painter& painter = state.painter;
  const ImVec2 end = {low.x + size.x, low.y + size.y - painter.px(kCaption)};
  const float inset = painter.px(kMargin);
  draw_ground(painter, low, end);
  const std::string caption = draw_content(exporting, state, {low.x + inset, low.y + inset},
                                           {end.x - inset, end.y - inset});
  const std::string fitting = fitted(painter, TextStyle::kSmall, caption, size.x);
  const float width = measure(painter, TextStyle::kSmall, fitting).x;
  draw_text(painter, ImGui::GetWindowDrawList(),
            {low.x + (size.x - width) / 2, end.y + painter.px(7)}, TextStyle::kSmall,
            painter.palette->muted, fitting);
}

void draw_small_preview(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size) {
  const Painter& painter = state.painter;
  draw_ground(painter, low, {low.x + size.x, low.y + size.y});
  const float inset = painter.px(kSmallMargin);
  const ImVec2 corner = {low.x + inset, low.y + inset};
  const ImVec2 high = {low.x + size.x - inset, low.y + size.y - inset};
  want_pixels(exporting, corner, high);
  if (!exporting.preview.error.empty()) {
    draw_small_sentence(painter, corner, high, as_sentence(exporting.preview.error));
  } else if (exporting.preview.pixels.rgba.empty()) {
    draw_empty(painter, corner, high, "…");
  } else {
    draw_picture(exporting, state, corner, high);
  }
  if (pressed_box(state.painter, "enlarge preview", low, size,
                  "The preview as large as the dialog."))
    state.preview.alone = true;
}

void draw_preview_alone(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size) {
  draw_export_preview(exporting, state, low, size);
  if (pressed_box(state.painter, "back from preview", low, size, "Back to the settings (Esc)."))
    state.preview.alone = false;
}

}  // namespace dispersion
