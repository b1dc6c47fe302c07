#include "app/session/rule_origin.h"

#include <charconv>
#include <cstdint>

#include "app/export/provenance.h"
#include "app/session/messages.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// "100 000"; a step that is no number stays as it is.
std::string step_text(const Provenance& provenance) {
  const std::string digits = trained_steps(provenance);
  std::int64_t step = 0;
  const char* end = digits.data() + digits.size();
  const bool whole = std::from_chars(digits.data(), end, step).ptr == end && !digits.empty();
  return whole ? grouped_text(step) : digits;
}

}  // namespace

RuleOrigin rule_origin(const Provenance& provenance) {
  const std::string_view seed = provenance_value(provenance, "seed");
  RuleOrigin origin;
  origin.run_hash = provenance_value(provenance, "run_hash");
  origin.head = provenance_value(provenance, "head");
  if (!seed.empty()) {
    origin.head = "seed " + std::string(seed) + ", step ";
    origin.head += step_text(provenance);
  }
  return origin;
}

void use_paper_rule(ViewSettings& view) {
  view.rule = AdaptiveRule();
  view.rule_origin = {};
}

bool of_other_head(const RuleOrigin& origin, const RunStatus& status) {
  return !origin.head.empty() && origin.run_hash != status.run_hash;
}

std::string rule_origin_text(const RuleOrigin& origin, const RunStatus& status) {
  if (origin.head.empty()) return "";
  return "β fitted to " + origin.head + (of_other_head(origin, status) ? "; not this head" : "");
}

}  // namespace dispersion
