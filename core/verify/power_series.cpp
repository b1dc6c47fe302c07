#include <charconv>
#include <optional>
#include <string_view>

#include "core/experiment/entropy_surface.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

// The series that a key of cases.json names, such as "entropy_exponents_0_to_9"; nothing for other
// keys.
std::optional<PowerSeries> parse_exponents(std::string_view key) {
  constexpr std::string_view kPrefix = "entropy_exponents_";
  constexpr std::string_view kTo = "_to_";
  if (!key.starts_with(kPrefix)) return std::nullopt;
  key.remove_prefix(kPrefix.size());
  int first_exponent = 0;
  int last_exponent = 0;
  const char* end = key.data() + key.size();
  const auto first = std::from_chars(key.data(), end, first_exponent);
  const std::string_view rest(first.ptr, static_cast<std::size_t>(end - first.ptr));
  if (first.ec != std::errc() || !rest.starts_with(kTo)) return std::nullopt;
  const auto last = std::from_chars(first.ptr + kTo.size(), end, last_exponent);
  const bool fits = last.ec == std::errc() && last.ptr == end && first_exponent >= 0 &&
                    last_exponent >= first_exponent && last_exponent < 1000;
  if (!fits) return std::nullopt;
  return PowerSeries{first_exponent, last_exponent - first_exponent + 1};
}

void check_grid(Section& section, const CaseValue& rows, PowerSeries series) {
  const std::vector<double> lambdas = section.cases().at("lambda").numbers();
  const std::vector<double> thetas = section.cases().at("theta").numbers();
  std::vector<double> computed;
  std::vector<double> truth;
  for (std::size_t i = 0; i < lambdas.size(); ++i) {
    for (const double theta : thetas) {
      computed.push_back(power_series_entropy(lambdas[i], theta, series));
    }
    const std::vector<double> row = rows.at(i).numbers();
    truth.insert(truth.end(), row.begin(), row.end());
  }
  section.values("cases.json", rows.place(), Arithmetic::kFloat64, computed, truth,
                 tolerance::kDoubleScalar,
                 index_in({static_cast<std::int64_t>(lambdas.size()),
                           static_cast<std::int64_t>(thetas.size())}));
}

void check_random(Section& section) {
  constexpr int kTerms = 10;
  const CaseValue list = section.cases().at("random");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const CaseValue item = list.at(i);
    section.guarded(item.place(), [&] {
      const auto first = static_cast<int>(item.at("first_exponent").integer());
      section.scalar(item, "entropy",
                     power_series_entropy(item.at("lambda").number(), item.at("theta").number(),
                                          {first, kTerms}));
    });
  }
}

}  // namespace

void verify_power_series(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "", "power_series", report);
  section.guarded("power_series", [&] {
    for (const std::string& key : section.cases().keys()) {
      const std::optional<PowerSeries> series = parse_exponents(key);
      if (!series) continue;
      section.guarded("power_series." + key,
                      [&] { check_grid(section, section.cases().at(key), *series); });
    }
    check_random(section);
  });
}

}  // namespace dispersion
