#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/recipe_fields.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kGroup = "Recipe";

// A number of the recipe, which takes effect with the next new run.
void add_number(std::vector<Action>& all, const NumberField& field, double value,
                std::function<void(const Actor&, double)> set) {
  const std::string label = field.label;
  all.push_back({.id = "recipe." + label,
                 .group = kGroup,
                 .name = label,
                 .help = std::string(field.help),
                 .act = [label](const Actor& a) { show_field(a.app, a.state, label); },
                 .value = plain_number(value),
                 .number = ActionNumber{field.low, field.high, field.whole, std::move(set)}});
}

void add_choices(std::vector<Action>& all, const std::string& label,
                 std::span<const char* const> names, int chosen,
                 void (*set)(Recipe& recipe, int chosen)) {
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    all.push_back({.id = "recipe." + label + "." + std::to_string(i),
                   .group = kGroup,
                   .name = label + ": " + names[static_cast<std::size_t>(i)],
                   .act = [set, i](const Actor& a) { set(a.app.run.recipe, i); },
                   .value = i == chosen ? "chosen" : ""});
  }
}

void add_numbers(std::vector<Action>& all, const Recipe& recipe) {
  add_number(all, l2_strength_field(), recipe.l2_lambda,
             [](const Actor& a, double value) { a.app.run.recipe.l2_lambda = value; });
  add_number(all, learning_rate_field(), recipe.learning_rate,
             [](const Actor& a, double value) { a.app.run.recipe.learning_rate = value; });
  add_number(all, batch_field(recipe), recipe.batch_sets, [](const Actor& a, double value) {
    a.app.run.recipe.batch_sets = static_cast<int>(value);
  });
  add_number(all, smallest_set_field(recipe), recipe.smallest_set,
             [](const Actor& a, double value) {
               a.app.run.recipe.smallest_set = static_cast<int>(value);
             });
  add_number(all, largest_set_field(recipe), recipe.largest_set, [](const Actor& a, double value) {
    a.app.run.recipe.largest_set = static_cast<int>(value);
  });
}

}  // namespace

void add_recipe_actions(std::vector<Action>& all, const AppState& app) {
  const Recipe& recipe = app.run.recipe;
  all.push_back({.id = "recipe.start",
                 .group = kGroup,
                 .name = "Start new run",
                 .help = "Fresh weights under this recipe and seed. The run that is open ends; "
                         "save it first if you want to keep it.",
                 .act = [](const Actor& a) { start_run(a.app, a.session); },
                 .value = recipe_changed(app) ? "changed" : ""});
  all.push_back({.id = "recipe.undo",
                 .group = kGroup,
                 .name = "Recipe of the open run",
                 .help = "Puts the recipe of the open run back.",
                 .act =
                     [](const Actor& a) {
                       a.app.run.recipe = a.app.status.recipe;
                       a.app.run.seed = a.app.status.seed;
                     },
                 .available = recipe_changed(app)});
  all.push_back({.id = "recipe.paper",
                 .group = kGroup,
                 .name = "Recipe of the paper",
                 .help = "Puts the values of appendix A of the paper into all fields but the seed.",
                 .act = [](const Actor& a) { a.app.run.recipe = Recipe(); },
                 .available = !(recipe == Recipe())});
  add_number(all, seed_field(), app.run.seed, [](const Actor& a, double value) {
    a.app.run.seed = static_cast<std::uint32_t>(value);
  });
  add_numbers(all, recipe);
  add_choices(all, "L2", l2_names(), static_cast<int>(recipe.l2),
              [](Recipe& changed, int i) { changed.l2 = static_cast<L2Form>(i); });
  add_choices(all, "path", path_names(), static_cast<int>(recipe.path), set_path);
  add_choices(all, "precision", precision_names(), static_cast<int>(recipe.precision),
              set_precision);
}

}  // namespace dispersion
