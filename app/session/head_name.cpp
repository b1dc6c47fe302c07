#include "app/session/head_name.h"

#include "core/figure/number_text.h"

namespace dispersion {

std::string head_name_text(const HeadName& head) {
  if (head.run_hash.empty()) return "no head";
  const std::string run = head.has_run ? "seed " + std::to_string(head.seed) + ", step " +
                                             grouped_text(head.step) + ", "
                                       : "";
  return run + "run hash " + head.run_hash;
}

}  // namespace dispersion
