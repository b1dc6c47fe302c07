#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/comparison_bar.h"
#include "app/panels/panels.h"
#include "app/panels/value_tooltip.h"
#include "app/panels/widgets.h"
#include "app/session/comparison.h"
#include "app/session/frame_at.h"
#include "app/session/told_values.h"
#include "app/window/theme.h"
#include "core/figure/compared_values.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Which item it is, "set 6, rank 1 of 256"; `at` is of its n and has logits.
std::string cell_text(const FrameAt& at, const AppState::Pointer& pointer) {
  const int rank = at.logits->columns - pointer.column;
  return "set " + std::to_string(pointer.set + 1) + ", rank " + std::to_string(rank) + " of " +
         grouped_text(pointer.items);
}

void draw_cell(const AppState& app, const FrameAt& at, FrameCell cell, Painter& painter) {
  for (const TransformAt& each : at.transforms) {
    if (each.frame == nullptr) continue;
    const TransformDefinition& definition = transform_definition(each.id);
    const Colour colour = role_colour(*painter.palette, definition.colour);
    group_title(painter, definition.label, colour);
    painter.section = "pointer, " + std::string(definition.label);
    for (const NamedValue& value : weight_values(*each.frame, cell))
      named_value_row(painter, value, colour);
  }
  group_title(painter, "item", painter.palette->muted);
  painter.section = "Under the pointer";
  for (const NamedValue& value : told_item_values(app, at, cell))
    named_value_row(painter, value);
}

}  // namespace

void draw_pointer_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const AppState::Pointer& pointer = app.pointer;
  section_title(painter, "Under the pointer");
  const FrameAt at = frame_at(app, pointer.items);
  if (!has_cell(at, pointer)) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              "Point at a heat map for the exact values of one item. Click to look at its n; "
              "Ctrl+C copies "
              "every number on this side.");
    return;
  }
  flow_text(painter, TextStyle::kBody, painter.palette->muted, cell_text(at, pointer));
  if (app.comparison) {
    draw_compared_cell(app, state);
  } else {
    draw_cell(app, at, {pointer.set, pointer.column}, painter);
  }
}

namespace {

// ", A 0.22, B − A +0.02" where the same cell is known of the pinned state.
std::string pinned_cell_text(const AppState& app, const AttentionFrame& frame) {
  if (!app.comparison) return "";
  const FrameAt a = frame_at(app.comparison->a, app.pointer.items);
  const AttentionFrame* of_a = a.frame_under(frame.transform.id);
  if (of_a == nullptr)
    return a.logits == nullptr ? ", A is being computed" : ", A does not show it";
  const ComparedValue weight =
      compared_weight_values(of_a, &frame, {app.pointer.set, app.pointer.column}).front();
  return ", A " + weight.a.text() + ", B − A " + weight.difference.text();
}

}  // namespace

void draw_pointer_tooltip(const AppState& app, const Painter& painter) {
  const FrameAt at = frame_at(app, app.pointer.items);
  if (!has_cell(at, app.pointer)) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto scale = static_cast<double>(painter.scale);
  std::vector<TooltipLine> lines = {{cell_text(at, app.pointer)}};
  for (const TransformAt& each : at.transforms) {
    if (each.frame == nullptr) continue;
    const TransformDefinition& definition = transform_definition(each.id);
    const NamedValue weight =
        weight_values(*each.frame, {app.pointer.set, app.pointer.column}).front();
    lines.push_back({std::string(definition.label) + "  " + weight.label + " " +
                         (app.comparison ? "B " : "") + weight.value.text() +
                         pinned_cell_text(app, *each.frame),
                     role_colour(*painter.palette, definition.colour)});
  }
  draw_value_tooltip(painter, {mouse.x / scale, mouse.y / scale}, lines);
}

}  // namespace dispersion
