#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/statistics/paired_shares.h"

namespace dispersion {

// A head with the transforms that it is seen under.
struct HeadUnder {
  const Parameters<float>& head;
  std::span<const AttentionTransform> transforms;
};

// How two heads classify the same sets of one size under a transform that both have: how many sets
// both get right, and how many only one of them.
struct SizePair {
  int items = 0;
  TransformId id = TransformId::kSoftmax;
  std::int64_t sets = 0;
  std::int64_t only_a = 0;
  std::int64_t only_b = 0;
  std::int64_t both = 0;

  PairedShares accuracy() const { return compare_shares(sets, only_a, only_b); }  // B minus A
};

// One pair for each transform that both have, without sets.
std::vector<SizePair> empty_pairs(const HeadUnder& a, const HeadUnder& b, int items);

// Evaluates both on the next `sets` evaluation sets of this seed and adds them to the pairs.
void add_pairs(Backend& backend, const HeadUnder& a, const HeadUnder& b, std::uint32_t seed,
               int sets, std::span<SizePair> pairs);

}  // namespace dispersion
