#include "core/verify/sections.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

namespace dispersion {
namespace {

constexpr const char* kCases = "cases.json";
constexpr const char* kMeasuredKey = "measured_f32_vs_f64";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The largest magnitude of the values that are finite.
double largest_magnitude(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

std::string no_place(std::size_t) {
  return "";
}

// The absolute difference; 0 for equal infinities, infinite for any other value that is not finite.
double difference(double computed, double truth) {
  if (computed == truth) return 0;
  const double error = std::abs(computed - truth);
  return std::isfinite(error) ? error : kInfinity;
}

VerifyRow length_mismatch(std::size_t computed, std::size_t truth) {
  VerifyRow row;
  row.error = kInfinity;
  row.place = "has " + std::to_string(truth) + " numbers; expected " + std::to_string(computed);
  return row;
}

}  // namespace

PlaceName index_in(std::vector<std::int64_t> shape) {
  return [shape = std::move(shape)](std::size_t index) {
    std::string text;
    auto rest = static_cast<std::int64_t>(index);
    for (auto axis = shape.rbegin(); axis != shape.rend(); ++axis) {
      text = std::to_string(rest % *axis) + (text.empty() ? "" : ", " + text);
      rest /= *axis;
    }
    return "[" + text + "]";
  };
}

VerifyRow compare(std::span<const double> computed, std::span<const double> truth,
                  const Tolerance& tolerance, const PlaceName& place) {
  if (computed.size() != truth.size()) return length_mismatch(computed.size(), truth.size());
  const double scale = largest_magnitude(truth);
  VerifyRow row;
  double worst = -1;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double error = difference(computed[i], truth[i]);
    const double limit = tolerance.limit(std::isfinite(truth[i]) ? std::abs(truth[i]) : 0, scale);
    const double ratio = error == 0 ? 0 : limit > 0 ? error / limit : kInfinity;
    if (!(ratio > worst)) continue;
    worst = ratio;
    row.error = error;
    row.tolerance = limit;
    row.place = place(i);
  }
  row.passed = worst <= 1;
  return row;
}

VerifyRow compare_integers(std::span<const std::int32_t> computed,
                           std::span<const std::int32_t> truth,
                           const std::function<bool(std::size_t)>& counts, const PlaceName& place) {
  if (computed.size() != truth.size()) return length_mismatch(computed.size(), truth.size());
  VerifyRow row;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!counts(i) || computed[i] == truth[i]) continue;
    if (row.error == 0) {
      row.place = place(i) + " is " + std::to_string(truth[i]) + "; expected " +
                  std::to_string(computed[i]);
    }
    row.error += 1;
  }
  row.passed = row.error == 0;
  return row;
}

Section::Section(GoldenFolder& folder, std::string file, std::string key, VerifyReport& report)
    : folder_(&folder), file_(std::move(file)), key_(std::move(key)), report_(&report) {}

void Section::guarded(const std::string& quantity, const std::function<void()>& part) {
  try {
    part();
  } catch (const std::exception& error) {
    fail(file_.empty() ? kCases : file_, quantity, error.what());
  }
}

void Section::add(std::string file, std::string quantity, Arithmetic arithmetic, VerifyRow row) {
  row.file = std::move(file);
  row.quantity = std::move(quantity);
  row.arithmetic = arithmetic;
  report_->rows.push_back(std::move(row));
}

void Section::fail(const std::string& file, const std::string& quantity, const std::string& why) {
  VerifyRow row;
  row.error = kInfinity;
  row.place = why;
  add(file, quantity, Arithmetic::kExact, std::move(row));
}

void Section::values(const std::string& file, const std::string& quantity, Arithmetic arithmetic,
                     const std::vector<double>& computed, const std::vector<double>& truth,
                     const Tolerance& allowed, const PlaceName& place) {
  add(file, quantity, arithmetic, compare(computed, truth, allowed, place));
}

