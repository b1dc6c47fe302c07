#include "app/panels/curves_panel.h"

#include <cmath>
#include <string>
#include <vector>

#include "app/desk/freshness.h"
#include "app/panels/actions.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_painter.h"

namespace dispersion {
namespace {

// The line moves with the outline around the frames, halfway in logarithm.
double marked_items(const Desk& desk, const PanelState& state) {
  const double share = motion_share(state);
  const double to = desk.view.focused_items;
  if (share >= 1 || state.motion.from <= 0) return to;
  return state.motion.from * std::pow(to / state.motion.from, share);
}

// The n whose rows are older than the rest: of another run or step, or of other settings.
std::vector<double> outdated_items(const Desk& desk) {
  std::vector<double> items;
  if (!desk.shown) return items;
  for (std::size_t i = 0; i < desk.shown->sizes.size(); ++i) {
    if (!row_current(*desk.shown, desk.status, i)) items.push_back(desk.shown->sizes[i]);
  }
  return items;
}

// As much of a subtitle as fits, by whole parts; its unit comes first and stays longest.
std::string subtitle_that_fits(const Painter& painter, const std::string& whole, float room) {
  for (const std::size_t end : {whole.size(), whole.rfind(','), whole.find(','), whole.find(' ')}) {
    const std::string part = whole.substr(0, end);
    if (measure(painter, TextStyle::kSmall, part).x <= room) return part;
  }
  return "";
}

void draw_curve(Desk& desk, PanelState& state, const char* id, const LinePlot& plot, ImVec2 size) {
  Painter& painter = state.painter;
  const bool there = !plot.series.empty();
  const std::string title = plot.title.empty() ? id : plot.title;
  const float legend = there ? legend_width(painter, plot) : 0;
  const float title_room =
      size.x - painter.px(28) - measure(painter, TextStyle::kTitle, title).x - painter.px(14);
  std::string subtitle = subtitle_that_fits(painter, plot.subtitle, title_room - legend);
  // Rather than the unit, the legend goes: to a line of its own.
  const bool beside = !subtitle.empty();
  if (!beside) subtitle = subtitle_that_fits(painter, plot.subtitle, title_room);
  begin_panel(painter, id, size, title, there ? subtitle : "", there && beside ? legend : 0);
  if (there) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    draw_legend(painter, plot,
                {start.x + ImGui::GetContentRegionAvail().x,
                 start.y - (beside ? painter.px(24) : painter.px(2))});
    if (!beside) gap(painter, 14);
    const auto clicked =
        draw_line_plot(painter, id, plot, marked_items(desk, state), outdated_items(desk));
    if (clicked) focus_items(desk, state, static_cast<int>(*clicked));
  } else {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_empty(painter, low, {low.x + room.x, low.y + room.y}, "Being counted …");
  }
  end_panel();
}

}  // namespace

void draw_curves(Desk& desk, PanelState& state, ImVec2 size) {
  const float spacing = state.painter.px(8);
  const float width = std::floor((size.x - spacing) / 2);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  draw_curve(desk, state, "Accuracy", state.figures.accuracy(), {width, size.y});
  ImGui::SetCursorScreenPos({corner.x + width + spacing, corner.y});
  draw_curve(desk, state, "Entropy of attention", state.figures.entropy(),
             {size.x - width - spacing, size.y});
}

}  // namespace dispersion
