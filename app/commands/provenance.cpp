#include "app/commands/provenance.h"

#include <nlohmann/json.hpp>

#include "core/build_info.h"
#include "core/io/checkpoint.h"

namespace dispersion {

Json build_provenance(const Backend& backend) {
  return build_provenance(backend.description());
}

Json build_provenance(const std::string& backend) {
  const BuildInfo build = build_info();
  return {{"version", build.version},       {"commit", build.commit},
          {"build_type", build.build_type}, {"instruction_set", build.instruction_set},
          {"compiler", build.compiler},     {"backend", backend}};
}

Json head_provenance(const Recipe& recipe, const TrainingState& state) {
  return {{"seed", state.seed},
          {"step", state.step},
          {"run_hash", run_hash(recipe, state)},
          {"recipe", Json::parse(recipe_to_json(recipe))}};
}

std::string recipe_text(const Recipe& recipe) {
  const auto number = [](double value) { return Json(value).dump(); };
  return "L2 " + std::string(l2_form_name(recipe.l2)) + " " + number(recipe.l2_lambda) + ", Adam " +
         number(recipe.learning_rate) + " (" + number(recipe.adam_beta1) + ", " +
         number(recipe.adam_beta2) + ", " + number(recipe.adam_epsilon) + "), " +
         std::to_string(recipe.batch_sets) + " sets of " + std::to_string(recipe.smallest_set) +
         " .. " + std::to_string(recipe.largest_set) + " items, " +
         std::string(head_path_name(recipe.path)) +
         (recipe.precision == Precision::kFloat
              ? ""
              : ", " + std::string(precision_name(recipe.precision)));
}

std::map<std::string, std::string> checkpoint_metadata() {
  const BuildInfo build = build_info();
  return {{"program", "dispersion_lab"},
          {"version", std::string(build.version)},
          {"commit", std::string(build.commit)},
          {"instruction_set", std::string(build.instruction_set)},
          {"backend", "cpu"}};
}

Provenance figure_provenance(const Backend& backend, const Recipe& recipe,
                             const TrainingState& state) {
  const BuildInfo build = build_info();
  return {{"program", "dispersion_lab"},         {"version", std::string(build.version)},
          {"commit", std::string(build.commit)}, {"recipe", recipe_to_json(recipe)},
          {"seed", std::to_string(state.seed)},  {"step", std::to_string(state.step)},
          {"run_hash", run_hash(recipe, state)}, {"backend", backend.description()}};
}

}  // namespace dispersion
