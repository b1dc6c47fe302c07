#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/told_step.h"

namespace dispersion {

// The lessons inside the program.
std::vector<std::shared_ptr<const Lesson>> shipped_lessons();
// The lesson in the file of this name or, for a number from 1 on, that one of the lessons inside
// the program. Throws FileError, and UsageError for a number that no lesson has.
std::shared_ptr<const Lesson> find_lesson(const std::string& name);

// Opens and computes the state of each step in turn, with the heads that are at hand, and returns
// what the steps say of them. `go_on` is told the share that is done and returns whether to go on;
// after a stop there are fewer steps. Throws std::runtime_error, which names the step, where the
// head of a state is not found or its view cannot be computed.
std::vector<ToldStep> played_lesson(const Lesson& lesson, const std::function<bool(double)>& go_on);

// The lesson as text to read: title, then every step that was told, with answers and notes.
std::string lesson_text(const Lesson& lesson, const std::vector<ToldStep>& told);

// One sentence that names the steps whose checks do not hold; empty where all do.
std::string failed_checks_text(const Lesson& lesson, const std::vector<ToldStep>& told);

}  // namespace dispersion
