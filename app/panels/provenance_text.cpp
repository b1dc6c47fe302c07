#include "app/panels/provenance_text.h"

#include <string>
#include <string_view>

#include "app/panels/fields.h"
#include "app/panels/frame_at.h"
#include "app/session/run_status.h"
#include "core/build_info.h"

namespace dispersion {
namespace {

void add(std::string& text, std::string_view section, std::string_view label,
         const std::string& value) {
  text.append(section).append("\t").append(label).append("\t").append(value).append("\n");
}

std::string recipe_text(const Recipe& recipe) {
  std::string text = "L2 ";
  text += l2_form_name(recipe.l2);
  text += ", λ " + plain_number(recipe.l2_lambda);
  text += ", learning rate " + plain_number(recipe.learning_rate);
  text += ", batch of " + std::to_string(recipe.batch_sets);
  text += " sets of " + std::to_string(recipe.smallest_set);
  text += " to " + std::to_string(recipe.largest_set) + " items";
  text.append(", ").append(head_path_name(recipe.path)).append(" path");
  text.append(", ").append(precision_name(recipe.precision));
  return text;
}

std::string rule_text(const ViewSettings& view) {
  if (!is_shown(view, TransformId::kAdaptive)) return "off";
  if (view.rule == AdaptiveRule()) return "on, the paper's";
  std::string text = "on, own: coefficients of H^4 to H^0";
  for (const double coefficient : view.rule.coefficients)
    text.append(" ").append(plain_number(coefficient));
  text += ", only above H = " + plain_number(view.rule.gate) + " nats";
  if (view.rule.guarded) text += ", held beyond H = " + plain_number(view.rule.peak) + " nats";
  return text;
}

void add_measurement(std::string& text, const AppState& app) {
  const FrameAt at = frame_at(app, app.view.focused_items);
  add(text, "measurement", "n", std::to_string(app.view.focused_items));
  add(text, "measurement", "temperature θ", plain_number(app.view.theta));
  add(text, "measurement", "adaptive θ", rule_text(app.view));
  for (const AttentionTransform& transform : shown_transforms(app.view)) {
    if (transform.id == TransformId::kSoftmax || transform.id == TransformId::kAdaptive) continue;
    add(text, "measurement", transform_definition(transform.id).label, transform_text(transform));
  }
  if (at.plain_row() == nullptr) return;
  const std::string of_run = at.row_of_run ? "" : " of the run before";
  add(text, "measurement", "training step", std::to_string(at.row_step) + of_run);
  add(text, "measurement", "sets", std::to_string(at.plain_row()->sets));
}

}  // namespace

std::string provenance_text(const AppState& app) {
  const RunStatus& status = app.status;
  std::string text;
  add(text, "program", "Dispersion Lab",
      std::string(build_info().version) + ", commit " + std::string(build_info().commit));
  add(text, "head", "origin", status.head_source);
  add(text, "head", "seed", std::to_string(status.seed));
  add(text, "head", "recipe", recipe_text(status.recipe));
  add(text, "head", "computed", computation_text(status));
  add(text, "head", "run hash", status.run_hash + " at step " + std::to_string(status.hash_step));
  add_measurement(text, app);
  return text;
}

}  // namespace dispersion
