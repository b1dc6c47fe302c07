#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/verify/golden_folder.h"
#include "core/verify/tolerances.h"
#include "core/verify/verify.h"

namespace dispersion {

// Names the element with an index in a report.
using PlaceName = std::function<std::string(std::size_t)>;

// Names elements of a tensor of this shape: "[3, 5]".
PlaceName index_in(std::vector<std::int64_t> shape);

// Compares numbers with the reference numbers `truth`. Sets error, tolerance, place and passed of
// the row from the element with the largest ratio of error to tolerance. Arrays of different
// lengths fail.
VerifyRow compare(std::span<const double> computed, std::span<const double> truth,
                  const Tolerance& tolerance, const PlaceName& place);

// The same for numbers that have to be equal; element i is compared if `counts(i)`. The error is
// the number of elements that differ, the place is the first of them.
VerifyRow compare_integers(std::span<const std::int32_t> computed,
                           std::span<const std::int32_t> truth,
                           const std::function<bool(std::size_t)>& counts, const PlaceName& place);

template <class T>
std::vector<double> to_doubles(const T& values) {
  return std::vector<double>(std::begin(values), std::end(values));
}

// A quantity as this program computes it.
struct Computed {
  std::vector<std::int64_t> shape;
  std::vector<double> float32;  // by the code as it runs
  std::vector<double> float64;  // by the same code in double precision
};

// Whether the folder also has its own float32 result of a tensor, f32.NAME.
enum class StoredFloat32 {
  kNone,
  kExpected,
  kRounded,  // computed in float64 from float32 logits, and rounded to float32 for storing
};

// A section of a golden folder: a tensor file, if `file` is not empty, and the entry `key` of
// cases.json. Every check adds rows to the report; what is missing or malformed gives a row that
// failed.
class Section {
 public:
  Section(GoldenFolder& folder, std::string file, std::string key, VerifyReport& report);

  // These throw FileError.
  GoldenFolder& folder() { return *folder_; }
  GoldenFile& tensors() { return folder_->file(file_); }
  CaseValue cases() { return folder_->cases().at(key_); }

  // Runs `part`. An exception becomes a failed row of `quantity` with the text of the exception.
  void guarded(const std::string& quantity, const std::function<void()>& part);

  // Checks the tensor NAME against our float32 and float64 results, f32.NAME against our float64
  // one, and what cases.json says about the difference of the two (measured()).
  void tensor(const std::string& name, const Computed& computed, const Tolerance& float32,
              StoredFloat32 stored, const Tolerance& float64 = tolerance::kDoubleTensor);
  // Check numbers of cases.json: parent.key, or all numbers of the list parent.key.
  void scalar(const CaseValue& parent, const std::string& key, double computed,
              const Tolerance& allowed = tolerance::kDoubleScalar);
  void scalars(const CaseValue& parent, const std::string& key, const std::vector<double>& computed,
               const Tolerance& allowed = tolerance::kDoubleScalar);
  void integer(const CaseValue& parent, const std::string& key, std::int64_t computed);
  // Checks the integer tensor NAME; element i only if `counts(i)`.
  void integers(const std::string& name, const std::vector<std::int32_t>& computed,
                Arithmetic arithmetic, const std::function<bool(std::size_t)>& counts);
  // Checks values that the caller has read.
  void values(const std::string& file, const std::string& quantity, Arithmetic arithmetic,
              const std::vector<double>& computed, const std::vector<double>& truth,
              const Tolerance& allowed, const PlaceName& place);
  // Checks measured_f32_vs_f64.KEY.NAME in cases.json: how far the folder's float32 result is from
  // its float64 one. `stored`: that float32 result; where the folder does not have it, it is empty,
  // and only the scale is checked. `slack` is added to the tolerance.
  void measured(const std::string& name, const std::vector<double>& stored,
                const std::vector<double>& float64, double slack = 0);
  void add(std::string file, std::string quantity, Arithmetic arithmetic, VerifyRow row);
  void fail(const std::string& file, const std::string& quantity, const std::string& why);

 private:
  GoldenFolder* folder_;
  std::string file_;
  std::string key_;
  VerifyReport* report_;
};

// The sections of a golden folder. Each is recomputed from inputs in the folder: shapes, sizes,
// numbers of sets, steps and cases, and the recipe are read from it. These functions throw nothing.
void verify_meta(GoldenFolder& folder, VerifyReport& report);
void verify_forward_backward(GoldenFolder& folder, VerifyReport& report);
void verify_adam(GoldenFolder& folder, VerifyReport& report);
void verify_trained(GoldenFolder& folder, VerifyReport& report);
void verify_adaptive_backward(GoldenFolder& folder, VerifyReport& report);
void verify_softmax_cases(GoldenFolder& folder, VerifyReport& report);
void verify_streaming(GoldenFolder& folder, VerifyReport& report);
void verify_polynomial(GoldenFolder& folder, VerifyReport& report);
void verify_statistics(GoldenFolder& folder, VerifyReport& report);
void verify_power_series(GoldenFolder& folder, VerifyReport& report);
void verify_bounds(GoldenFolder& folder, VerifyReport& report);

}  // namespace dispersion
