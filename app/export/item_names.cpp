#include "app/export/item_names.h"

#include <cmath>
#include <cstdint>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kMostItems = 1e15;

// "" for what is no number of items.
std::string text_of(double value) {
  if (!(value >= 0 && value < kMostItems && std::floor(value) == value)) return "";
  return grouped_text(static_cast<std::int64_t>(value));
}

}  // namespace

std::string plain_name(const std::string& name, double value) {
  return name == text_of(value) ? with_plain_spaces(name) : name;
}

std::string typeset_name(const std::string& name, double value) {
  const std::string typeset = text_of(value);
  return name == with_plain_spaces(typeset) ? typeset : name;
}

}  // namespace dispersion
