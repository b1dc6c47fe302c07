#include "app/panels/recipe_panel.h"

#include <array>
#include <cmath>
#include <limits>

#include "app/panels/actions.h"
#include "app/panels/fields.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

constexpr std::array<const char*, 6> kL2Names = {"½λ‖w‖², kernels", "½λ‖w‖², all", "λ‖w‖², kernels",
                                                 "λ‖w‖², all",      "decoupled",   "none"};

bool whole_field(Painter& painter, const NumberField& field, int& value) {
  double number = value;
  if (!number_field(painter, field, number)) return false;
  value = static_cast<int>(number);
  return true;
}

void draw_fields(RunSettings& run, Painter& painter) {
  Recipe& recipe = run.recipe;
  int l2 = static_cast<int>(recipe.l2);
  if (choice_field(
          painter, "L2", kL2Names.data(), static_cast<int>(kL2Names.size()), l2,
          "How weight decay enters the loss. The paper does not say; table 1 comes out when it "
          "covers the kernels and not the biases.")) {
    recipe.l2 = static_cast<L2Form>(l2);
  }
  number_field(painter, {"λ", 0, 10, false, "Strength of the L2 term; the paper has 0.001."},
               recipe.l2_lambda);
  number_field(painter, {"learning rate", 1e-8, 10, false, "Adam's; the paper has 0.001."},
               recipe.learning_rate);
  whole_field(painter, {"batch, sets", 1, 4096, true, "Sets per training step; the paper has 128."},
              recipe.batch_sets);
  whole_field(
      painter,
      {"smallest set", 1, static_cast<double>(recipe.largest_set), true,
       "Training sets have a size drawn evenly from smallest to largest: 5 to 16 in the paper."},
      recipe.smallest_set);
  whole_field(
      painter,
      {"largest set", static_cast<double>(recipe.smallest_set), 1024, true,
       "Training sets have a size drawn evenly from smallest to largest: 5 to 16 in the paper."},
      recipe.largest_set);
  double seed = run.seed;
  if (number_field(painter,
                   {"seed", 0, static_cast<double>(std::numeric_limits<std::uint32_t>::max()), true,
                    "Decides first weights and every set. Same seed, same recipe: the same run, "
                    "bit by bit."},
                   seed)) {
    run.seed = static_cast<std::uint32_t>(seed);
  }
}

}  // namespace

void draw_recipe_panel(Desk& desk, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  section_title(painter, "Recipe");
  draw_fields(desk.run, painter);
  gap(painter, 2);
  if (!recipe_changed(desk)) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              "Paper, appendix A. Changing the recipe starts a new run.");
    return;
  }
  const float spacing = painter.px(6);
  const float width = std::floor((ImGui::GetContentRegionAvail().x - spacing) / 2);
  ImGui::PushStyleVarX(ImGuiStyleVar_ItemSpacing, spacing);
  if (push_button(
          painter, "Start new run", ButtonKind::kPrimary, width,
          "Fresh weights under this recipe and seed. The run that is open ends; save it first if "
          "you want to keep it.")) {
    start_run(desk, session);
  }
  ImGui::SameLine();
  if (push_button(painter, "Undo", ButtonKind::kPlain, width,
                  "Puts the recipe of the open run back.")) {
    desk.run.recipe = desk.status.recipe;
    desk.run.seed = desk.status.seed;
  }
  ImGui::PopStyleVar();
}

}  // namespace dispersion
