#include "app/panels/panels.h"

#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/comparison_bar.h"
#include "app/panels/widgets.h"
#include "app/session/frame_at.h"
#include "app/session/told_values.h"
#include "core/figure/number_text.h"
#include "core/figure/size_values.h"

namespace dispersion {

void draw_focused_size_panel(const AppState& app, PanelState& state) {
  if (app.comparison) {
    draw_compared_size_panel(app, state);
    return;
  }
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const FrameAt at = frame_at(app, app.view.focused_items);
  section_title(painter, "At n = " + grouped_text(app.view.focused_items), row_age_text(at));
  const std::string sets = counted_sets_text(at.plain_row());
  if (!sets.empty()) flow_text(painter, TextStyle::kSmall, p.muted, sets);
  for (const TransformAt& each : at.transforms) {
    const TransformDefinition& definition = transform_definition(each.id);
    const Colour colour = role_colour(p, definition.colour);
    group_title(painter, definition.label, colour);
    for (const NamedValue& value : size_values(each.id, each.row))
      named_value_row(painter, value, at.row_current ? colour : p.muted);
  }
  if (at.transforms.size() < 2) return;
  group_title(painter, "difference, same sets", p.muted);
  for (std::size_t t = 1; t < at.transforms.size(); ++t) {
    const TransformAt& other = at.transforms[t];
    const std::string label = at.transforms.size() > 2
                                  ? std::string(transform_definition(other.id).label)
                                  : std::string("accuracy");
    named_value_row(painter, accuracy_difference(label, other.id, other.row, at.plain_row()));
  }
}

void draw_why_panel(const AppState& app, PanelState& state) {
  if (app.comparison) {
    draw_compared_why(app, state);
    return;
  }
  Painter& painter = state.painter;
  const int items = app.view.focused_items;
  const std::vector<NamedValue> values = told_why_values(app, items);
  section_title(painter, "Why", values.empty() ? "" : frame_age_text(frame_at(app, items)));
  if (values.empty()) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted, "Being computed …");
    return;
  }
  for (const NamedValue& value : values)
    named_value_row(painter, value);
  gap(painter, 2);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, told_explanation(app, items));
}

}  // namespace dispersion
