#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/io/checkpoint.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

using json = nlohmann::ordered_json;

void read_field(const std::string& name, const json& value, double& field) {
  if (!value.is_number()) throw std::invalid_argument(in_quotes(name) + " should be a number");
  field = value.get<double>();
}

void read_field(const std::string& name, const json& value, int& field) {
  constexpr int kLargest = std::numeric_limits<int>::max();
  if (!value.is_number_unsigned() ||
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargest)) {
    throw std::invalid_argument(in_quotes(name) + " should be a whole number, 0 or more");
  }
  field = value.get<int>();
}

const std::string& text_of(const std::string& name, const json& value) {
  if (!value.is_string()) throw std::invalid_argument(in_quotes(name) + " should be a text");
  return value.get_ref<const std::string&>();
}

void read_field(const std::string& name, const json& value, L2Form& field) {
  field = l2_form_from_name(text_of(name, value));
}

void read_field(const std::string& name, const json& value, HeadPath& field) {
  field = head_path_from_name(text_of(name, value));
}

void read_field(const std::string& name, const json& value, Precision& field) {
  field = precision_from_name(text_of(name, value));
}

// Fields that older files do not have, because there was only one choice then.
bool may_be_missing(std::string_view name) {
  return name == "path" || name == "precision";
}

// Calls visit(name, field) for every field of the recipe; reading and writing share this list.
template <class RecipeType, class Visit>
void visit_fields(RecipeType& recipe, Visit visit) {
  visit("l2", recipe.l2);
  visit("l2_lambda", recipe.l2_lambda);
  visit("learning_rate", recipe.learning_rate);
  visit("adam_beta1", recipe.adam_beta1);
  visit("adam_beta2", recipe.adam_beta2);
  visit("adam_epsilon", recipe.adam_epsilon);
  visit("batch_sets", recipe.batch_sets);
  visit("smallest_set", recipe.smallest_set);
  visit("largest_set", recipe.largest_set);
  visit("path", recipe.path);
  visit("precision", recipe.precision);
}

json field_value(double value) {
  return value;
}
json field_value(int value) {
  return value;
}
json field_value(L2Form value) {
  return l2_form_name(value);
}
json field_value(HeadPath value) {
  return head_path_name(value);
}
json field_value(Precision value) {
  return precision_name(value);
}

}  // namespace

std::string recipe_to_json(const Recipe& recipe) {
  json object;
  visit_fields(recipe,
               [&](const char* name, const auto& field) { object[name] = field_value(field); });
  return object.dump();
}

Recipe recipe_from_json(std::string_view text) {
  json object = parse_json(text);
  if (!object.is_object()) throw std::invalid_argument("a recipe should be a JSON object");
  Recipe recipe{.path = HeadPath::kDirect};
  visit_fields(recipe, [&](const std::string& name, auto& field) {
    const auto found = object.find(name);
    if (found == object.end()) {
      if (may_be_missing(name)) return;
      throw std::invalid_argument(in_quotes(name) + " is missing");
    }
    read_field(name, *found, field);
    object.erase(found);
  });
  if (!object.empty()) {
    throw std::invalid_argument("unknown field " + in_quotes(object.begin().key()));
  }
  validate(recipe);
  return recipe;
}

}  // namespace dispersion
