#include "app/panels/panels.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>

#include "app/panels/actions.h"
#include "app/panels/input_fields.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

constexpr std::array<const char*, 6> kL2Names = {"½λ‖w‖², kernels", "½λ‖w‖², all", "λ‖w‖², kernels",
                                                 "λ‖w‖², all",      "decoupled",   "none"};

constexpr std::array<const char*, 2> kPathNames = {"direct", "spectral"};
constexpr std::array<const char*, 5> kPrecisionNames = {"fp32", "bf16, priorities",
                                                        "fp16, priorities", "bf16", "fp16"};

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
            painter, "L2", kL2Names.data(), static_cast<int>(kL2Names.size()), l2,
            "How weight decay enters the loss. The paper does not say; docs/table1.md has Table 1 "
            "under each form.")) {
      recipe.l2 = static_cast<L2Form>(l2);
    }
  });
  marked_field(painter, recipe.l2_lambda != open.l2_lambda, [&] {
    number_field(painter, {"λ", 0, 10, false, "Strength of the L2 term; the paper has 0.001."},
                 recipe.l2_lambda);
  });
  marked_field(painter, recipe.learning_rate != open.learning_rate, [&] {
    number_field(painter, {"learning rate", 1e-8, 10, false, "Adam's; the paper has 0.001."},
                 recipe.learning_rate);
  });
}

void draw_set_fields(Recipe& recipe, const Recipe& open, Painter& painter) {
  constexpr std::string_view kSizeHelp =
      "Training sets have a size drawn evenly from smallest to largest: 5 to 16 in the paper.";
  marked_field(painter, recipe.batch_sets != open.batch_sets, [&] {
    whole_field(painter,
                {"batch, sets", 1, 4096, true, "Sets per training step; the paper has 128."},
                recipe.batch_sets);
  });
  marked_field(painter, recipe.smallest_set != open.smallest_set, [&] {
    whole_field(painter,
                {"smallest set", 1, static_cast<double>(recipe.largest_set), true, kSizeHelp},
                recipe.smallest_set);
  });
  marked_field(painter, recipe.largest_set != open.largest_set, [&] {
    whole_field(painter,
                {"largest set", static_cast<double>(recipe.smallest_set), 1024, true, kSizeHelp},
                recipe.largest_set);
  });
}

void draw_path_field(Recipe& recipe, const Recipe& open, Painter& painter) {
  marked_field(painter, recipe.path != open.path, [&] {
    int path = static_cast<int>(recipe.path);
    const bool chosen = choice_field(
        painter, "path", kPathNames.data(), static_cast<int>(kPathNames.size()), path,
        "Direct sends every item through its network. Spectral does so at a few Chebyshev points "
        "a class and interpolates, which is faster and right to 1e-7. With precision bf16 or "
        "fp16 it is direct.");
    if (chosen) recipe.path = path_in(recipe.precision, static_cast<HeadPath>(path));
  });
}

void draw_precision_field(Recipe& recipe, const Recipe& open, Painter& painter) {
  marked_field(painter, recipe.precision != open.precision, [&] {
    int precision = static_cast<int>(recipe.precision);
    if (!choice_field(
            painter, "precision", kPrecisionNames.data(), static_cast<int>(kPrecisionNames.size()),
            precision,
            "What is rounded in training: nothing, the priorities alone, or the inputs of every "
            "matrix product. The last takes the direct path, because rounding depends on what is "
            "multiplied."))
      return;
    recipe.precision = static_cast<Precision>(precision);
    recipe.path = path_in(recipe.precision, Recipe().path);
  });
}

void draw_seed_field(std::uint32_t& seed, std::uint32_t open, Painter& painter) {
  constexpr double kLargestSeed = std::numeric_limits<std::uint32_t>::max();
  marked_field(painter, seed != open, [&] {
    double number = seed;
    if (number_field(painter,
                     {"seed", 0, kLargestSeed, true,
                      "Decides first weights and every set. Same seed, same recipe: the same run, "
                      "bit by bit."},
                     number)) {
      seed = static_cast<std::uint32_t>(number);
    }
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
  if (push_button(
          painter, "Start new run", changed ? ButtonKind::kPrimary : ButtonKind::kPlain, width,
          "Fresh weights under this recipe and seed. The run that is open ends; save it first if "
          "you want to keep it.")) {
    start_run(app, session);
  }
  if (changed) ImGui::SameLine();
  if (changed && push_button(painter, "Undo", ButtonKind::kPlain, width,
                             "Puts the recipe of the open run back.")) {
    app.run.recipe = app.status.recipe;
    app.run.seed = app.status.seed;
  }
  ImGui::PopStyleVar();
  if (app.run.recipe == Recipe()) return;
  if (push_button(painter, "The paper's recipe", ButtonKind::kPlain,
                  ImGui::GetContentRegionAvail().x,
                  "Puts the values of appendix A of the paper into all fields but the seed.")) {
    app.run.recipe = Recipe();
  }
}

}  // namespace dispersion
