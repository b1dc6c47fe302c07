#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/verify/compare.h"
#include "core/verify/golden_folder.h"
#include "core/verify/report.h"
#include "core/verify/tolerances.h"

namespace dispersion {

// A quantity as this program computes it.
struct Computed {
  std::vector<std::int64_t> shape;
  std::vector<double> float32;  // by the code as it runs
  std::vector<double> float64;  // by the same code in double precision
};

// Whether the folder keeps its own float32 result as f32.NAME.
enum class StoredFloat32 {
  kNone,
  kExpected,
  kRounded,  // made in float64 from float32 logits, and rounded for storing
};

// One part of a golden folder: a tensor file (its name may be empty) and its entry in cases.json.
// Every check adds rows to the report; something missing or malformed is a row that failed.
class Section {
 public:
  Section(GoldenFolder& folder, std::string file, std::string key, VerifyReport& report);

  // These throw FileError.
  GoldenFolder& folder() { return *folder_; }
  GoldenFile& tensors() { return folder_->file(file_); }
  CaseValue cases() { return folder_->cases().at(key_); }

  // Runs `part`; when it throws, `quantity` failed for that reason.
  void guarded(const std::string& quantity, const std::function<void()>& part);

  // NAME against float32 and float64, and f32.NAME against float64, with the numbers about that
  // difference in cases.json: measured_f32_vs_f64.
  void tensor(const std::string& name, const Computed& computed, const Tolerance& float32,
              StoredFloat32 stored, const Tolerance& float64 = tolerance::kDoubleTensor);
  // Numbers of cases.json: parent.key, or all of a list; `place` names an element.
  void scalar(const CaseValue& parent, const std::string& key, double computed,
              const Tolerance& allowed = tolerance::kDoubleScalar);
  void scalars(const CaseValue& parent, const std::string& key, const std::vector<double>& computed,
               const Tolerance& allowed = tolerance::kDoubleScalar);
  void integer(const CaseValue& parent, const std::string& key, std::int64_t computed);
  // An integer tensor; only elements for which `counts` says so.
  void integers(const std::string& name, const std::vector<std::int32_t>& computed,
                Arithmetic arithmetic, const std::function<bool(std::size_t)>& counts);
  // Values that the caller has read already.
  void values(const std::string& file, const std::string& quantity, Arithmetic arithmetic,
              const std::vector<double>& computed, const std::vector<double>& truth,
              const Tolerance& allowed, const PlaceName& place);
  // measured_f32_vs_f64.NAME in cases.json: how far the folder's float32 result is from the truth.
  // `stored` may be empty when the folder does not keep that result; then only the scale can be
  // made again. `slack` is added to what is allowed.
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

}  // namespace dispersion
