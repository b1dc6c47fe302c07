#include "app/lesson/told_step.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "app/session/app_state.h"
#include "core/io/text.h"

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

bool all_known(const LessonText& text, const AppState& app) {
  return std::ranges::all_of(text, [&](const auto& part) {
    const auto* number = std::get_if<LessonNumber>(&part);
    return number == nullptr || value_of(*number, app);
  });
}

std::optional<double> right_value(const LessonCheck& check, const AppState& app) {
  if (const auto* number = std::get_if<LessonNumber>(&check.right)) return value_of(*number, app);
  return std::get<double>(check.right);
}

std::string with_unit(const std::string& number, std::string_view unit) {
  return unit.empty() ? number : number + " " + std::string(unit);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// The guess as it was typed, with its unit; in quotes where it is no number.
std::string guessed(std::string_view typed, std::string_view unit) {
  std::string_view number = typed;
  if (!unit.empty() && number.ends_with(unit)) number.remove_suffix(unit.size());
  number = trimmed(number);
  std::string with_point(number);
  std::ranges::replace(with_point, ',', '.');
  double value = 0;
  const char* end = with_point.data() + with_point.size();
  const auto [stop, error] = std::from_chars(with_point.data(), end, value);
  if (error != std::errc() || stop != end) return in_quotes(typed);
  return with_unit(std::string(number), unit);
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
  said.known = all_known(step.text, app) && all_known(step.answer, app) &&
               all_known(step.otherwise, app) &&
               std::ranges::all_of(step.checks, [&](const LessonCheck& check) {
                 return value_of(check.left, app) && right_value(check, app);
               });
  return said;
}

std::string guess_text(const LessonStep& step, const AppState& app, std::string_view typed) {
  typed = trimmed(typed);
  if (!step.guess || typed.empty()) return "";
  const std::string begin = "You guessed " + guessed(typed, step.guess->quantity->unit) + "; ";
  if (!value_of(*step.guess, app)) return begin + "the number is not known here.";
  return begin + "it is " + with_unit(shown_value(*step.guess, app), step.guess->quantity->unit) +
         ".";
}

}  // namespace dispersion
