#include "core/figure/counted.h"

#include <string>
#include <utility>

#include "core/figure/number_text.h"

namespace dispersion {

Claim count_claim(std::string_view what, std::int64_t count, std::vector<double> at) {
  return {.what = what,
          .at = std::move(at),
          .value = static_cast<double>(count),
          .shown = grouped_text(count)};
}

Statement count_of(std::string_view what, std::int64_t count, std::vector<double> at) {
  return Statement::number(count_claim(what, count, std::move(at)));
}

Statement counted(std::string_view what, std::int64_t count, std::string_view one,
                  std::vector<double> at) {
  return Statement::fact(counted_text(count, one), {count_claim(what, count, std::move(at))});
}

Statement sets_of_sizes(std::int64_t fewest, std::int64_t most) {
  const std::string from = fewest == most ? "" : grouped_text(fewest) + " to ";
  return Statement::fact(
      from + counted_text(most, "set"),
      {count_claim("fewest sets of a size", fewest), count_claim("most sets of a size", most)});
}

}  // namespace dispersion
