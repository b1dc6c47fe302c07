#include "app/window/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/embedded/embedded.h"
#include "app/export/typeface.h"
#include "app/window/escape_font.h"

namespace dispersion {

namespace {

void set_shapes(ImGuiStyle& style) {
  style.FontSizeBase = kBodySize;
  style.WindowPadding = {14, 14};
  style.WindowBorderSize = 0;
  style.WindowRounding = 0;
  style.ChildBorderSize = 0;
  style.PopupRounding = 5;
  style.PopupBorderSize = 1;
  style.FramePadding = {8, 4};
  style.FrameRounding = 5;
  style.FrameBorderSize = 0;
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 9;
  style.ScrollbarRounding = 5;
  style.GrabRounding = 4;
  style.GrabMinSize = 12;
  style.DisabledAlpha = 0.45F;
  style.HoverStationaryDelay = 0.10F;
  style.HoverDelayShort = 0.35F;
}

void set_colours(ImGuiStyle& style, const Palette& p) {
  const auto set = [&style](ImGuiCol index, Colour value, float alpha = 1) {
    style.Colors[index] = colour(value, alpha);
  };
  for (ImVec4& each : style.Colors)
    each = colour(p.panel);
  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.muted);
  set(ImGuiCol_WindowBg, p.background);
  set(ImGuiCol_ChildBg, p.panel, 0);
  set(ImGuiCol_PopupBg, p.raised);
  set(ImGuiCol_Border, p.line);
  set(ImGuiCol_BorderShadow, p.line, 0);
  set(ImGuiCol_FrameBg, p.raised);
  set(ImGuiCol_FrameBgHovered, mix(p.raised, p.line, 0.6F));
  set(ImGuiCol_FrameBgActive, p.line);
  set(ImGuiCol_Button, p.raised);
  set(ImGuiCol_ButtonHovered, p.line);
  set(ImGuiCol_ButtonActive, mix(p.line, p.muted, 0.35F));
  set(ImGuiCol_Header, p.raised);
  set(ImGuiCol_HeaderHovered, p.line);
  set(ImGuiCol_HeaderActive, p.line);
  set(ImGuiCol_ScrollbarBg, p.panel, 0);
  set(ImGuiCol_ScrollbarGrab, p.line);
  set(ImGuiCol_ScrollbarGrabHovered, p.muted);
  set(ImGuiCol_ScrollbarGrabActive, p.muted);
  set(ImGuiCol_SliderGrab, p.muted);
  set(ImGuiCol_SliderGrabActive, p.text);
  set(ImGuiCol_CheckMark, p.text);
  set(ImGuiCol_Separator, p.line);
  set(ImGuiCol_TextSelectedBg, p.baseline, 0.35F);
  set(ImGuiCol_InputTextCursor, p.text);
  set(ImGuiCol_NavCursor, p.baseline, 0);  // draw_focus_ring() draws it
  set(ImGuiCol_ModalWindowDimBg, p.background, 0.6F);
}

}  // namespace

const Palette& palette(Theme theme) {
  switch (theme) {
    case Theme::kLight:
      return kLightPalette;
    case Theme::kHighContrast:
      return kContrastPalette;
    case Theme::kDark:
      break;
  }
  return kDarkPalette;
}

ImVec4 colour(Colour value, float alpha) {
  return {static_cast<float>(value.red) / 255, static_cast<float>(value.green) / 255,
          static_cast<float>(value.blue) / 255, alpha};
}

ImU32 packed(Colour value, float alpha) {
  return IM_COL32(value.red, value.green, value.blue,
                  static_cast<int>(std::lround(255 * std::fmin(std::fmax(alpha, 0.0F), 1.0F))));
}

void apply_theme(Theme theme, float scale) {
  ImGuiStyle style;
  set_shapes(style);
  set_colours(style, palette(theme));
  style.ScaleAllSizes(scale);
  style.WindowMinSize = {1, 1};  // after scaling, which could make it less
  style.FontScaleMain = scale;
  ImGui::GetStyle() = style;
}

namespace {

ImFont* add_font(std::string_view bytes, ImFontConfig config) {
  config.FontDataOwnedByAtlas = false;
  // The atlas only reads it.
  void* data = const_cast<char*>(bytes.data());
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(data, static_cast<int>(bytes.size()), kBodySize,
                                                    &config);
}

// The scripts that are not set, in the form that Dear ImGui takes and copies.
std::vector<ImWchar> excluded_ranges() {
  std::vector<ImWchar> ranges;
  for (const auto& [first, last] : scripts_not_set())
    ranges.insert(ranges.end(), {first, last});
  ranges.push_back(0);
  return ranges;
}

ImFont* add_with_fallback(EmbeddedFile file) {
  ImFont* font = add_font(embedded_bytes(file), {});
  ImFontConfig fallback;
  fallback.MergeMode = true;
  fallback.ExtraSizeScale = 0.94F;  // DejaVu Sans looks larger at the same size
  const std::vector<ImWchar> excluded = excluded_ranges();
  fallback.GlyphExcludeRanges = excluded.data();
  add_font(embedded_bytes(EmbeddedFile::kDejaVuSans), fallback);
  ImFontConfig escapes;
  escapes.MergeMode = true;
  escapes.SizePixels = kBodySize;
  escapes.FontLoader = escape_font_loader();
  ImGui::GetIO().Fonts->AddFont(&escapes);
  return font;
}

}  // namespace

Fonts add_embedded_fonts() {
  return {add_with_fallback(EmbeddedFile::kRobotoRegular),
          add_with_fallback(EmbeddedFile::kRobotoMedium)};
}

namespace {

constexpr std::array<float, 12> kZooms = {0.5F,  0.65F, 0.8F,  0.9F, 1,    1.1F,
                                          1.25F, 1.5F,  1.75F, 2,    2.5F, 3};

}  // namespace

float ui_scale(float content, float zoom, bool projector) {
  return std::clamp(content * zoom * (projector ? kProjectorZoom : 1.0F), 0.5F, 4.0F);
}

float present_scale(int height) {
  constexpr float kCapital = 1456.0F / 2048;  // of Roboto: the height of H in its em
  constexpr float kRows = 60;
  return std::clamp(static_cast<float>(height) / (kRows * kCapital * kSmallSize), 0.5F, 4.0F);
}

float next_zoom(float zoom, int direction) {
  constexpr float kSlack = 1e-3F;
  if (direction > 0) {
    const auto next = std::find_if(kZooms.begin(), kZooms.end(),
                                   [zoom](float step) { return step > zoom + kSlack; });
    return next == kZooms.end() ? kLargestZoom : *next;
  }
  const auto next = std::find_if(kZooms.rbegin(), kZooms.rend(),
                                 [zoom](float step) { return step < zoom - kSlack; });
  return next == kZooms.rend() ? kSmallestZoom : *next;
}

}  // namespace dispersion
