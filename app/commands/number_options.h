#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// Options that hold numbers. The whole text must be one number in range, written with '.' under
// every locale; anything else is wrong usage with a line that says what was expected.

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

// Both throw UsageError.
std::int64_t parse_whole(std::string_view text, WholeRange range);
double parse_real(std::string_view text, RealRange range);
// "16,64,256".
std::vector<int> parse_whole_list(std::string_view text, WholeRange range);

// The value in `value` is the default and shown as such. Ranges of narrow types must fit them.
template <class Whole>
CLI::Option* add_whole_option(CLI::App& app, const std::string& name, Whole& value,
                              WholeRange range, const std::string& description);
CLI::Option* add_real_option(CLI::App& app, const std::string& name, double& value, RealRange range,
                             const std::string& description);
CLI::Option* add_whole_list_option(CLI::App& app, const std::string& name, std::vector<int>& values,
                                   WholeRange range, const std::string& description);

namespace internal {

// Calls `parse` with the text given and turns a UsageError into one that names the option.
CLI::Option* add_parsed_option(CLI::App& app, const std::string& name, const std::string& type,
                               const std::string& description,
                               const std::function<void(const std::string&)>& parse);

}  // namespace internal

template <class Whole>
CLI::Option* add_whole_option(CLI::App& app, const std::string& name, Whole& value,
                              WholeRange range, const std::string& description) {
  return internal::add_parsed_option(app, name, "N", description,
                                     [&value, range](const std::string& text) {
                                       value = static_cast<Whole>(parse_whole(text, range));
                                     })
      ->default_str(std::to_string(value));
}

}  // namespace dispersion
