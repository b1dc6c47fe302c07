#include <algorithm>
#include <string>

#include "app/panels/compared_rows.h"
#include "app/panels/comparison_bar.h"
#include "app/panels/widgets.h"
#include "app/session/comparison.h"
#include "app/session/frame_at.h"
#include "core/figure/compared_sizes.h"
#include "core/figure/number_text.h"
#include "core/figure/size_values.h"

namespace dispersion {
namespace {

// What the difference of the accuracies is worth, and why others have none.
std::string text_below(const AppState& app, const ComparedRows& rows) {
  if (!is_shown(app.comparison->a.view, rows.id)) return "A does not show it.";
  if (!is_shown(app.view, rows.id)) return "B does not show it.";
  const std::string interval = interval_text(rows);
  const std::string other = other_sets_text(rows);
  return (interval.empty() ? "B − A of the accuracy is being counted …"
                           : "B − A of the accuracy, 95 %: " + interval) +
         (other.empty() ? "" : (interval.empty() ? " " : ". ") + other + ".");
}

}  // namespace

void draw_compared_size_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const int items = app.view.focused_items;
  section_title(painter, "At n = " + grouped_text(items), row_age_text(frame_at(app, items)));
  const ComparedRows plain = compared_rows_at(app, TransformId::kSoftmax, items);
  const std::string sets = of_same_sets(plain) ? counted_sets_text(plain.b).text() : "";
  if (!sets.empty()) flow_text(painter, TextStyle::kSmall, painter.palette->muted, sets);
  for (const TransformId id : compared_transforms(app)) {
    const TransformDefinition& definition = transform_definition(id);
    const Colour colour = role_colour(*painter.palette, definition.colour);
    compared_heading(painter, definition.label, colour, ComparedColumns::kWithDifference);
    const ComparedRows rows = compared_rows_at(app, id, items);
    for (const ComparedValue& value : compared_size_values(rows))
      compared_row(painter, value, colour, ComparedColumns::kWithDifference);
    flow_text(painter, TextStyle::kSmall, painter.palette->muted, text_below(app, rows));
  }
}

}  // namespace dispersion
