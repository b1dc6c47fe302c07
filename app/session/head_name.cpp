#include "app/session/head_name.h"

#include "core/figure/number_text.h"

namespace dispersion {

HeadName named_head(const std::string& source, bool has_run, const Recipe& recipe,
                    const TrainingState& state) {
  HeadName head;
  head.source = source;
  head.run_hash = run_hash(recipe, state);
  head.has_run = has_run;
  if (!has_run) return head;
  head.recipe = recipe;
  head.seed = state.seed;
  head.step = state.step;
  return head;
}

std::string head_name_text(const HeadName& head) {
  if (head.run_hash.empty()) return "no head";
  const std::string run = head.has_run ? "seed " + std::to_string(head.seed) + ", step " +
                                             grouped_text(head.step) + ", "
                                       : "";
  return run + "run hash " + head.run_hash;
}

}  // namespace dispersion
