#include "app/commands/recipe_options.h"

#include <stdexcept>

#include "app/commands/number_options.h"
#include "app/commands/usage_error.h"

namespace dispersion {
namespace {

// What takes the name of a value; `from_name` throws std::invalid_argument at a name it does not
// know.
template <class Value>
auto named_value(Value& value, Value (*from_name)(std::string_view)) {
  return [&value, from_name](const std::string& name) {
    try {
      value = from_name(name);
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  };
}

constexpr const char* kPrecisionHelp =
    "What is rounded before it is multiplied: fp32 (nothing), bf16-priorities, fp16-priorities, "
    "bf16 or fp16. Other than fp32: on the direct path";

}  // namespace

CLI::Option* add_path_option(CLI::App& app, HeadPath& path) {
  return internal::add_parsed_option(app, "--path", "PATH",
                                     "How items are computed: direct or spectral",
                                     named_value(path, head_path_from_name))
      ->default_str(std::string(head_path_name(path)));
}

CLI::Option* add_precision_option(CLI::App& app, Precision& precision) {
  return internal::add_parsed_option(app, "--precision", "PRECISION", kPrecisionHelp,
                                     named_value(precision, precision_from_name))
      ->default_str(std::string(precision_name(precision)));
}

std::vector<CLI::Option*> add_recipe_options(CLI::App& app, Recipe& recipe) {
  const WholeRange batch_range = {1, 65'536};
  const WholeRange set_range = {1, 4'096};
  const RealRange share = {.low = 0, .high = 1, .high_included = false};
  std::vector<CLI::Option*> options = {
      internal::add_parsed_option(app, "--l2", "FORM",
                                  "How L2 enters: half-kernels, half-all, full-kernels, full-all, "
                                  "decoupled or none",
                                  named_value(recipe.l2, l2_form_from_name))
          ->default_str(std::string(l2_form_name(recipe.l2))),
      add_real_option(app, "--l2-lambda", recipe.l2_lambda, {.low = 0}, "Weight lambda of L2"),
      add_real_option(app, "--learning-rate", recipe.learning_rate, kPositive,
                      "Adam's learning rate, constant"),
      add_real_option(app, "--adam-beta1", recipe.adam_beta1, share,
                      "Adam's decay of the first moment"),
      add_real_option(app, "--adam-beta2", recipe.adam_beta2, share,
                      "Adam's decay of the second moment"),
      add_real_option(app, "--adam-epsilon", recipe.adam_epsilon, kPositive,
                      "What Adam adds to the denominator"),
      add_whole_option(app, "--batch-sets", recipe.batch_sets, batch_range, "Sets in a batch"),
      add_whole_option(app, "--smallest-set", recipe.smallest_set, set_range,
                       "Items in the smallest training set"),
      add_whole_option(app, "--largest-set", recipe.largest_set, set_range,
                       "Items in the largest training set"),
      // In this order, in which they are also read: a precision that needs the direct path chooses
      // it, and a path that was asked for is not overruled.
      internal::add_parsed_option(app, "--precision", "PRECISION", kPrecisionHelp,
                                  [&recipe](const std::string& name) {
                                    named_value(recipe.precision, precision_from_name)(name);
                                    if (recipe.precision != Precision::kFloat) {
                                      recipe.path = HeadPath::kDirect;
                                    }
                                  })
          ->default_str(std::string(precision_name(recipe.precision))),
      add_path_option(app, recipe.path)};
  for (CLI::Option* option : options)
    option->group("Recipe (defaults: the paper's, appendix A)");
  return options;
}

}  // namespace dispersion
