#include "app/panels/panels.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <string>

#include "app/panels/fields.h"
#include "app/panels/frame_at.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Below a thousandth with a power of ten: many weights are below what decimals can show.
std::string cell_weight_text(float weight) {
  if (weight == 0) return "0";
  if (weight >= 1e-3F) return fixed_text(weight, 4);
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), weight,
                                    std::chars_format::scientific, 2);
  return {text.data(), result.ptr};
}

void draw_cell(const AppState& app, const FrameAt& at, Painter& painter) {
  const Palette& p = *painter.palette;
  const AppState::Pointer& pointer = app.pointer;
  const FrameLogits& logits = *at.logits;
  const std::size_t cell = static_cast<std::size_t>(pointer.set * logits.columns + pointer.column);
  const std::size_t item =
      static_cast<std::size_t>(pointer.set) * static_cast<std::size_t>(logits.items) +
      static_cast<std::size_t>(logits.shown[cell]);
  const std::size_t set = static_cast<std::size_t>(pointer.set);
  const float priority = logits.shown_priority[cell];
  const float logit = logits.logits[item];
  const std::string item_class = std::to_string(logits.shown_class[cell]);
  const std::string step = grouped_text(at.step);
  value_row(painter,
            {"step of this frame",
             step,
             std::to_string(at.step),
             {},
             "The training step whose weights the frame shows; large n follow a little behind."});
  value_row(painter, {"priority ρ",
                      fixed_text(priority, 6),
                      plain_number(priority),
                      {},
                      "The number whose maximum the head has to find."});
  value_row(painter, {"class", item_class, item_class, {}, "What it has to answer: one of ten."});
  value_row(painter, {"logit e",
                      compact_number(logit, 2),
                      plain_number(logit),
                      {},
                      "The attention logit, scaled by 1/√128, before the temperature."});
  for (const TransformAt& each : at.transforms) {
    const AttentionFrame* frame = each.frame;
    if (frame == nullptr) continue;
    const TransformDefinition& definition = transform_definition(each.id);
    const Colour value = role_colour(p, definition.colour);
    group_title(painter, definition.label, value);
    painter.section = "pointer, " + std::string(definition.label);
    value_row(painter, {"weight", cell_weight_text(frame->weights[cell]),
                        plain_number(frame->weights[cell]), value, ""});
    value_row(painter, {"entropy H of the set", fixed_text(frame->entropy[set], 3) + " nats",
                        plain_number(frame->entropy[set]), value, "", "nats"});
    value_row(painter, {"effective θ", fixed_text(frame->theta[set], 3),
                        plain_number(frame->theta[set]), value, ""});
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
  draw_cell(app, at, painter);
}

}  // namespace dispersion
