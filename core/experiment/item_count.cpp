#include "core/experiment/item_count.h"

#include <cmath>
#include <numbers>

namespace dispersion {

double ItemCount::log10() const {
  return items ? std::log10(*items) : log / std::numbers::ln10;
}

ItemCount item_count(double items) {
  return {items, std::log(items)};
}

ItemCount item_count_of_log(double log) {
  const double items = std::exp(log);
  if (items <= kLargestCount) return {items, log};
  return {std::nullopt, log};
}

double weight_of_a(double d, double items) {
  return items == 1 ? 1 : 1 / (1 + (items - 1) * std::exp(-d));
}

double weight_of_a(double d, const ItemCount& count) {
  return count.items ? weight_of_a(d, *count.items) : 1 / (1 + std::exp(count.log - d));
}

std::optional<double> smallest_count(const std::function<bool(double)>& holds) {
  if (holds(1)) return 1;
  for (double count = 2; count <= kLargestCount; count *= 2) {
    if (holds(count)) return smallest_count(count / 2, count, holds);
  }
  return std::nullopt;
}

double smallest_count(double without, double with, const std::function<bool(double)>& holds) {
  for (;;) {
    double middle = without + (with - without) / 2;
    if (with <= kLargestWhole) middle = std::floor(middle);
    if (middle <= without || middle >= with) return with;
    (holds(middle) ? with : without) = middle;
  }
}

}  // namespace dispersion
