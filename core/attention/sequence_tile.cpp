// A tile of queries in float, 256 keys at a time.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/attention/sequence_pieces.h"
#include "core/attention/softmax.h"
#include "core/attention/streaming_entropy.h"
#include "core/attention/transforms.h"
#include "core/math/area.h"
#include "core/math/exponential.h"
#include "core/math/largest.h"
#include "core/math/product.h"
#include "core/precision/rounding.h"

namespace dispersion {
namespace {

constexpr int kTileKeys = 256;
constexpr int kKeysAtOnce = 8192;  // between two questions whether to go on

// Sum of terms in lanes that are joined in order: the same for every machine.
class LaneSum {
 public:
  void add(int i, float term) { lanes_[i % kLanes] += static_cast<double>(term); }
  double total() const {
    double total = 0;
    for (const double lane : lanes_)
      total += lane;
    return total;
  }

 private:
  static constexpr int kLanes = 8;
  double lanes_[kLanes] = {};
};

class Tile {
 public:
  Tile(const SequenceAttention& attention, const Sequences& sequences, int head, int first_query,
       const std::function<bool()>& go_on)
      : attention_(attention),
        sequences_(sequences),
        go_on_(go_on),
        first_row_(area(head, attention.n)),
        first_query_(first_query),
        queries_(std::min(kTileQueries, attention.n - first_query)),
        keys_end_(attention.causal ? first_query + queries_ : attention.n),
        scale_(1 / (std::sqrt(static_cast<double>(attention.d)) * attention.transform.theta)),
        products_(area(kTileQueries, kTileKeys)) {}

  // First pass: what the rows' logits are like. Returns whether it came to the end.
  bool find_entropies(AttendedSequences& to) {
    std::vector<StreamingEntropy<double>> rows(static_cast<std::size_t>(queries_));
    std::vector<float> largest(rows.size(), -std::numeric_limits<float>::infinity());
    const bool whole = for_each_block([&](int query, std::span<float> products) {
      const auto r = static_cast<std::size_t>(query);
      largest[r] = std::max(largest[r], largest_value<float>(products));
      rows[r].merge(block_entropy(products));
    });
    if (!whole) return false;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const std::size_t at = row(static_cast<int>(r));
      const double entropy = rows[r].entropy();
      to.largest[at] = largest[r];
      to.log_sum_exp[at] = static_cast<float>(rows[r].max + rows[r].log_sum_exp_minus_max());
      to.entropy[at] = static_cast<float>(entropy);
      to.beta[at] = static_cast<float>(softmax_beta(attention_.transform, entropy, keys_of(r)));
    }
    return true;
  }

  // Second pass: the values, weighted. Returns whether it came to the end.
  bool pool(AttendedSequences& to) {
    std::vector<LaneSum> sums(static_cast<std::size_t>(queries_));
    std::vector<float> pooled(area(queries_, attention_.d));
    const bool whole = for_each_block(
        [&](int query, std::span<float> products) {
          const std::size_t at = row(query);
          weigh(products, to.largest[at], static_cast<double>(to.beta[at]),
                sums[static_cast<std::size_t>(query)]);
        },
        [&](int first_key, int keys) {
          multiply(Transpose::kNo, Transpose::kNo, queries_, attention_.d, keys, products_.data(),
                   rows_of(sequences_.v, first_key), Into::kAdd, pooled.data());
        });
    for (int query = 0; whole && query < queries_; ++query)
      store(sums[static_cast<std::size_t>(query)].total(),
            pooled.data() + area(query, attention_.d), query, to);
    return whole;
  }

 private:
  // How many keys a row of the tile sees.
  std::int64_t keys_of(std::size_t r) const {
    return attention_.causal ? first_query_ + static_cast<std::int64_t>(r) + 1 : attention_.n;
  }
  bool rounds() const { return attention_.numbers == AttentionNumbers::kBf16; }
  std::size_t row(int query) const {
    return first_row_ + static_cast<std::size_t>(first_query_ + query);
  }
  const float* rows_of(const std::vector<float>& sequence, int token) const {
    return sequence.data() +
           (first_row_ + static_cast<std::size_t>(token)) * static_cast<std::size_t>(attention_.d);
  }

