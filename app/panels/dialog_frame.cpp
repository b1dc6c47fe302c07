#include "app/panels/dialog_frame.h"

#include <algorithm>
#include <cmath>

#include "app/window/theme.h"

namespace dispersion {

std::optional<ImVec2> begin_dialog(const Painter& painter, const char* name, ImVec2 wanted) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float edge = painter.px(display.x < painter.px(700) ? 6 : 24);
  const ImVec2 size = {std::min(painter.px(wanted.x), display.x - 2 * edge),
                       std::min(painter.px(wanted.y), display.y - 2 * edge)};
  ImGui::SetNextWindowPos(
      {std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2)});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_PopupBg, colour(painter.palette->panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, painter.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, painter.scale));
  const bool drawn = ImGui::BeginPopupModal(
      name, nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
          ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
  if (!drawn) return std::nullopt;
  return size;
}

void end_dialog() {
  ImGui::EndPopup();
}

}  // namespace dispersion
