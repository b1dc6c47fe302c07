#include "app/panels/heatmap_colour_bar.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "app/panels/data_table_panel.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/menu.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/figure/field_image.h"

namespace dispersion {
namespace {

struct ScaleName {
  const char* of_bar;
  const char* in_menu;
};
// In the order of ColourScale.
constexpr std::array<ScaleName, 3> kScales = {{{"weight  ▾", "linear"},
                                               {"weight, √ scale  ▾", "square root"},
                                               {"weight, log scale  ▾", "logarithmic"}}};

// The name of the colour scale, which opens a menu of all.
void draw_scale_choice(AppState& app, Painter& painter, ImVec2 at, float width) {
  const char* name = kScales[static_cast<std::size_t>(app.view.colour_scale)].of_bar;
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("colour scale", {width, painter.px(20)}, kFocusable))
    ImGui::OpenPopup("colour scales");
  const bool lit = ImGui::IsItemHovered();
  help_tooltip(painter,
               "How a weight becomes a colour. Square root shows small weights without hiding "
               "large ones.");
  draw_text(painter, ImGui::GetWindowDrawList(), at, TextStyle::kSmall,
            lit ? painter.palette->text : painter.palette->muted, name);
  if (!begin_menu(painter, "colour scales", {at.x, at.y + painter.px(22)})) return;
  for (std::size_t i = 0; i < kScales.size(); ++i) {
    const auto scale = static_cast<ColourScale>(i);
    const std::string text = kScales[i].in_menu;
    if (menu_line(painter, {"###scale " + text, text, "", app.view.colour_scale == scale}))
      app.view.colour_scale = scale;
  }
  end_menu();
}

}  // namespace

void draw_colour_bar(AppState& app, Painter& painter, const HeatmapGrid& grid, ImVec2 position,
                     float width) {
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const char* name = kScales[static_cast<std::size_t>(app.view.colour_scale)].of_bar;
  const float name_width = measure(painter, TextStyle::kSmall, name).x;
  draw_scale_choice(app, painter, {position.x, position.y - painter.px(3)}, name_width);
  const float left = position.x + name_width + painter.px(12);
  const float right = position.x + width - painter.px(4);
  const float height = painter.px(8);
  constexpr int kSlices = 64;
  const float slice = (right - left) / kSlices;
  for (int i = 0; i < kSlices; ++i) {
    const float x = left + slice * static_cast<float>(i);
    list->AddRectFilled({x, position.y}, {x + slice + 0.5F, position.y + height},
                        packed(viridis((i + 0.5) / kSlices)));
  }
  float free_from = left - painter.px(20);  // labels that would touch the one before are left out
  for (const Tick& mark : bar_ticks(grid)) {
    const float share =
        static_cast<float>(colour_position(grid.scale, mark.value, grid.low, grid.high));
    const float text_width = measure(painter, TextStyle::kSmall, mark.label).x;
    const float x = left + (right - left) * share - text_width / 2;
    if (x < free_from) continue;
    draw_text(painter, list, {x, position.y + height}, TextStyle::kSmall, p.muted, mark.label);
    free_from = x + text_width + painter.px(6);
  }
}

float colour_bar_width(const Painter& painter, std::string_view title, float panel) {
  const float room = panel - painter.px(28 + 14) - table_switch_width(painter) -
                     measure(painter, TextStyle::kTitle, title).x;
  return room < painter.px(210) ? 0 : std::min(painter.px(270), room);
}

}  // namespace dispersion
