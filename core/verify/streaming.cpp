#include "core/experiment/streaming.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/io/file.h"
#include "core/verify/case_slices.h"
#include "core/verify/sections.h"

namespace dispersion {
namespace {

constexpr std::int64_t kLongestFormula = 100'000'000;

// Entropy and log sum exp less the maximum of every prefix of every row.
struct Prefixes {
  std::vector<double> entropy;
  std::vector<double> log_sum;
};

template <class Scalar>
Prefixes prefixes(const CaseSlices& slices, const std::vector<float>& logits) {
  Prefixes result;
  for (std::size_t c = 0; c < slices.count(); ++c) {
    StreamingEntropy<Scalar> entropy;
    for (const float logit : slices.of(c, logits)) {
      entropy.push(static_cast<Scalar>(logit));
      result.entropy.push_back(static_cast<double>(entropy.entropy()));
      result.log_sum.push_back(static_cast<double>(entropy.log_sum_exp_minus_max()));
    }
  }
  return result;
}

// The entropies of all cases by one way to stream them, which become one row of the report for each
// precision.
class Totals {
 public:
  void add(const CaseValue& truth, const StreamingEntropy<float>& float32,
           const StreamingEntropy<double>& float64) {
    truth_.push_back(truth.at("entropy").number());
    float32_.push_back(static_cast<double>(float32.entropy()));
    float64_.push_back(float64.entropy());
    places_.push_back(truth.place());
  }

  void report(Section& section, const std::string& quantity) const {
    const PlaceName place = [&](std::size_t i) { return places_[i]; };
    section.values("cases.json", quantity, Arithmetic::kFloat32, float32_, truth_,
                   tolerance::kStreaming, place);
    section.values("cases.json", quantity, Arithmetic::kFloat64, float64_, truth_,
                   tolerance::kDoubleScalar, place);
  }

