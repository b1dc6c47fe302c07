#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/attention/softmax.h"
#include "core/verify/section.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

struct Exponents {
  int first = 0;
  int last = 0;
};

// Entropy of softmax(a / theta), a_i = lambda^i; 0^0 = 1.
double series_entropy(double lambda, double theta, Exponents exponents) {
  std::vector<double> logits;
  for (int i = exponents.first; i <= exponents.last; ++i)
    logits.push_back(std::pow(lambda, i));
  return summarise_logits(std::span<const double>(logits), theta).entropy;
}

// "entropy_exponents_0_to_9".
std::optional<Exponents> parse_exponents(std::string_view key) {
  constexpr std::string_view kPrefix = "entropy_exponents_";
  constexpr std::string_view kTo = "_to_";
  if (!key.starts_with(kPrefix)) return std::nullopt;
  key.remove_prefix(kPrefix.size());
  Exponents exponents;
  const char* end = key.data() + key.size();
  const auto first = std::from_chars(key.data(), end, exponents.first);
  const std::string_view rest(first.ptr, static_cast<std::size_t>(end - first.ptr));
  if (first.ec != std::errc() || !rest.starts_with(kTo)) return std::nullopt;
  const auto last = std::from_chars(first.ptr + kTo.size(), end, exponents.last);
  const bool fits = last.ec == std::errc() && last.ptr == end && exponents.first >= 0 &&
                    exponents.last >= exponents.first && exponents.last < 1000;
  return fits ? std::optional(exponents) : std::nullopt;
}

void check_grid(Section& section, const CaseValue& rows, Exponents exponents) {
  const std::vector<double> lambdas = section.cases().at("lambda").numbers();
  const std::vector<double> thetas = section.cases().at("theta").numbers();
  std::vector<double> computed;
  std::vector<double> truth;
  for (std::size_t i = 0; i < lambdas.size(); ++i) {
    for (const double theta : thetas) {
      computed.push_back(series_entropy(lambdas[i], theta, exponents));
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
                     series_entropy(item.at("lambda").number(), item.at("theta").number(),
                                    {first, first + kTerms - 1}));
    });
  }
}

}  // namespace

void verify_power_series(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "", "power_series", report);
  section.guarded("power_series", [&] {
    for (const std::string& key : section.cases().keys()) {
      const std::optional<Exponents> exponents = parse_exponents(key);
      if (!exponents) continue;
      section.guarded("power_series." + key,
                      [&] { check_grid(section, section.cases().at(key), *exponents); });
    }
    check_random(section);
  });
}

}  // namespace dispersion
