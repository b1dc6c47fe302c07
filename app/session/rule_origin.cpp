#include "app/session/rule_origin.h"

#include <charconv>
#include <cstdint>

#include "app/export/provenance.h"
#include "app/session/messages.h"
#include "core/figure/number_text.h"
#include "core/io/checkpoint.h"

namespace dispersion {
namespace {

// How many steps the head had been trained in all, as far as its provenance says.
std::string step_text(const Provenance& provenance) {
  const std::string_view digits = provenance_value(provenance, "step");
  const std::string_view before = provenance_value(provenance, kStepsBefore);
  std::int64_t step = 0;
  std::int64_t steps_before = 0;
  const char* end = digits.data() + digits.size();
  const bool whole = std::from_chars(digits.data(), end, step).ptr == end && !digits.empty();
  std::from_chars(before.data(), before.data() + before.size(), steps_before);
  return whole ? grouped_text(steps_before + step) : std::string(digits);
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
