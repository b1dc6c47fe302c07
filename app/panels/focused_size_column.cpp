#include "app/panels/panels.h"

#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/frame_at.h"
#include "app/panels/widgets.h"
#include "core/figure/cell_values.h"
#include "core/figure/number_text.h"
#include "core/figure/size_values.h"
#include "core/figure/why.h"

namespace dispersion {

void draw_focused_size_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const FrameAt at = frame_at(app, app.view.focused_items);
  section_title(painter, "At n = " + grouped_text(app.view.focused_items), row_age_text(at));
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
  Painter& painter = state.painter;
  const FrameAt at = frame_at(app, app.view.focused_items);
  const bool computed = at.plain() != nullptr && at.logits != nullptr;
  section_title(painter, "Why", computed ? frame_age_text(at) : "");
  if (!computed) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted, "Being computed …");
    return;
  }
  std::vector<const AttentionFrame*> frames;
  for (const TransformAt& each : at.transforms) {
    if (each.frame != nullptr) frames.push_back(each.frame);
  }
  const AdaptiveRule* rule = shows_rule(app.view) ? &app.view.rule : nullptr;
  for (const NamedValue& value : why_values(frames))
    named_value_row(painter, value);
  if (rule != nullptr) {
    for (const NamedValue& value : rule_values(*at.plain(), *rule))
      named_value_row(painter, value);
  }
  gap(painter, 2);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted,
            why_explanation(*at.logits, *at.plain(), rule));
}

namespace {

void draw_cell(const FrameAt& at, bool step_known, FrameCell cell, Painter& painter) {
  const std::string step = step_known ? grouped_text(at.step) : "unknown";
  value_row(painter, {"step of this frame",
                      Statement::naming(step),
                      step_known ? std::to_string(at.step) : "",
                      {},
                      "The training step whose weights the frame shows; large n follow a little "
                      "behind."});
  for (const NamedValue& value : item_values(*at.logits, cell))
    named_value_row(painter, value);
  for (const TransformAt& each : at.transforms) {
    if (each.frame == nullptr) continue;
    const TransformDefinition& definition = transform_definition(each.id);
    const Colour colour = role_colour(*painter.palette, definition.colour);
    group_title(painter, definition.label, colour);
    painter.section = "pointer, " + std::string(definition.label);
    for (const NamedValue& value : weight_values(*each.frame, cell))
      named_value_row(painter, value, colour);
  }
}

}  // namespace

void draw_pointer_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const AppState::Pointer& pointer = app.pointer;
  section_title(painter, "Under the pointer");
  const FrameAt at = frame_at(app, pointer.items);
  if (pointer.items == 0 || at.logits == nullptr || pointer.column >= at.logits->columns) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              "Point at a heat map for the exact values of one item. Click to look at its n; "
              "Ctrl+C copies "
              "every number on this side.");
    return;
  }
  const int rank = at.logits->columns - pointer.column;
  flow_text(painter, TextStyle::kBody, painter.palette->muted,
            "set " + std::to_string(pointer.set + 1) + ", rank " + std::to_string(rank) + " of " +
                grouped_text(pointer.items));
  draw_cell(at, app.status.has_run, {pointer.set, pointer.column}, painter);
}

}  // namespace dispersion
