#include "core/experiment/size_pairs.h"

#include <algorithm>

#include "core/task/draws.h"

namespace dispersion {
namespace {

const TransformEvaluation* under(const SetEvaluation& evaluation, TransformId id) {
  const auto found = std::ranges::find_if(
      evaluation.transforms,
      [&](const TransformEvaluation& each) { return each.transform.id == id; });
  return found == evaluation.transforms.end() ? nullptr : &*found;
}

}  // namespace

std::vector<SizePair> empty_pairs(const HeadUnder& a, const HeadUnder& b, int items) {
  std::vector<SizePair> pairs;
  for (const AttentionTransform& of_b : b.transforms) {
    const auto has_id = [&](const AttentionTransform& of_a) { return of_a.id == of_b.id; };
    if (std::ranges::any_of(a.transforms, has_id)) pairs.push_back({.items = items, .id = of_b.id});
  }
  return pairs;
}

void add_pairs(Backend& backend, const HeadUnder& a, const HeadUnder& b, std::uint32_t seed,
               int sets, std::span<SizePair> pairs) {
  if (pairs.empty() || sets < 1) return;
  const int items = pairs.front().items;
  ItemSets batch;
  batch.resize(sets, items);
  draw_item_sets(seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items),
                 static_cast<std::uint32_t>(pairs.front().sets), batch);
  const SetEvaluation of_a = backend.evaluate(a.head, batch.view(), a.transforms);
  const SetEvaluation of_b = backend.evaluate(b.head, batch.view(), b.transforms);
  for (SizePair& pair : pairs) {
    const TransformEvaluation* left = under(of_a, pair.id);
    const TransformEvaluation* right = under(of_b, pair.id);
    if (left == nullptr || right == nullptr) continue;
    for (std::size_t set = 0; set < batch.label.size(); ++set) {
      const bool a_right = left->predicted[set] == batch.label[set];
      const bool b_right = right->predicted[set] == batch.label[set];
      pair.only_a += a_right && !b_right;
      pair.only_b += b_right && !a_right;
      pair.both += a_right && b_right;
    }
    pair.sets += sets;
  }
}

}  // namespace dispersion
