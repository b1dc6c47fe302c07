#pragma once

#include <map>
#include <utility>
#include <vector>

#include "tests/statements/claims.h"
#include "tests/statements/live_reference.h"
#include "tests/statements/zoo.h"

namespace dispersion {

// What is shown at the moment: a head, the sets of some sizes, and transforms.
struct Shown {
  const ZooHead* head = nullptr;
  std::vector<AttentionTransform> transforms;
  std::map<int, LiveReference> sizes;
  std::map<std::pair<int, TransformId>, TransformTruth> known;

  const LiveReference& at(double items) const { return sizes.at(static_cast<int>(items)); }

  const TransformTruth& under(double items, TransformId id) {
    const auto place = std::pair(static_cast<int>(items), id);
    if (!known.contains(place)) {
      const auto found = std::ranges::find(transforms, id, &AttentionTransform::id);
      known[place] = at(items).under(*found);
    }
    return known.at(place);
  }
  const TransformTruth& under(const Claim& claim) {
    for (const TransformDefinition* definition : transform_definitions()) {
      if (definition->name == claim.of) return under(claim.at.front(), definition->id);
    }
    throw std::logic_error("of no transform: " + claim.of);
  }

  Truth weight_on_max(double items, TransformId id) {
    const TransformTruth& truth = under(items, id);
    std::vector<Truth> all;
    for (int set = 0; set < at(items).sets(); ++set)
      all.push_back(truth.weight(set, at(items).maximum(set)));
    return mean(all);
  }
  Truth entropy(double items, TransformId id) { return mean(under(items, id).entropy); }

  // How many sets are right, with 100 for all.
  Count right(const TransformTruth& truth) {
    Count count;
    for (const int right : truth.right)
      count.add(right == 1, right >= 0);
    return count;
  }
};

// Knows what is true of `shown`, which has to outlive the claims and may change.
Claims live_claims(Shown& shown);

}  // namespace dispersion
