#pragma once

#include <functional>
#include <optional>

namespace dispersion {

// Numbers of items are followed as doubles up to here, and as logarithms beyond.
inline constexpr double kLargestCount = 1e300;
inline constexpr double kLargestWhole = 0x1p53;  // up to which doubles hold all whole numbers

// A number of items, which may be larger than any double.
struct ItemCount {
  std::optional<double> items;  // nothing above kLargestCount
  double log = 0;               // natural logarithm

  double log10() const;

  bool operator==(const ItemCount&) const = default;
};
ItemCount item_count(double items);
ItemCount item_count_of_log(double log);

// Weight of the one item a beside n - 1 equal ones: 1 / (1 + (n - 1) e^-d), d = (e_a - e_b) / theta
// of either sign.
double weight_of_a(double d, double items);
double weight_of_a(double d, const ItemCount& count);

// The smallest whole n >= 1 (beyond 2^53: the smallest double) for which `holds` is true, found by
// doubling and then bisection; `holds` must stay true once it is. Nothing if it is false up to
// kLargestCount.
std::optional<double> smallest_count(const std::function<bool(double)>& holds);

// The same between two counts, of which the first does not hold and the second does.
double smallest_count(double without, double with, const std::function<bool(double)>& holds);

}  // namespace dispersion
