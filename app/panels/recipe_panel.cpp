#include "app/panels/panels.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/recipe_fields.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

// Calls `draw` so that the field it draws is marked when its value differs from the open run.
void marked_field(Painter& painter, bool differs, const std::function<void()>& draw) {
  painter.mark_field = differs;
  draw();
  painter.mark_field = false;
}

void whole_field(Painter& painter, const NumberField& field, int& value) {
  double number = value;
  if (number_field(painter, field, number)) value = static_cast<int>(number);
}

void draw_loss_fields(Recipe& recipe, const Recipe& open, Painter& painter) {
  marked_field(painter, recipe.l2 != open.l2, [&] {
    int l2 = static_cast<int>(recipe.l2);
    if (choice_field(
            painter, "L2", l2_names().data(), static_cast<int>(l2_names().size()), l2,
            "How weight decay enters the loss. The paper does not say; docs/table1.md has Table 1 "
            "under each form.")) {
      recipe.l2 = static_cast<L2Form>(l2);
    }
  });
  marked_field(painter, recipe.l2_lambda != open.l2_lambda,
               [&] { number_field(painter, l2_strength_field(), recipe.l2_lambda); });
  marked_field(painter, recipe.learning_rate != open.learning_rate,
               [&] { number_field(painter, learning_rate_field(), recipe.learning_rate); });
}

void draw_set_fields(Recipe& recipe, const Recipe& open, Painter& painter) {
  marked_field(painter, recipe.batch_sets != open.batch_sets,
               [&] { whole_field(painter, batch_field(recipe), recipe.batch_sets); });
  marked_field(painter, recipe.smallest_set != open.smallest_set,
               [&] { whole_field(painter, smallest_set_field(recipe), recipe.smallest_set); });
  marked_field(painter, recipe.largest_set != open.largest_set,
               [&] { whole_field(painter, largest_set_field(recipe), recipe.largest_set); });
}

void draw_path_field(Recipe& recipe, const Recipe& open, Painter& painter) {
  marked_field(painter, recipe.path != open.path, [&] {
    int path = static_cast<int>(recipe.path);
    const bool chosen = choice_field(
        painter, "path", path_names().data(), static_cast<int>(path_names().size()), path,
        "Direct sends every item through its network. Spectral does so at a few Chebyshev points "
        "a class and interpolates, which is faster and right to 1e-7. With precision bf16 or "
        "fp16 it is direct.");
    if (chosen) set_path(recipe, path);
  });
}

void draw_precision_field(Recipe& recipe, const Recipe& open, Painter& painter) {
  marked_field(painter, recipe.precision != open.precision, [&] {
    int precision = static_cast<int>(recipe.precision);
    if (!choice_field(
            painter, "precision", precision_names().data(),
            static_cast<int>(precision_names().size()), precision,
            "What is rounded in training: nothing, the priorities alone, or the inputs of every "
            "matrix product. The last takes the direct path, because rounding depends on what is "
            "multiplied."))
      return;
    set_precision(recipe, precision);
  });
}

void draw_seed_field(std::uint32_t& seed, std::uint32_t open, Painter& painter) {
  marked_field(painter, seed != open, [&] {
    double number = seed;
    if (number_field(painter, seed_field(), number)) seed = static_cast<std::uint32_t>(number);
  });
}

// What the fields are. `changed`: not those of the open run.
std::string recipe_note(const RunStatus& status, bool changed) {
  const std::string effect = "Changed fields take effect with Start new run.";
  if (!status.has_run) return "The recipe of this head is not known. " + effect;
  return !changed && status.recipe == Recipe() ? "Paper, appendix A. " + effect : effect;
}

}  // namespace

void draw_recipe_panel(AppState& app, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  const bool changed = recipe_changed(app);
  section_title(painter, "Recipe", changed ? "not open yet" : "");
  draw_loss_fields(app.run.recipe, app.status.recipe, painter);
  draw_set_fields(app.run.recipe, app.status.recipe, painter);
  draw_path_field(app.run.recipe, app.status.recipe, painter);
  draw_precision_field(app.run.recipe, app.status.recipe, painter);
  draw_seed_field(app.run.seed, app.status.seed, painter);
  gap(painter, 2);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, recipe_note(app.status, changed));
  const float spacing = painter.px(6);
  const float width = std::floor((ImGui::GetContentRegionAvail().x - spacing) / 2);
  ImGui::PushStyleVarX(ImGuiStyleVar_ItemSpacing, spacing);
  const Actor actor = {app, session, state};
  action_button(actor, "recipe.start", "Start new run",
                changed ? ButtonKind::kPrimary : ButtonKind::kPlain, width);
  if (changed) {
    ImGui::SameLine();
    action_button(actor, "recipe.undo", "Undo", ButtonKind::kPlain, width);
  }
  ImGui::PopStyleVar();
  if (app.run.recipe == Recipe()) return;
  action_button(actor, "recipe.paper", "The paper's recipe", ButtonKind::kPlain,
                ImGui::GetContentRegionAvail().x);
}

}  // namespace dispersion
