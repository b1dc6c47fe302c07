#include "app/lesson/told_step.h"

#include <algorithm>
#include <optional>

#include "app/session/app_state.h"

namespace dispersion {
namespace {

std::string told(const LessonText& text, const AppState& app) {
  std::string told;
  for (const auto& part : text) {
    const auto* number = std::get_if<LessonNumber>(&part);
    told += number != nullptr ? shown_value(*number, app) : std::get<std::string>(part);
  }
  return told;
}

std::optional<double> right_value(const LessonCheck& check, const AppState& app) {
  if (const auto* number = std::get_if<LessonNumber>(&check.right)) return value_of(*number, app);
  return std::get<double>(check.right);
}

}  // namespace

bool holds(const LessonCheck& check, const AppState& app) {
  const std::optional<double> left = value_of(check.left, app);
  const std::optional<double> right = right_value(check, app);
  if (!left || !right) return false;
  switch (check.relation) {
    case LessonCheck::Relation::kLess:
      return *left < *right;
    case LessonCheck::Relation::kAtMost:
      return *left <= *right;
    case LessonCheck::Relation::kMore:
      return *left > *right;
    case LessonCheck::Relation::kAtLeast:
      return *left >= *right;
  }
  return false;
}

ToldStep told_step(const LessonStep& step, const AppState& app) {
  ToldStep said;
  said.holds = std::ranges::all_of(step.checks, [&](const auto& each) { return holds(each, app); });
  const bool asks = !step.question.empty();
  said.text = told(said.holds || asks ? step.text : step.otherwise, app);
  if (asks) said.answer = told(said.holds ? step.answer : step.otherwise, app);
  return said;
}

}  // namespace dispersion
