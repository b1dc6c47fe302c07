#include "app/session/told_values.h"

#include <iterator>
#include <string>
#include <utility>

#include "core/figure/number_text.h"
#include "core/figure/sentences.h"
#include "core/figure/why.h"

namespace dispersion {
namespace {

const AdaptiveRule* rule_of(const AppState& app) {
  return shows_rule(app.view) ? &app.view.rule : nullptr;
}

bool computed(const FrameAt& at) {
  return at.plain() != nullptr && at.logits != nullptr;
}

void append(std::vector<NamedValue>& all, std::vector<NamedValue> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<NamedValue> told_why_values(const AppState& app, int items) {
  const FrameAt at = frame_at(app, items);
  if (!computed(at)) return {};
  std::vector<const AttentionFrame*> frames;
  for (const TransformAt& each : at.transforms) {
    if (each.frame != nullptr) frames.push_back(each.frame);
  }
  std::vector<NamedValue> values = why_values(frames);
  if (const AdaptiveRule* rule = rule_of(app)) append(values, rule_values(*at.plain(), *rule));
  return values;
}

std::vector<Statement> told_sentences(const AppState& app, int items) {
  const FrameAt at = frame_at(app, items);
  if (!computed(at)) return {};
  return why_sentences(*at.logits, *at.plain(), rule_of(app));
}

Statement told_explanation(const AppState& app, int items) {
  return joined(told_sentences(app, items));
}

bool has_cell(const FrameAt& at, const AppState::Pointer& pointer) {
  return pointer.items != 0 && at.logits != nullptr && pointer.column < at.logits->columns;
}

std::vector<NamedValue> told_item_values(const AppState& app, const FrameAt& at, FrameCell cell) {
  if (at.logits == nullptr || cell.column >= at.logits->columns) return {};
  const bool known = app.status.has_run;
  std::vector<NamedValue> values = {
      {"step of this frame", Statement::naming(known ? grouped_text(at.step) : "unknown"),
       known ? std::to_string(at.step) : "",
       "The training step whose weights the frame shows; large n follow a little behind."}};
  append(values, item_values(*at.logits, cell));
  return values;
}

}  // namespace dispersion
