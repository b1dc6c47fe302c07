#include "app/panels/colour_bar.h"

#include "app/window/theme.h"
#include "core/figure/field_image.h"

namespace dispersion {
namespace {

const char* scale_name(ColourScale scale) {
  switch (scale) {
    case ColourScale::kSquareRoot:
      return "weight, √ scale";
    case ColourScale::kLogarithmic:
      return "weight, log scale";
    case ColourScale::kLinear:
      break;
  }
  return "weight";
}

}  // namespace

void draw_colour_bar(const Painter& painter, const HeatmapGrid& grid, ImVec2 position,
                     float width) {
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const char* name = scale_name(grid.scale);
  const float name_width = measure(painter, TextStyle::kSmall, name).x;
  draw_text(painter, list, {position.x, position.y - painter.px(3)}, TextStyle::kSmall, p.muted,
            name);
  const float left = position.x + name_width + painter.px(10);
  const float right = position.x + width - painter.px(4);
  const float height = painter.px(8);
  constexpr int kSlices = 64;
  const float slice = (right - left) / kSlices;
  for (int i = 0; i < kSlices; ++i) {
    const float x = left + slice * static_cast<float>(i);
    list->AddRectFilled({x, position.y}, {x + slice + 0.5F, position.y + height},
                        packed(viridis((i + 0.5) / kSlices)));
  }
  for (const Tick& mark : bar_ticks(grid)) {
    const float share =
        static_cast<float>(colour_position(grid.scale, mark.value, grid.low, grid.high));
    const float text_width = measure(painter, TextStyle::kSmall, mark.label).x;
    draw_text(painter, list, {left + (right - left) * share - text_width / 2, position.y + height},
              TextStyle::kSmall, p.muted, mark.label);
  }
}

}  // namespace dispersion
