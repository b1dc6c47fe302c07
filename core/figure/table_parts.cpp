#include "core/figure/table_parts.h"

#include <algorithm>
#include <set>

#include "core/figure/number_text.h"

namespace dispersion {

std::vector<AttentionTransform> transforms_of(const TableOne& table) {
  std::vector<AttentionTransform> transforms;
  for (const TableOneCell& cell : table.cells) {
    if (std::ranges::find(transforms, cell.transform.id, &AttentionTransform::id) ==
        transforms.end())
      transforms.push_back(cell.transform);
  }
  std::ranges::stable_sort(transforms, {}, &AttentionTransform::id);
  return transforms;
}

std::string paper_name(const TransformDefinition& definition) {
  return std::string(definition.label) + ", paper";
}

bool is_further(const AttentionTransform& transform) {
  return transform.id != TransformId::kSoftmax && transform.id != TransformId::kAdaptive &&
         transform.id != TransformId::kHard;
}

std::string share_text(double share) {
  return fixed_text(100 * share, 1);
}

std::vector<int> sizes_of(const TableOne& table) {
  std::set<int> sizes;
  for (const TableOneCell& cell : table.cells)
    sizes.insert(cell.items);
  return {sizes.begin(), sizes.end()};
}

std::string sets_text(const TableOne& table) {
  if (table.cells.empty()) return "nothing evaluated yet";
  const auto [low, high] = std::ranges::minmax(table.cells, {}, &TableOneCell::sets);
  const std::string sets = low.sets == high.sets
                               ? grouped_text(high.sets)
                               : grouped_text(low.sets) + " to " + grouped_text(high.sets);
  return grouped_text(table.heads) + (table.heads == 1 ? " seed, " : " seeds, ") + sets +
         " sets of every size each";
}

}  // namespace dispersion
