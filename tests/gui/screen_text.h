#pragma once

#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_te_context.h>

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// For scripts: all texts of the next frame, tooltips too, with plain spaces.
inline std::string text_on_screen(ImGuiTestContext* context) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGui::LogToBuffer();
  g.LogWindow = nullptr;  // else the log would end with the window of the script
  context->Yield();
  std::string text = g.LogBuffer.c_str();
  ImGui::LogFinish();
  for (const std::string_view space : {"\u2009", "\u00A0", "\u202F"}) {
    for (std::size_t at = 0; (at = text.find(space, at)) != std::string::npos;)
      text.replace(at, space.size(), " ");
  }
  return text;
}

// The boxes of the letters that this Dear ImGui window has drawn.
inline std::vector<ImRect> letters_of(const ImGuiWindow& window) {
  const ImVec2 white = ImGui::GetDrawListSharedData()->TexUvWhitePixel;
  std::vector<ImRect> letters;
  const ImVector<ImDrawVert>& corners = window.DrawList->VtxBuffer;
  const auto is_letter = [&](int i) {
    const ImDrawVert& low = corners[i];
    const ImDrawVert& high = corners[i + 2];
    return low.uv.x != white.x && low.uv.x < high.uv.x && low.uv.y < high.uv.y &&
           corners[i + 1].pos.y == low.pos.y && corners[i + 3].pos.x == low.pos.x &&
           high.pos.x > low.pos.x && high.pos.y > low.pos.y;
  };
  for (int i = 0; i + 3 < corners.Size;) {
    if (!is_letter(i)) {
      ++i;
      continue;
    }
    letters.emplace_back(corners[i].pos, corners[i + 2].pos);
    i += 4;
  }
  return letters;
}

}  // namespace dispersion
