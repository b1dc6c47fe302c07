#include "app/export/provenance.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

#include "core/build_info.h"
#include "core/io/checkpoint.h"

namespace dispersion {
namespace {

constexpr std::int64_t kLastSecond = 253'402'300'799;  // of the year 9999

}  // namespace

Provenance provenance_of_build() {
  const BuildInfo build = build_info();
  return {{"program", "dispersion_lab"},
          {"version", std::string(build.version)},
          {"commit", std::string(build.commit)}};
}

Provenance provenance_of_head(std::string_view name, const Recipe& recipe,
                              const TrainingState& state) {
  return {{"head", std::string(name)},
          {"recipe", recipe_to_json(recipe)},
          {"seed", std::to_string(state.seed)},
          {"step", std::to_string(state.step)},
          {"run_hash", run_hash(recipe, state)}};
}

void add_missing(Provenance& all, const Provenance& more) {
  for (const auto& [name, value] : more) {
    if (std::ranges::none_of(all, [&](const auto& known) { return known.first == name; }))
      all.emplace_back(name, value);
  }
}

std::string date_of_environment() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr || *text == '\0') return "";
  std::int64_t seconds = -1;
  const std::string_view all(text);
  const auto read = std::from_chars(all.data(), all.data() + all.size(), seconds);
  if (read.ec != std::errc() || read.ptr != all.data() + all.size() || seconds < 0 ||
      seconds > kLastSecond) {
    throw std::invalid_argument("SOURCE_DATE_EPOCH: expected seconds since 1970, not '" +
                                std::string(all) + "'");
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc = {};
  gmtime_r(&time, &utc);
  char date[64];
  std::snprintf(date, sizeof date, "%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900,
                utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return date;
}

}  // namespace dispersion
