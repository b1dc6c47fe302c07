#include "app/panels/panels.h"

#include <cmath>
#include <string>

#include "app/panels/actions.h"
#include "app/panels/fields.h"
#include "app/panels/widgets.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kHelp =
    "How many items a set has. The head was trained on at most 16; every doubling spreads its "
    "attention "
    "further (theorem 2.2, figures 2 and 7).";

void draw_number_and_buttons(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + ImGui::GetContentRegionAvail().x;
  const std::string text = "n = " + grouped_text(app.view.focused_items);
  draw_text(painter, ImGui::GetWindowDrawList(), start, TextStyle::kBig, painter.palette->text,
            text);
  const float double_width = painter.px(48);
  const float half_width = painter.px(34);
  const float y = start.y + painter.px(2);
  ImGui::SetCursorScreenPos({right - double_width - half_width - painter.px(6), y});
  if (push_button(painter, "½", ButtonKind::kPlain, half_width, "Half as many items (←).")) {
    double_items(app, state, -1);
  }
  ImGui::SetCursorScreenPos({right - double_width, y});
  if (push_button(painter, "× 2", ButtonKind::kPrimary, double_width, "Twice as many items (→).")) {
    double_items(app, state, 1);
  }
}

}  // namespace

void draw_size_panel(AppState& app, PanelState& state) {
  section_title(state.painter, "Set size");
  draw_number_and_buttons(app, state);
  const int last = static_cast<int>(doubling_sizes().size()) - 1;
  const double at = static_cast<double>(size_index(app.view.focused_items)) / last;
  double position = at;
  if (slider(state.painter, "size slider", position, 6.0 / last, kHelp)) {
    const int index = static_cast<int>(std::lround(position * last));
    focus_items(app, state, doubling_sizes()[static_cast<std::size_t>(index)]);
  }
}

}  // namespace dispersion