 private:
  std::vector<double> truth_;
  std::vector<double> float32_;
  std::vector<double> float64_;
  std::vector<std::string> places_;
};

// The folder has the errors of its own float32 program in two places, which have to agree.
void check_record(Section& section, const CaseValue& item) {
  const CaseValue root = section.folder().cases();
  if (!root.contains("measured_f32_vs_f64")) return;
  const CaseValue measured = root.at("measured_f32_vs_f64").at("streaming");
  const std::string name = item.at("name").text();
  for (const std::string way : {"centred", "uncentred"}) {
    section.scalar(measured.at(name), way,
                   std::abs(item.at("f32_error_" + way + "_streaming").number()));
  }
}

void check_case(Section& section, const CaseValue& item, std::span<const float> logits) {
  const auto masked = [](float e) { return e == -std::numeric_limits<float>::infinity(); };
  const StreamingEntropy<double> entropy = stream_entropy<double>(logits);
  const auto first = std::find_if_not(logits.begin(), logits.end(), masked) - logits.begin();
  section.integer(item, "first_present", first);
  section.integer(item, "present",
                  static_cast<std::int64_t>(logits.size()) -
                      std::count_if(logits.begin(), logits.end(), masked));
  section.scalar(item, "max", entropy.max);
  section.scalar(item, "lse_minus_max", entropy.log_sum_exp_minus_max());
  section.scalar(item, "log_sum_exp", entropy.max + entropy.log_sum_exp_minus_max());
  // The error of the folder's own float32 program cannot be recomputed, but has to be within the
  // tolerance.
  section.scalar(item, "f32_error_centred_streaming", 0, tolerance::kStreaming);
  check_record(section, item);
}

void check_blocks(const CaseValue& item, std::span<const float> logits, Totals& totals) {
  const auto total = static_cast<std::int64_t>(logits.size());
  for (const std::int32_t size : item.at("block_sizes").integers()) {
    if (size < 1) throw FileError(item.place(), "'block_sizes' should be 1 or more");
    const std::vector<std::int64_t> blocks = equal_blocks(size, total);
    totals.add(item, stream_blocks<float>(logits, blocks), stream_blocks<double>(logits, blocks));
  }
}

void check_uneven(const CaseValue& item, std::span<const float> logits, Totals& totals) {
  const std::vector<std::int32_t> sizes = item.at("uneven_blocks").integers();
  std::int64_t sum = 0;
  for (const std::int32_t size : sizes) {
    sum += size;
    if (size < 0) throw FileError(item.place(), "'uneven_blocks' should be 0 or more");
  }
  if (sum != static_cast<std::int64_t>(logits.size())) {
    throw FileError(item.place(), "'uneven_blocks' should add up to the length of the case");
  }
  const std::vector<std::int64_t> blocks(sizes.begin(), sizes.end());
  totals.add(item, stream_blocks<float>(logits, blocks), stream_blocks<double>(logits, blocks));
}

void check_cases(Section& section, const CaseSlices& slices, const std::vector<float>& logits) {
  const CaseValue cases = section.cases().at("cases");
  Totals whole;
  Totals blocks;
  Totals uneven;
  for (std::size_t c = 0; c < slices.count(); ++c) {
    const CaseValue item = cases.at(c);
    const std::span<const float> row = slices.of(c, logits);
    section.guarded(item.place(), [&] {
      check_case(section, item, row);
      whole.add(item, stream_entropy<float>(row), stream_entropy<double>(row));
      check_blocks(item, row, blocks);
      check_uneven(item, row, uneven);
    });
  }
  whole.report(section, "streaming.cases[*].entropy");
  blocks.report(section, "streaming.cases[*].entropy, merged from block_sizes");
  uneven.report(section, "streaming.cases[*].entropy, merged from uneven_blocks");
}

// The logits of a case that is given by a formula: e_i = scale * ((i * multiplier) mod modulus) /
// divisor.
std::vector<float> formula_logits(const CaseValue& item) {
  const std::int64_t n = item.at("n").integer();
  const std::int64_t multiplier = item.at("multiplier").integer();
  const std::int64_t modulus = item.at("modulus").integer();
  const double divisor = item.at("divisor").number();
  const double scale = item.at("scale").number();
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  if (n < 1 || n > kLongestFormula || multiplier < 0 || multiplier > kLargest || modulus < 1 ||
      modulus > kLargest || divisor == 0) {
    throw FileError(item.place(), "the formula's numbers are out of range");
  }
  std::vector<float> logits;
  logits.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    logits.push_back(
        static_cast<float>(scale * static_cast<double>((i * multiplier) % modulus) / divisor));
  }
  return logits;
}

void check_formulas(Section& section) {
  const CaseValue cases = section.cases().at("formula_cases");
  Totals totals;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const CaseValue item = cases.at(c);
    section.guarded(item.place(), [&] {
      const std::vector<float> logits = formula_logits(item);
      const StreamingEntropy<double> entropy = stream_pairwise<double>(logits);
      totals.add(item, stream_pairwise<float>(logits), entropy);
      section.scalar(item, "max", entropy.max);
      section.scalar(item, "log_sum_exp", entropy.max + entropy.log_sum_exp_minus_max());
    });
  }
  totals.report(section, "streaming.formula_cases[*].entropy, merged pairwise");
}

}  // namespace

void verify_streaming(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "streaming.safetensors", "streaming", report);
  section.guarded("inputs", [&] {
    const std::vector<float> logits = section.tensors().floats("logits", {-1});
    const CaseSlices slices(section, section.cases().at("cases"), logits.size());
    const Prefixes float32 = prefixes<float>(slices, logits);
    const Prefixes float64 = prefixes<double>(slices, logits);
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(logits.size())};
    section.tensor("prefix_entropy", {shape, float32.entropy, float64.entropy},
                   tolerance::kStreaming, StoredFloat32::kNone);
    section.tensor("prefix_lse_minus_max", {shape, float32.log_sum, float64.log_sum},
                   tolerance::kStreaming, StoredFloat32::kNone);
    check_cases(section, slices, logits);
  });
  section.guarded("formula_cases", [&] { check_formulas(section); });
}

}  // namespace dispersion
