#include "app/panels/field_frame.h"

#include <string>

#include "app/panels/panel_frame.h"
#include "app/panels/subtitle.h"
#include "core/figure/field_image.h"

namespace dispersion {

void begin_field_panel(Painter& painter, const char* id, const FieldPlot& plot, ImVec2 size) {
  const std::string title = plot.title.empty() ? id : plot.title;
  const std::string label = scale_label(plot);
  const float label_width = measure(painter, TextStyle::kSmall, label).x + painter.px(14);
  const float room =
      size.x - painter.px(28) - measure(painter, TextStyle::kTitle, title).x - painter.px(14);
  const bool named = label_width < 0.9F * room;
  const float kept = named ? label_width : 0;
  begin_panel(painter, id, size, title, subtitle_that_fits(painter, plot.subtitle, room - kept),
              kept);
  if (!named) return;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_text(painter, ImGui::GetWindowDrawList(),
            {start.x + ImGui::GetContentRegionAvail().x - label_width + painter.px(14),
             start.y - painter.px(24)},
            TextStyle::kSmall, painter.palette->muted, label);
}

void draw_no_field(const Painter& painter) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_empty(painter, low, {low.x + room.x, low.y + room.y}, "Nothing to draw here");
}

}  // namespace dispersion
