#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// The user asked for something that is not possible: exit code 2, where every other error gives 1.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WholeRange {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

struct RealRange {
  double low = -std::numeric_limits<double>::infinity();
  bool low_included = true;
  double high = std::numeric_limits<double>::infinity();
  bool high_included = true;
};

inline constexpr WholeRange kSeedRange = {0, 4'294'967'295};
inline constexpr WholeRange kThreadRange = {0, 1024};
inline constexpr RealRange kPositive = {.low = 0, .low_included = false};

// The whole text must be one number in range, written with '.' under every locale. All of
// these throw UsageError, which says what was expected.
std::int64_t parse_whole(std::string_view text, WholeRange range);
double parse_real(std::string_view text, RealRange range);
// "16,64,256".
std::vector<int> parse_whole_list(std::string_view text, WholeRange range);
// One of the names, in capitals or not; returns the name as it is listed.
std::string parse_name(std::string_view text, const std::vector<std::string>& names);

}  // namespace dispersion
