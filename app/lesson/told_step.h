#pragma once

#include <string>
#include <string_view>

#include "app/lesson/lesson.h"

namespace dispersion {

// What a step says of the state in view, with its numbers.
struct ToldStep {
  std::string text;
  std::string answer;  // empty without a question
  // Whether all that is claimed holds. Where it does not, or is not known yet, the text or the
  // answer is that for when it does not hold.
  bool holds = true;
  bool known = true;  // every number of text, answer and checks is computed
};

ToldStep told_step(const LessonStep& step, const AppState& app);

// What is said of the guess that the class has typed, beside the answer: "You guessed 80 %; it is
// 53.2 %." Empty where nothing was typed, and where the step asks for none.
std::string guess_text(const LessonStep& step, const AppState& app, std::string_view typed);

// Whether it holds of the state in view; false where one of its numbers has no value.
bool holds(const LessonCheck& check, const AppState& app);

}  // namespace dispersion
