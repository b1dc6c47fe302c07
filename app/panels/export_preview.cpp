#include "app/panels/export_preview.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/panel_frame.h"
#include "app/panels/sentence.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr float kCaption = 24;
constexpr float kMat = 12;  // around the preview
constexpr float kStaleAlpha = 0.45F;

// "254 × 158.9 mm  ·  2 000 × 1 251 pixels  ·  letters of 9.8 pt"
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
  return text + "  ·  letters of " + fixed_text(sheet.text_points, 1) + " pt";
}

// Under what has no ground.
void draw_chequers(const Painter& painter, ImDrawList* list, ImVec2 low, ImVec2 high) {
  const Palette& p = *painter.palette;
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
  if (exporting.settings.transparent) draw_chequers(state.painter, list, corner, end);
  const float alpha = exporting.preview_stale ? kStaleAlpha : 1;
  list->AddImage(static_cast<ImTextureID>(texture.name()), corner, end, {0, 0}, {1, 1},
                 IM_COL32(255, 255, 255, static_cast<int>(255 * alpha)));
  list->AddRect(corner, end, packed(state.painter.palette->line));
}

void draw_text_preview(const ExportState& exporting, const Painter& painter, ImVec2 low,
                       ImVec2 size) {
  ImGui::SetCursorScreenPos(low);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(painter.palette->raised));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(12), painter.px(10)});
  ImGui::BeginChild("text", size, ImGuiChildFlags_AlwaysUseWindowPadding,
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

}  // namespace

void draw_export_preview(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 end = {low.x + size.x, low.y + size.y - painter.px(kCaption)};
  ImGui::GetWindowDrawList()->AddRectFilled(low, end, packed(p.background), painter.px(6));
  const float mat = painter.px(kMat);
  const ImVec2 corner = low;
  low = {low.x + mat, low.y + mat};
  const ImVec2 high = {end.x - mat, end.y - mat};
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  exporting.box = {static_cast<int>((high.x - low.x) * pixels.x),
                   static_cast<int>((high.y - low.y) * pixels.y)};
  const Preview& preview = exporting.preview;
  const bool picture = is_picture(*exporting.settings.format);
  std::string caption;
  if (!preview.error.empty()) {
    draw_centred(painter, low, high, p.adaptive, as_sentence(preview.error));
  } else if (preview.id == 0 || picture != preview.text.empty()) {
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

}  // namespace dispersion
