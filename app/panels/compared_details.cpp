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

void draw_side(Painter& painter, const std::string& side, const std::string& text) {
  if (text.empty()) return;
  gap(painter, 2);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, side + text);
}

}  // namespace

void draw_compared_why(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const AppState& a = app.comparison->a;
  const int items = app.view.focused_items;
  section_title(painter, "Why", frame_age_text(frame_at(app, items)));
  compared_group(painter, "", "Why",
                 side_by_side(told_why_values(a, items), told_why_values(app, items)));
  const std::vector<Statement> of_a = told_sentences(a, items);
  const std::vector<Statement> of_b = told_sentences(app, items);
  const ComparedText told = compared_text(of_a, of_b);
  draw_side(painter, "A and B: ", told.both);
  draw_side(painter, "A: ", of_a.empty() ? "being computed …" : told.a);
  draw_side(painter, "B: ", of_b.empty() ? "being computed …" : told.b);
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
  compared_group(
      painter, "item", "Under the pointer",
      side_by_side(told_item_values(app.comparison->a, a, cell), told_item_values(app, b, cell)));
}

}  // namespace dispersion
