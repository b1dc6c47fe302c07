#include "app/commands/shared_options.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "app/commands/text.h"

namespace dispersion {
namespace {

// A function that sets `value` from its name. `from_name` throws std::invalid_argument for an
// unknown name.
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
    "bf16 or fp16. The last two compute on the direct path";

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const TransformDefinition* definition : transform_definitions())
    names.emplace_back(definition->name);
  return names;
}

AttentionTransform parse_one(const std::string& text) {
  try {
    return parse_transform(text);
  } catch (const std::invalid_argument& error) {
    const std::string name = text.substr(0, text.find(':'));
    const std::vector<std::string> names = all_names();
    const bool known = std::ranges::find(names, name) != names.end();
    throw UsageError(error.what() + (known ? "" : did_you_mean(name, names)));
  }
}

}  // namespace

void add_path_option(Subcommand& command, HeadPath& path) {
  command.add_text("--path", "PATH", std::string(head_path_name(path)),
                   named_value(path, head_path_from_name),
                   "Path on which items are computed: direct or spectral");
}

void add_precision_option(Subcommand& command, Precision& precision) {
  command.add_text("--precision", "PRECISION", std::string(precision_name(precision)),
                   named_value(precision, precision_from_name), kPrecisionHelp);
}

std::vector<std::string> add_recipe_options(Subcommand& command, Recipe& recipe) {
  const WholeRange batch_range = {1, 65'536};
  const WholeRange set_range = {1, 4'096};
  const RealRange share = {.low = 0, .high = 1, .high_included = false};
  command.add_text(
      "--l2", "FORM", std::string(l2_form_name(recipe.l2)),
      named_value(recipe.l2, l2_form_from_name),
      "Form of L2 regularisation: half-kernels, half-all, full-kernels, full-all, decoupled or "
      "none");
  command.add_real("--l2-lambda", recipe.l2_lambda, {.low = 0},
                   "Weight lambda of L2 regularisation");
  command.add_real("--learning-rate", recipe.learning_rate, kPositive,
                   "Adam's learning rate, constant");
  command.add_real("--adam-beta1", recipe.adam_beta1, share, "Adam's decay of the first moment");
  command.add_real("--adam-beta2", recipe.adam_beta2, share, "Adam's decay of the second moment");
  command.add_real("--adam-epsilon", recipe.adam_epsilon, kPositive,
                   "Adam's epsilon, added to the denominator");
  command.add_whole("--batch-sets", recipe.batch_sets, batch_range, "Sets in a batch");
  command.add_whole("--smallest-set", recipe.smallest_set, set_range,
                    "Items in the smallest training set");
  command.add_whole("--largest-set", recipe.largest_set, set_range,
                    "Items in the largest training set");
  // Options are read in the order in which they are added. A precision that needs the direct path
  // chooses it, and a path that the user gave is read after that and so is not overruled.
  command.add_text(
      "--precision", "PRECISION", std::string(precision_name(recipe.precision)),
      [&recipe](const std::string& name) {
        named_value(recipe.precision, precision_from_name)(name);
        recipe.path = path_in(recipe.precision, recipe.path);
      },
      kPrecisionHelp);
  add_path_option(command, recipe.path);
  const std::vector<std::string> names = {"--l2",         "--l2-lambda",    "--learning-rate",
                                          "--adam-beta1", "--adam-beta2",   "--adam-epsilon",
                                          "--batch-sets", "--smallest-set", "--largest-set",
                                          "--precision",  "--path"};
  command.group(names, "Recipe (defaults: the paper's, appendix A)");
  return names;
}

std::string recipe_text(const Recipe& recipe) {
  const auto number = [](double value) { return nlohmann::json(value).dump(); };
  return "L2 " + std::string(l2_form_name(recipe.l2)) + " " + number(recipe.l2_lambda) + ", Adam " +
         number(recipe.learning_rate) + " (" + number(recipe.adam_beta1) + ", " +
         number(recipe.adam_beta2) + ", " + number(recipe.adam_epsilon) + "), " +
         std::to_string(recipe.batch_sets) + (recipe.batch_sets == 1 ? " set of " : " sets of ") +
         std::to_string(recipe.smallest_set) + " .. " + std::to_string(recipe.largest_set) +
         " items, " + std::string(head_path_name(recipe.path)) +
         (recipe.precision == Precision::kFloat
              ? ""
              : ", " + std::string(precision_name(recipe.precision)));
}

std::string transform_names() {
  return joined(all_names(), ", ");
}

std::string transforms_text(const std::vector<AttentionTransform>& transforms) {
  std::vector<std::string> texts;
  for (const AttentionTransform& transform : transforms)
    texts.push_back(transform_text(transform));
  return joined(texts, ",");
}

std::vector<AttentionTransform> parse_transforms(const std::string& text) {
  std::vector<AttentionTransform> transforms;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const AttentionTransform next = parse_one(in_small_letters(text.substr(begin, end - begin)));
    if (std::ranges::find(transforms, next.id, &AttentionTransform::id) != transforms.end())
      throw UsageError("'" + std::string(transform_name(next.id)) + "' is named twice");
    transforms.push_back(next);
    begin = end + 1;
  }
  return transforms;
}

void add_transforms_option(Subcommand& command, std::vector<AttentionTransform>& values,
                           const std::string& help) {
  command.add_text(
      "--transforms", "NAMES", transforms_text(values),
      [&values](const std::string& text) { values = parse_transforms(text); }, help);
  command.suggest("--transforms", all_names());
}

}  // namespace dispersion