  // Calls use_row(query, products) with the products q . k of every row that it sees;
  // what it leaves there, and 0 for keys that are not seen, then_all(first_key, keys) finds in
  // products_, [queries, keys]. Returns whether it came to the end.
  template <class UseRow, class ThenAll>
  bool for_each_block(UseRow use_row, ThenAll then_all) {
    for (int first = 0; first < keys_end_; first += kTileKeys) {
      if (first > 0 && first % kKeysAtOnce == 0 && !go_on_()) return false;
      const int keys = std::min(kTileKeys, keys_end_ - first);
      multiply(Transpose::kNo, Transpose::kYes, queries_, keys, attention_.d,
               rows_of(sequences_.q, first_query_), rows_of(sequences_.k, first), Into::kReplace,
               products_.data());
      for (int query = 0; query < queries_; ++query) {
        const std::span<float> all(products_.data() + area(query, keys),
                                   static_cast<std::size_t>(keys));
        const int seen =
            attention_.causal ? std::clamp(first_query_ + query + 1 - first, 0, keys) : keys;
        const std::span<float> visible = all.first(static_cast<std::size_t>(seen));
        if (seen > 0) use_row(query, visible);
        std::ranges::fill(all.subspan(visible.size()), 0.0f);
      }
      then_all(first, keys);
    }
    return true;
  }
  template <class UseRow>
  bool for_each_block(UseRow use_row) {
    return for_each_block(use_row, [](int, int) {});
  }

  // Of the e / theta of some keys.
  StreamingEntropy<double> block_entropy(std::span<const float> products) const {
    const LogitSummary block = summarise_logits<float>(products, 1 / scale_);
    const double sum = std::exp(block.log_sum);
    return {scale_ * block.max, sum, sum * (block.log_sum - block.entropy)};
  }

  // products <- exp(beta (e - largest) / theta), rounded where weights are.
  void weigh(std::span<float> products, float largest, double beta, LaneSum& sum) const {
    const auto scale = static_cast<float>(scale_ * beta);
    for (float& product : products)
      product = exponential(scale * (product - largest));
    for (std::size_t j = 0; j < products.size(); ++j)
      sum.add(static_cast<int>(j), products[j]);
    if (rounds()) round_values(Rounding::kBf16, products.data(), products.data(), products.size());
  }

  void store(double sum, const float* pooled, int query, AttendedSequences& to) const {
    const auto scale = static_cast<float>(1 / sum);
    const auto d = static_cast<std::size_t>(attention_.d);
    float* out = to.out.data() + row(query) * d;
    for (std::size_t c = 0; c < d; ++c)
      out[c] = pooled[c] * scale;
    if (rounds()) round_values(Rounding::kBf16, out, out, d);
  }

  const SequenceAttention& attention_;
  const Sequences& sequences_;
  const std::function<bool()>& go_on_;
  std::size_t first_row_;  // of the head
  int first_query_;
  int queries_;
  int keys_end_;
  double scale_;  // e / theta = scale q . k
  std::vector<float> products_;
};

}  // namespace

void attend_tile(const SequenceAttention& attention, const Sequences& sequences, int head,
                 int first_query, AttendedSequences& to) {
  attend_tile(
      attention, sequences, head, first_query, [] { return true; }, to);
}

bool attend_tile(const SequenceAttention& attention, const Sequences& sequences, int head,
                 int first_query, const std::function<bool()>& go_on, AttendedSequences& to) {
  Tile tile(attention, sequences, head, first_query, go_on);
  return tile.find_entropies(to) && tile.pool(to);
}

}  // namespace dispersion
