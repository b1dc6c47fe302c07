#include "app/panels/value_tooltip.h"

#include <imgui.h>

#include <algorithm>

#include "app/panels/window_canvas.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kGap = 16;  // between the point and its tooltip
constexpr float kWidest = 380;
constexpr float kNarrowest = 120;

float widest_of(std::span<const TooltipLine> lines) {
  float width = 0;
  for (const TooltipLine& line : lines)
    width = std::max(width, ImGui::CalcTextSize(line.text.c_str()).x);
  return width;
}

float height_of(std::span<const TooltipLine> lines, float wrap) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float height = 2 * style.WindowPadding.y - style.ItemSpacing.y;
  for (const TooltipLine& line : lines)
    height += style.ItemSpacing.y + ImGui::CalcTextSize(line.text.c_str(), nullptr, false, wrap).y;
  return height;
}

struct Side {
  bool right = true;
  float room = 0;  // for text
};

// Of the panel between these two x, the side of `x` that has room for a text of this width.
Side side_of(float x, float low, float high, float beside, float width) {
  const Side right = {true, high - x - beside};
  const Side left = {false, x - low - beside};
  if (right.room >= width) return right;
  return left.room >= std::min(width, right.room) ? left : right;
}

// Where a point is between both ends, from 0 to 1. With this pivot what is no larger than that is
// between them too.
float share_between(float at, float low, float high) {
  return std::clamp((at - low) / std::max(high - low, 1.0F), 0.0F, 1.0F);
}

void draw_lines(std::span<const TooltipLine> lines) {
  for (const TooltipLine& line : lines) {
    if (line.ink) ImGui::PushStyleColor(ImGuiCol_Text, colour(*line.ink));
    ImGui::TextUnformatted(line.text.c_str());
    if (line.ink) ImGui::PopStyleColor();
  }
}

}  // namespace

void draw_value_tooltip(const Painter& painter, Point at, std::span<const TooltipLine> lines) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const ImVec2 low = ImGui::GetWindowPos();
  const ImVec2 high = {low.x + ImGui::GetWindowWidth(), low.y + ImGui::GetWindowHeight()};
  const ImVec2 place = window_place(painter, at);
  const float gap = painter.px(kGap);
  const float beside = gap + 2 * ImGui::GetStyle().WindowPadding.x;
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  const float width = std::min(widest_of(lines), painter.px(kWidest));
  const Side side = side_of(place.x, low.x, high.x, beside, width);
  const float in_window = (side.right ? window.x - place.x : place.x) - beside;
  const float room = std::min(std::max(side.room, painter.px(kNarrowest)), in_window);
  const float wrap = std::clamp(room, painter.px(80), painter.px(kWidest));
  const bool high_enough = height_of(lines, wrap) <= high.y - low.y;
  const float share =
      high_enough ? share_between(place.y, low.y, high.y) : share_between(place.y, 0, window.y);
  ImGui::SetNextWindowPos({place.x + (side.right ? gap : -gap), place.y}, ImGuiCond_Always,
                          {side.right ? 0.0F : 1.0F, share});
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + wrap);
  draw_lines(lines);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopFont();
}

}  // namespace dispersion