void Section::tensor(const std::string& name, const Computed& computed, const Tolerance& float32,
                     StoredFloat32 stored, const Tolerance& float64) {
  const PlaceName place = index_in(computed.shape);
  guarded(name, [&] {
    const std::vector<double> truth = to_doubles(tensors().floats(name, computed.shape));
    values(file_, name, Arithmetic::kFloat32, computed.float32, truth, float32, place);
    values(file_, name, Arithmetic::kFloat64, computed.float64, truth, float64, place);
  });
  std::vector<double> kept;
  if (stored != StoredFloat32::kNone) {
    const std::string stored_name = "f32." + name;
    guarded(stored_name, [&] {
      kept = to_doubles(tensors().floats(stored_name, computed.shape));
      values(file_, stored_name, Arithmetic::kStored, kept, computed.float64, float32, place);
    });
  }
  const bool rounded = stored == StoredFloat32::kRounded;
  measured(name, kept, computed.float64,
           float64.absolute +
               (rounded ? tolerance::kRoundingOfScale * largest_magnitude(computed.float64) : 0));
}

void Section::measured(const std::string& name, const std::vector<double>& stored,
                       const std::vector<double>& float64, double slack) {
  guarded(std::string(kMeasuredKey) + "." + key_ + "." + name, [&] {
    const CaseValue root = folder_->cases();
    if (!root.contains(kMeasuredKey) || !root.at(kMeasuredKey).contains(key_)) return;
    const CaseValue section = root.at(kMeasuredKey).at(key_);
    if (!section.contains(name)) return;
    const CaseValue numbers = section.at(name);
    if (stored.size() == float64.size() && !stored.empty()) {
      double squares = 0;
      double largest = 0;
      for (std::size_t i = 0; i < stored.size(); ++i) {
        const double error = stored[i] - float64[i];
        largest = std::max(largest, std::abs(error));
        squares += error * error;
      }
      Tolerance allowed = tolerance::kMeasured;
      allowed.absolute += slack;
      scalar(numbers, "max_abs", largest, allowed);
      scalar(numbers, "rms_abs", std::sqrt(squares / static_cast<double>(stored.size())), allowed);
    }
    Tolerance allowed = tolerance::kDoubleScalar;
    allowed.absolute += slack;
    scalar(numbers, "max_abs_truth", largest_magnitude(float64), allowed);
    scalar(numbers, "max_abs_over_scale",
           numbers.at("max_abs").number() / numbers.at("max_abs_truth").number());
  });
}

void Section::scalar(const CaseValue& parent, const std::string& key, double computed,
                     const Tolerance& allowed) {
  guarded(parent.place() + "." + key, [&] {
    values(kCases, parent.place() + "." + key, Arithmetic::kFloat64, {computed},
           {parent.at(key).number()}, allowed, no_place);
  });
}

void Section::scalars(const CaseValue& parent, const std::string& key,
                      const std::vector<double>& computed, const Tolerance& allowed) {
  guarded(parent.place() + "." + key, [&] {
    values(kCases, parent.place() + "." + key, Arithmetic::kFloat64, computed,
           parent.at(key).numbers(), allowed,
           index_in({static_cast<std::int64_t>(computed.size())}));
  });
}

void Section::integer(const CaseValue& parent, const std::string& key, std::int64_t computed) {
  guarded(parent.place() + "." + key, [&] {
    const std::int64_t found = parent.at(key).integer();
    VerifyRow row;
    row.passed = found == computed;
    row.error = std::abs(static_cast<double>(found) - static_cast<double>(computed));
    if (!row.passed) {
      row.place = "is " + std::to_string(found) + "; expected " + std::to_string(computed);
    }
    add(kCases, parent.place() + "." + key, Arithmetic::kExact, std::move(row));
  });
}

void Section::integers(const std::string& name, const std::vector<std::int32_t>& computed,
                       Arithmetic arithmetic, const std::function<bool(std::size_t)>& counts) {
  guarded(name, [&] {
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(computed.size())};
    add(file_, name, arithmetic,
        compare_integers(computed, tensors().integers(name, shape), counts, index_in(shape)));
  });
}

}  // namespace dispersion
