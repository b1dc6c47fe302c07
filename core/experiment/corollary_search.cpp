#include "core/experiment/corollary_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dispersion {
namespace {

constexpr double kNarrowest = 1e-6;  // of a range of log n that is halved
constexpr double kSameError = 1e-2;  // of log n: what is unproved nearer to an error is that error
constexpr double kLargeD = 1e4;
constexpr double kWrittenInFull = 1e6;  // smaller counts are written to the last digit
// Once so many ranges were halved, those that are left are tried at their ends only.
constexpr int kMostHalved = 1 << 16;
// Weights are followed down to exp(-700), where doubles end.
constexpr double kDeepest = 700;
constexpr double kBeyond = 1e-3;  // of log n: how far beyond a weight the search goes for rounding

class Search {
 public:
  Search(CorollaryMixture& mixture, int right_answer, double d)
      : mixture_(mixture), right_answer_(right_answer), d_(d) {}

  ErrorSearch run() {
    ErrorSearch result = search();
    if (result.first_error) result.weight = weight(*result.first_error);
    return result;
  }

 private:
  ErrorSearch search() {
    if (!right(item_count(1))) return {item_count(1), 1, true};
    const std::optional<double> tail = tail_weight();
    if (tail && *tail == 1) return {};
    const double odds = tail ? std::log(1 / *tail - 1) : kDeepest;
    const ErrorSearch found = before(count_with(odds + kBeyond));
    const bool ends_right = tail && mixture_.predicted(0) == right_answer_;
    return {found.first_error, 0, found.complete && (found.first_error || ends_right)};
  }

  double weight(const ItemCount& count) const { return weight_of_a(d_, count); }
  bool right(const ItemCount& count) { return mixture_.predicted(weight(count)) == right_answer_; }

  // The largest power of 2 such that the answer for all weights from 0 to it is that for
  // {b, ..., b}; nothing where two classes are tied there.
  std::optional<double> tail_weight() {
    const int answer = mixture_.predicted(0);
    for (double weight = 1; weight > std::numeric_limits<double>::min(); weight /= 2) {
      if (mixture_.surely(answer, 0, weight)) return weight;
    }
    return std::nullopt;
  }

  // The count at which the weight is 1 / (1 + e^odds): n - 1 = e^(d + odds).
  ItemCount count_with(double odds) const {
    const double rest = d_ + odds;
    const double log = rest > 0 ? rest + std::log1p(std::exp(-rest)) : std::log1p(std::exp(rest));
    return whole(std::max(log, std::log(2.0)));
  }

  // The count with this logarithm, rounded up to a whole one.
  static ItemCount whole(double log) {
    const ItemCount count = item_count_of_log(log);
    if (!count.items || *count.items > kLargestWhole) return count;
    return item_count(std::ceil(*count.items));
  }

  // A count between two, or the second where there is none.
  static ItemCount between(const ItemCount& low, const ItemCount& high) {
    if (high.items && *high.items - *low.items <= 1) return high;
    const ItemCount middle = whole(low.log + (high.log - low.log) / 2);
    const bool inside = middle.log > low.log && middle.log < high.log;
    const bool new_whole = !high.items || !middle.items || *middle.items < *high.items;
    return inside && new_whole ? middle : high;
  }

  // The first error up to `last`; the answer at n = 1 is right.
  ErrorSearch before(const ItemCount& last) {
    ItemCount low = item_count(1);
    std::vector<ItemCount> ends = {last};
    std::optional<double> unproved;  // log n where something was first left unproved
    for (int halved = 0; !ends.empty();) {
      const ItemCount high = ends.back();
      if (mixture_.surely(right_answer_, weight(high), weight(low))) {
        low = high;
        ends.pop_back();
        continue;
      }
      const ItemCount middle = between(low, high);
      const bool one_count = middle == high;
      const bool narrow = high.log - low.log < kNarrowest || halved >= kMostHalved;
      if (!one_count && !narrow) {
        ends.push_back(middle);
        ++halved;
        continue;
      }
      if (!right(high)) {
        const ItemCount error = first_wrong(low, high);
        const bool in_full = error.items && *error.items < kWrittenInFull;
        return {error, 0, !unproved || (!in_full && error.log - *unproved < kSameError)};
      }
      if (!one_count && !unproved) unproved = low.log;
      low = high;
      ends.pop_back();
    }
    return {std::nullopt, 0, !unproved};
  }

  // The first wrong answer between a right one and a wrong one that are near to each other.
  ItemCount first_wrong(ItemCount low, ItemCount high) {
    if (!high.items) {
      for (ItemCount middle = between(low, high); !(middle == high); middle = between(low, high))
        (right(middle) ? low : high) = middle;
      return high;
    }
    const auto wrong = [this](double items) { return !right(item_count(items)); };
    // Where nothing is against it, the bisection begins from powers of 2, so that its last bits do
    // not depend on the ranges of the search.
    const double power = std::exp2(std::floor(std::log2(*high.items)));
    const double begin = power < *high.items ? power : power / 2;
    if (!wrong(begin) && wrong(2 * begin)) {
      const double found = smallest_count(begin, 2 * begin, wrong);
      if (found > *low.items && found <= *high.items) return item_count(found);
    }
    return item_count(smallest_count(*low.items, *high.items, wrong));
  }

  CorollaryMixture& mixture_;
  int right_answer_;
  double d_;
};

}  // namespace

ErrorSearch search_first_error(CorollaryMixture& mixture, int right_answer, double d) {
  // The weight depends on log n - d alone as soon as n is large, and log n loses the digits that
  // count where d is huge. So such a d is replaced by one that is only large: with both, what
  // doubles hold of 1 - weight begins beyond all n that they hold.
  const double searched = std::min(d, kLargeD);
  ErrorSearch result = Search(mixture, right_answer, searched).run();
  if (searched < d && result.first_error && result.first_error->log > 0)
    result.first_error = item_count_of_log(result.first_error->log + (d - searched));
  return result;
}

}  // namespace dispersion
