#include "app/panels/plot_panel.h"

#include <string>

#include "app/panels/panel_frame.h"
#include "app/panels/subtitle.h"
#include "core/figure/hidden_points.h"

namespace dispersion {

std::optional<double> draw_plot_panel(Painter& painter, const char* id, const LinePlot& plot,
                                      const PlotOptions& options, ImVec2 size) {
  const std::string title = plot.title.empty() ? id : plot.title;
  const float legend = legend_width(painter, plot);
  const float title_room =
      size.x - painter.px(28) - measure(painter, TextStyle::kTitle, title).x - painter.px(14);
  const std::string whole = painted_subtitle(plot);
  std::string subtitle = subtitle_that_fits(painter, whole, title_room - legend);
  // Rather than the unit or a note, the legend goes: to lines of its own.
  const bool told = whole.find(';') == std::string::npos || subtitle == whole;
  const bool beside = told && (!subtitle.empty() || whole.empty()) && legend <= title_room;
  if (!beside) subtitle = subtitle_that_fits(painter, whole, title_room);
  begin_panel(painter, id, size, title, subtitle, beside ? legend : 0);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_legend(painter, plot, {start.x, start.y - (beside ? painter.px(24) : painter.px(2))}, width);
  if (!beside) ImGui::Dummy({0, legend_height(painter, plot, width) - painter.px(4)});
  const auto clicked = draw_line_plot(painter, id, plot, options);
  end_panel();
  return clicked;
}

}  // namespace dispersion
