#include "app/panels/panels.h"

#include <string>

#include "app/panels/fields.h"
#include "app/panels/frame_at.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kAccuracyHelp =
    "Share of evaluation sets whose maximum was classified right, with half the width of its 95 % "
    "Wilson "
    "interval. Table 1.";

// Three decimals; what would read as nothing is said to be small.
std::string small_number_text(double number) {
  return number > 0 && number < 0.0005 ? "<0.001" : fixed_text(number, 3);
}

void draw_transform(const TransformAt& at, Colour value, Painter& painter) {
  const SizeRow* row = at.row;
  const bool there = row != nullptr;
  const auto text = [&](double number, int decimals, const char* unit) {
    return there ? fixed_text(number, decimals) + unit : std::string("–");
  };
  value_row(painter, {"accuracy", there ? accuracy_text(*row) : "–",
                      there ? exact_accuracy(*row) : "", value, kAccuracyHelp, "as a share of 1"});
  const double on_max = there ? row->mean_weight_on_max() : 0;
  value_row(painter,
            {"weight on the maximum", there ? small_number_text(on_max) : std::string("–"),
             plain_number(on_max), value,
             "Mean attention weight on the item with the largest priority; 1 is sharp, 1/n is "
             "what averaging would give."});
  const double entropy = there ? row->mean_entropy() : 0;
  value_row(painter,
            {"entropy H", text(entropy, 2, " nats"), plain_number(entropy), value,
             "Mean Shannon entropy of the weights in nats: 0 is sharp, log n is uniform.", "nats"});
  if (at.id == TransformId::kSoftmax) return;
  const double theta = there ? row->mean_theta() : 0;
  value_row(painter, {"mean θ used", text(theta, 2, ""), plain_number(theta), value,
                      "The effective temperature θ/β(H), averaged over the sets."});
}

std::string points_text(double points) {
  std::string text(points >= 0 ? 1 : 0, '+');
  text += fixed_text(points, 1);
  text += " percentage points";
  return text;
}

// Of a transform from plain softmax.
void draw_difference(const FrameAt& at, const TransformAt& other, Painter& painter) {
  const SizeRow* plain = at.plain_row();
  const bool there = plain != nullptr && other.row != nullptr;
  const double points = there ? 100 * (other.row->accuracy() - plain->accuracy()) : 0;
  const TransformDefinition& definition = transform_definition(other.id);
  const bool adaptive = other.id == TransformId::kAdaptive;
  const std::string help =
      (adaptive ? "Adaptive" : std::string(definition.label)) +
      " minus plain, on the same sets, in percentage points. The head's weights are the same: only "
      "the " +
      (adaptive ? "temperature" : "transform") + " differs.";
  value_row(painter, {at.transforms.size() > 2 ? std::string(definition.label) : "accuracy",
                      there ? points_text(points) : "–",
                      plain_number(points),
                      {},
                      help,
                      "percentage points"});
}

}  // namespace

void draw_focused_size_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const FrameAt at = frame_at(app, app.view.focused_items);
  section_title(painter, "At n = " + grouped_text(app.view.focused_items), row_age_text(at));
  for (const TransformAt& each : at.transforms) {
    const TransformDefinition& definition = transform_definition(each.id);
    const Colour colour = role_colour(p, definition.colour);
    group_title(painter, definition.label, colour);
    draw_transform(each, at.row_current ? colour : p.muted, painter);
  }
  if (at.transforms.size() < 2) return;
  group_title(painter, "difference, same sets", p.muted);
  for (std::size_t t = 1; t < at.transforms.size(); ++t)
    draw_difference(at, at.transforms[t], painter);
}

}  // namespace dispersion
