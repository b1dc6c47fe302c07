#include <algorithm>
#include <string>

#include "app/panels/compared_rows.h"
#include "app/panels/comparison_bar.h"
#include "app/panels/widgets.h"
#include "app/session/comparison.h"
#include "app/session/frame_at.h"
#include "core/figure/compared_sizes.h"
#include "core/figure/number_text.h"

namespace dispersion {

void draw_compared_size_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const int items = app.view.focused_items;
  section_title(painter, "At n = " + grouped_text(items), row_age_text(frame_at(app, items)));
  for (const TransformId id : compared_transforms(app)) {
    const TransformDefinition& definition = transform_definition(id);
    const Colour colour = role_colour(*painter.palette, definition.colour);
    compared_heading(painter, definition.label, colour, ComparedColumns::kWithDifference);
    const ComparedRows rows = compared_rows_at(app, id, items);
    for (const ComparedValue& value : compared_size_values(rows))
      compared_row(painter, value, colour, ComparedColumns::kWithDifference);
    const std::string paired = paired_text(rows);
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              paired.empty() ? "B − A of the accuracy is being counted …" : "95 %: " + paired);
  }
}

}  // namespace dispersion
