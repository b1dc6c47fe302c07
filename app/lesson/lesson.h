#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/lesson/quantities.h"
#include "app/lesson/stops.h"

namespace dispersion {

// A lesson: steps that each show a state of the window, say something of it and may ask. It is
// written as a text file, whose form docs/lessons.md explains.

// Words and the numbers between them. Paragraphs end with a line break.
using LessonText = std::vector<std::variant<std::string, LessonNumber>>;

// Something that a text claims: "accuracy@1024 < accuracy@16", "entropy@16 <= 0.5".
struct LessonCheck {
  enum class Relation { kLess, kAtMost, kMore, kAtLeast };
  LessonNumber left;
  Relation relation = Relation::kLess;
  std::variant<double, LessonNumber> right;  // a number is in the unit of the left one

  bool operator==(const LessonCheck&) const = default;
};

struct LessonStep {
  std::string title;
  int line = 0;              // of its title in the file, from 1 on
  std::string state = {};    // that is opened, as a state string; empty: what is open stays
  LessonText text = {};      // what is said at once
  std::string formula = {};  // a line of its own; may be empty
  std::optional<LessonStops> stops = {};   // what is set in turn, before the answer
  std::string question = {};               // may be empty
  std::optional<LessonNumber> guess = {};  // of the question: the number that a class may guess
  LessonText answer = {};                  // of the question
  // What the answer claims or, without a question, the text. Where one of them does not hold, the
  // other text stands in its place.
  std::vector<LessonCheck> checks = {};
  LessonText otherwise = {};
  std::string notes = {};  // for who presents it; may be empty

  bool operator==(const LessonStep&) const = default;
};

struct Lesson {
  std::string title;
  std::string about;              // in a sentence
  int minutes = 0;                // that it takes
  std::vector<LessonStep> steps;  // at least one, the first of which has a state

  bool operator==(const Lesson&) const = default;
};

// Reads the text of a lesson. Throws FileError that names `file`, the line and what was expected
// there; states are decoded, so that one that is none is found here.
Lesson parse_lesson(const std::filesystem::path& file, std::string_view text);
// The same of a file of at most a mebibyte.
Lesson load_lesson(const std::filesystem::path& file);

}  // namespace dispersion
