#include "app/session/head_name.h"

#include "core/figure/number_text.h"

namespace dispersion {

HeadName named_head(const std::string& source, bool has_run, const Recipe& recipe,
                    const TrainingState& state, std::int64_t steps_before) {
  HeadName head;
  head.source = source;
  head.run_hash = run_hash(recipe, state);
  head.has_run = has_run;
  if (!has_run) return head;
  head.recipe = recipe;
  head.seed = state.seed;
  head.step = state.step;
  head.steps_before = steps_before;
  return head;
}

std::string shipped_head_text(const TrainingState& state) {
  return "the lab's trained head, seed " + std::to_string(state.seed) + ", " +
         grouped_text(state.step) + " steps";
}

std::vector<std::string> source_texts(const std::string& source) {
  std::vector<std::string> texts = {source};
  const std::string on = std::string(kTrainedOn).append(kAfresh);
  const std::size_t end = source.find(on);
  if (end == std::string::npos) return texts;
  std::string before = source.substr(0, end);
  const std::string behind = std::string(kTrainedOn).append(source.substr(end + on.size()));
  texts.push_back(before + behind);
  std::size_t detail = before.rfind(", ");
  if (detail == std::string::npos || !before.ends_with(" steps")) return texts;
  before.resize(detail);
  texts.push_back(before + behind);
  detail = before.rfind(", seed ");
  if (detail != std::string::npos) texts.push_back(before.substr(0, detail) + behind);
  return texts;
}

std::string head_name_text(const HeadName& head) {
  if (head.run_hash.empty()) return "no head";
  const std::string run = head.has_run ? "seed " + std::to_string(head.seed) + ", step " +
                                             grouped_text(head.steps_before + head.step) + ", "
                                       : "";
  return run + "run hash " + head.run_hash;
}

std::string missing_head_text(const HeadName& head) {
  return "the head of that state was not found: " + head_name_text(head) +
         "; it is not inside the program, and in no bookmark, kept run or recent file";
}

std::string trained_again_text(const HeadName& head) {
  const std::string from = head.steps_before == 0
                               ? "from its first weights"
                               : "from step " + grouped_text(head.steps_before) + " on";
  return "the head of that state is kept nowhere: it is trained again " + from + ", " +
         counted_text(head.step, "step");
}

}  // namespace dispersion
