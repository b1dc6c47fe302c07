#include "core/verify/head_inputs.h"

#include <algorithm>
#include <stdexcept>

#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::int64_t kWidest = 4096;
constexpr std::int64_t kMostClasses = 256;  // a class is a byte

HeadShape read_shape(GoldenFile& file, const std::string& prefix) {
  const std::string name = prefix + "readout_mlp.1.kernel";
  file.floats(name, {-1, -1});
  const std::vector<std::int64_t> axes = file.shape(name);
  if (axes[0] < 1 || axes[0] > kWidest || axes[1] < 1 || axes[1] > kMostClasses) {
    throw FileError(file.path(), "tensor " + in_quotes(name) +
                                     " should have a width of 1 to 4096 and 1 to 256 classes");
  }
  return {static_cast<int>(axes[0]), static_cast<int>(axes[1])};
}

void check_range(const GoldenFile& file, const std::string& name,
                 const std::vector<std::int32_t>& values, int classes) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0 && values[i] < classes) continue;
    throw FileError(file.path(), "tensor " + in_quotes(name) + " has " + std::to_string(values[i]) +
                                     " at index " + std::to_string(i) + "; expected 0 to " +
                                     std::to_string(classes - 1));
  }
}

}  // namespace

std::vector<std::int64_t> stored_shape(const TensorSlot& slot) {
  if (slot.is_kernel) return {slot.rows, slot.cols};
  return {slot.cols};
}

Parameters<float> read_parameters(GoldenFile& file, const std::string& prefix) {
  Parameters<float> head(read_shape(file, prefix));
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    const std::vector<float> values =
        file.floats(prefix + std::string(slot.name), stored_shape(slot));
    std::copy(values.begin(), values.end(),
              head.values.begin() + static_cast<std::ptrdiff_t>(slot.offset));
  }
  return head;
}

ItemSets read_item_sets(GoldenFile& file, const std::string& prefix, int classes) {
  ItemSets sets;
  sets.priority = file.floats(prefix + "rho", {-1, -1});
  const std::vector<std::int64_t> axes = file.shape(prefix + "rho");
  if (sets.priority.empty()) {
    throw FileError(file.path(), "tensor " + in_quotes(prefix + "rho") + " is empty");
  }
  sets.sets = static_cast<int>(axes[0]);
  sets.items = static_cast<int>(axes[1]);
  const std::vector<std::int32_t> item_class = file.integers(prefix + "class", axes);
  check_range(file, prefix + "class", item_class, classes);
  sets.item_class.assign(item_class.begin(), item_class.end());
  sets.query = file.floats(prefix + "q", {axes[0]});
  sets.label = file.integers(prefix + "label", {axes[0]});
  check_range(file, prefix + "label", sets.label, classes);
  return sets;
}

void check_labels(Section& section, const std::string& prefix, const ItemSets& sets) {
  std::vector<std::int32_t> expected;
  const auto items = static_cast<std::size_t>(sets.items);
  for (std::size_t s = 0; s < sets.label.size(); ++s) {
    const std::span<const float> priority = std::span(sets.priority).subspan(s * items, items);
    expected.push_back(
        sets.item_class[s * items + static_cast<std::size_t>(first_largest(priority))]);
  }
  section.integers(prefix + "label", expected, Arithmetic::kExact,
                   [](std::size_t) { return true; });
}

Recipe read_recipe(GoldenFolder& folder) {
  const CaseValue adam = folder.cases().at("adam");
  Recipe recipe;
  recipe.l2 = L2Form::kHalfAll;
  recipe.l2_lambda = folder.cases().at("meta").at("lambda").number();
  recipe.learning_rate = adam.at("learning_rate").number();
  recipe.adam_beta1 = adam.at("b1").number();
  recipe.adam_beta2 = adam.at("b2").number();
  recipe.adam_epsilon = adam.at("eps").number();
  try {
    validate(recipe);
  } catch (const std::invalid_argument& error) {
    throw FileError(folder.path() / "cases.json", std::string("'adam': ") + error.what());
  }
  return recipe;
}

}  // namespace dispersion
