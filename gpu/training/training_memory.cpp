#include "gpu/training/training_memory.h"

#include <algorithm>

#include "core/head/optimiser.h"
#include "gpu/runtime/buffer.h"

namespace dispersion {
namespace {

GroupRecipe group_recipe(const Recipe& recipe) {
  GroupRecipe group;
  group.sets = recipe.batch_sets;
  group.smallest_set = recipe.smallest_set;
  group.largest_set = recipe.largest_set;
  for (const bool is_kernel : {true, false}) {
    const L2Terms terms = l2_terms(recipe, is_kernel);
    const int kind = is_kernel ? 0 : 1;
    group.l2_gradient[kind] = static_cast<float>(terms.gradient);
    group.l2_decay[kind] = static_cast<float>(terms.decay);
    group.l2_loss[kind] = terms.loss;
  }
  group.first_keeps = static_cast<float>(recipe.adam_beta1);
  group.first_takes = static_cast<float>(1 - recipe.adam_beta1);
  group.second_keeps = static_cast<float>(recipe.adam_beta2);
  group.second_takes = static_cast<float>(1 - recipe.adam_beta2);
  group.rate = static_cast<float>(recipe.learning_rate);
  group.epsilon = static_cast<float>(recipe.adam_epsilon);
  return group;
}

void place_state(GroupMemory& g, std::size_t heads, Layout& layout) {
  std::uint32_t* seed = nullptr;
  layout.place(seed, heads);
  g.seed = seed;
  layout.place(g.step, heads);
  layout.place(g.failed, 1);
  layout.place(g.overflowed, 1);
  layout.place(g.arrived, 1);
  layout.place(g.nodes, heads);
  layout.place(g.corrections, heads * TrainingMemory::kRing);
  for (float** array : {&g.parameters, &g.first_moment, &g.second_moment, &g.gradient})
    layout.place(*array, heads * kParameterStride);
  layout.place(g.kept, 3 * heads * kParameterStride);
  layout.place(g.transposed, heads * kSquareKernels * kWidth * kWidth);
  layout.place(g.item_gradient, heads * kItemParts * kItemParameters);
  layout.place(g.squares, heads * kUpdateBlocks);
}

void place_networks(GroupMemory& g, std::size_t heads, Layout& layout) {
  const std::size_t rows = heads * static_cast<std::size_t>(g.rows);
  const std::size_t query_rows = heads * static_cast<std::size_t>(g.query_rows);
  layout.place(g.row_priority, rows);
  layout.place(g.row_class, rows);
  layout.place(g.row_query, query_rows);
  for (float** array : {&g.item_hidden, &g.item_hidden_slope, &g.embedding, &g.embedding_slope,
                        &g.hidden_gradient}) {
    layout.place(*array, rows * kWidth);
  }
  for (float** array : {&g.query_hidden, &g.query_hidden_slope, &g.query_vector,
                        &g.query_projection, &g.score_vector, &g.score_gradient,
                        &g.projection_gradient, &g.vector_gradient, &g.query_gradient}) {
    layout.place(*array, query_rows * kWidth);
  }
}

void place_sets(GroupMemory& g, std::size_t heads, Layout& layout) {
  const std::size_t sets = heads * static_cast<std::size_t>(g.recipe.sets);
  const std::size_t items = sets * static_cast<std::size_t>(g.recipe.largest_set);
  layout.place(g.item_basis, items * kMostItemNodesPerClass);
  layout.place(g.query_basis, sets * kMostQueryNodes);
  layout.place(g.node_logits, heads * kMostQueryNodes * kMostNodes);
  layout.place(g.item_logits, items);
  layout.place(g.weights, items);
  layout.place(g.weight_gradient, items);
  layout.place(g.node_weights, sets * kMostNodes);
  layout.place(g.set_logit_gradient, sets * kMostNodes);
  layout.place(g.score_parts, heads * kNodeTiles * kMostQueryNodes * kWidth);
  layout.place(g.embedding_sums, heads * kNodeTiles * kWidth);
  layout.place(g.logit_gradient_sums, heads * kNodeTiles * kMostQueryNodes);
  layout.place(g.priority, items);
  layout.place(g.item_class, items);
  for (float** array : {&g.pooled, &g.values, &g.attended, &g.readout_hidden, &g.readout_gradient,
                        &g.attended_gradient, &g.values_gradient, &g.pooled_gradient}) {
    layout.place(*array, sets * kWidth);
  }
  layout.place(g.class_gradient, sets * kHeadClasses);
  layout.place(g.set_loss, sets);
  layout.place(g.set_correct, sets);
}

// The group with its arrays laid from `base`; returns how many bytes they take.
std::size_t lay_out(const Recipe& recipe, int heads, std::byte* base, GroupMemory& group) {
  group = {};
  group.heads = heads;
  group.recipe = group_recipe(recipe);
  group.rows = std::max(kMostNodes, recipe.batch_sets * recipe.largest_set);
  group.query_rows = std::max(kMostQueryNodes, recipe.batch_sets);
  group.ring = TrainingMemory::kRing;
  const std::size_t count = static_cast<std::size_t>(heads);
  Layout layout(base);
  place_state(group, count, layout);
  place_networks(group, count, layout);
  place_sets(group, count, layout);
  return layout.bytes();
}

}  // namespace

std::size_t TrainingMemory::bytes(const Recipe& recipe, int heads) {
  GroupMemory group;
  return lay_out(recipe, heads, nullptr, group);
}

TrainingMemory::TrainingMemory(const Recipe& recipe, int heads)
    : memory_(bytes(recipe, heads)),
      reports_(static_cast<std::size_t>(heads) * kRing),
      corrections_(static_cast<std::size_t>(heads) * kRing),
      parameters_(static_cast<std::size_t>(heads) * kParameterStride) {
  lay_out(recipe, heads, memory_.data(), group_);
  group_.reports = reports_.data();
}

}  // namespace dispersion
