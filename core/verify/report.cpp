#include "core/verify/report.h"

#include <algorithm>

namespace dispersion {

std::string_view arithmetic_name(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::kFloat32:
      return "float32";
    case Arithmetic::kFloat64:
      return "float64";
    case Arithmetic::kStored:
      return "stored float32";
    case Arithmetic::kExact:
      return "exact";
  }
  return "";
}

bool VerifyReport::passed() const {
  return !rows.empty() &&
         std::all_of(rows.begin(), rows.end(), [](const VerifyRow& row) { return row.passed; });
}

std::string group_name(const std::string& quantity) {
  std::string name;
  bool in_index = false;
  for (const char c : quantity) {
    if (!in_index || c == ']') name += c;
    if (c == '[') name += '*';
    in_index = c == '[' || (in_index && c != ']');
  }
  for (const std::string prefix :
       {"measured_f32_vs_f64.forward_backward.", "measured_f32_vs_f64.adam.",
        "measured_f32_vs_f64.trained.", "measured_f32_vs_f64.adaptive_backward.",
        "measured_f32_vs_f64.softmax_cases.", "measured_f32_vs_f64.streaming.",
        "adam.after5_difference_quantiles."}) {
    if (name.starts_with(prefix)) return prefix + "*" + name.substr(name.rfind('.'));
  }
  return name;
}

}  // namespace dispersion
