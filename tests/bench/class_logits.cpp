// Class logits of a checkpoint on a few drawn sets, with the sets, as JSON: what another program
// needs to check that it understands the checkpoint as this one does. Usage: class_logits HEAD
#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/math/area.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

constexpr int kSets = 32;
constexpr int kItems = 16;

template <class Value>
nlohmann::json rows(const std::vector<Value>& values, int columns) {
  nlohmann::json result = nlohmann::json::array();
  for (int r = 0; r < kSets; ++r) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(area(r, columns));
    result.push_back(std::vector<Value>(first, first + columns));
  }
  return result;
}

void print_class_logits(const char* path) {
  const Parameters<float> head = load_checkpoint(path).state.parameters;
  ItemSets sets;
  sets.resize(kSets, kItems);
  draw_item_sets(1, RandomPurpose::kEvaluation, kItems, 0, sets);
  const AttentionTransform plain;
  const SetEvaluation evaluation =
      make_cpu_backend(1)->evaluate(head, sets.view(), std::span(&plain, 1));
  const nlohmann::json object = {
      {"priority", rows(sets.priority, kItems)},
      {"class", rows(sets.item_class, kItems)},
      {"query", sets.query},
      {"class_logits", rows(evaluation.transforms[0].class_logits, head.shape.classes)}};
  std::cout << object.dump() << "\n";
}

}  // namespace
}  // namespace dispersion

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::invalid_argument("usage: class_logits HEAD");
    dispersion::print_class_logits(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "class_logits: %s\n", error.what());
    return 1;
  }
}
