#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/figure/statement.h"

namespace dispersion {

// Counts of what a result has, which are claimed as such.

// The claim of a count, for words that say it in their own way.
Claim count_claim(std::string_view what, std::int64_t count, std::vector<double> at = {});

// "16 384"
Statement count_of(std::string_view what, std::int64_t count, std::vector<double> at = {});

// So many of something, with the plural that only adds an s: "1 set", "16 384 sets".
Statement counted(std::string_view what, std::int64_t count, std::string_view one,
                  std::vector<double> at = {});

// The sets of every size: "2 048 sets", or "64 to 2 048 sets" where sizes differ.
Statement sets_of_sizes(std::int64_t fewest, std::int64_t most);

}  // namespace dispersion
