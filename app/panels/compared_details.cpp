// Why attention disperses, and the cell under the pointer, of both states.

#include <string>
#include <vector>

#include "app/panels/compared_rows.h"
#include "app/panels/comparison_bar.h"
#include "app/panels/widgets.h"
#include "app/session/comparison.h"
#include "app/session/frame_at.h"
#include "app/session/told_values.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

void draw_side(Painter& painter, const std::string& text) {
  if (text.empty()) return;
  gap(painter, 2);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, text);
}

}  // namespace

void draw_compared_why(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const AppState& a = app.comparison->a;
  const int items = app.view.focused_items;
  section_title(painter, "Why", frame_age_text(frame_at(app, items)));
  compared_heading(painter, "", painter.palette->muted, ComparedColumns::kBoth);
  painter.section = "Why";
  for (const ComparedValue& value :
       side_by_side(told_why_values(a, items), told_why_values(app, items)))
    compared_row(painter, value, painter.palette->muted, ComparedColumns::kBoth);
  const std::string of_a = told_explanation(a, items);
  const std::string of_b = told_explanation(app, items);
  if (of_a == of_b) {
    draw_side(painter, of_b.empty() ? "Being computed …" : "A and B: " + of_b);
    return;
  }
  draw_side(painter, "A: " + (of_a.empty() ? "being computed …" : of_a));
  draw_side(painter, "B: " + (of_b.empty() ? "being computed …" : of_b));
}

void draw_compared_cell(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const FrameAt a = frame_at(app.comparison->a, app.pointer.items);
  const FrameAt b = frame_at(app, app.pointer.items);
  const FrameCell cell = {app.pointer.set, app.pointer.column};
  for (const TransformId id : compared_transforms(app)) {
    const AttentionFrame* of_a = a.frame_under(id);
    const AttentionFrame* of_b = b.frame_under(id);
    if (of_a == nullptr && of_b == nullptr) continue;
    const TransformDefinition& definition = transform_definition(id);
    const Colour colour = role_colour(p, definition.colour);
    compared_heading(painter, definition.label, colour, ComparedColumns::kWithDifference);
    painter.section = "pointer, " + std::string(definition.label);
    for (const ComparedValue& value : compared_weight_values(of_a, of_b, cell))
      compared_row(painter, value, colour, ComparedColumns::kWithDifference);
  }
  compared_heading(painter, "item", p.muted, ComparedColumns::kBoth);
  painter.section = "Under the pointer";
  const std::vector<ComparedValue> values =
      side_by_side(told_item_values(app.comparison->a, a, cell), told_item_values(app, b, cell));
  for (const ComparedValue& value : values)
    compared_row(painter, value, p.muted, ComparedColumns::kBoth);
}

}  // namespace dispersion
