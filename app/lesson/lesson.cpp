#include "app/lesson/lesson.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "app/lesson/lesson_fields.h"
#include "app/session/state_string.h"
#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20;
constexpr std::size_t kMostSteps = 200;
constexpr int kMostMinutes = 600;

// A field with its place, for the errors about it.
struct Place {
  const fs::path& file;
  const LessonField& field;

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(file, field.line, field.key + " " + what);
  }
};

// The words up to the next number, in which "{{" stands for a brace.
std::string take_words(std::string_view& text) {
  std::string words;
  while (!text.empty()) {
    if (text.front() == '{' && !text.starts_with("{{")) break;
    words += text.front();
    text.remove_prefix(text.starts_with("{{") ? 2 : 1);
  }
  return words;
}

LessonText read_text(const Place& place) {
  LessonText read;
  std::string_view text = place.field.value;
  while (!text.empty()) {
    if (std::string words = take_words(text); !words.empty()) read.emplace_back(std::move(words));
    if (text.empty()) break;
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos)
      place.refuse("has no } after " + in_quotes(text) + " (a brace of the text is {{)");
    try {
      read.emplace_back(read_lesson_number(text.substr(1, end - 1)));
    } catch (const std::invalid_argument& error) {
      place.refuse(std::string("names ") + error.what());
    }
    text.remove_prefix(end + 1);
  }
  if (read.empty()) place.refuse("is empty");
  return read;
}

struct Sign {
  std::string_view text;
  LessonCheck::Relation relation;
};
// The longer ones first.
constexpr std::array<Sign, 4> kSigns = {{{"<=", LessonCheck::Relation::kAtMost},
                                         {">=", LessonCheck::Relation::kAtLeast},
                                         {"<", LessonCheck::Relation::kLess},
                                         {">", LessonCheck::Relation::kMore}}};

std::variant<double, LessonNumber> read_right(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && std::isfinite(number)) return number;
  return read_lesson_number(text);
}

LessonCheck read_check(const Place& place) {
  const std::string_view text = place.field.value;
  for (const Sign& sign : kSigns) {
    const std::string with_spaces = " " + std::string(sign.text) + " ";
    const std::size_t at = text.find(with_spaces);
    if (at == std::string_view::npos) continue;
    try {
      return {read_lesson_number(text.substr(0, at)), sign.relation,
              read_right(text.substr(at + with_spaces.size()))};
    } catch (const std::invalid_argument& error) {
      place.refuse(std::string("names ") + error.what());
    }
  }
  place.refuse("is " + in_quotes(text) +
               "; expected a number, <, <=, > or >= between spaces, and another number, as in "
               "\"accuracy@1024 < accuracy@16\"");
}

LessonNumber guess_of(const Place& place) {
  try {
    return read_lesson_number(place.field.value);
  } catch (const std::invalid_argument& error) {
    place.refuse(std::string("names ") + error.what());
  }
}

LessonStops stops_of(const Place& place) {
  try {
    LessonStops stops = read_stops(place.field.value);
    stops.line = place.field.line;
    return stops;
  } catch (const std::invalid_argument& error) {
    place.refuse(std::string("names ") + error.what());
  }
}

std::string read_state(const Place& place) {
  try {
    decode_state(place.field.value);
  } catch (const FileError& error) {
    place.refuse(std::string(error.reason()));
  }
  return place.field.value;
}

std::string read_words(const Place& place) {
  if (place.field.value.empty()) place.refuse("is empty");
  return place.field.value;
}

// The same of what has no paragraphs.
std::string read_line(const Place& place) {
  if (place.field.value.find('\n') != std::string::npos)
    place.refuse("has several paragraphs; expected one");
  return read_words(place);
}

int read_minutes(const Place& place) {
  const std::string& text = place.field.value;
  int minutes = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), minutes);
  if (error != std::errc() || stop != text.data() + text.size() || minutes < 1 ||
      minutes > kMostMinutes)
    place.refuse("is " + in_quotes(text) + "; expected a whole number from 1 to " +
                 std::to_string(kMostMinutes));
  return minutes;
}

struct LessonKey {
  std::string_view name;
  void (*read)(const Place&, Lesson&);
};
constexpr std::array<LessonKey, 3> kLessonKeys = {
    {{"lesson", [](const Place& place, Lesson& lesson) { lesson.title = read_line(place); }},
     {"about", [](const Place& place, Lesson& lesson) { lesson.about = read_line(place); }},
     {"minutes",
      [](const Place& place, Lesson& lesson) { lesson.minutes = read_minutes(place); }}}};

struct StepKey {
  std::string_view name;
  void (*read)(const Place&, LessonStep&);
};
constexpr std::array<StepKey, 10> kStepKeys = {
    {{"state", [](const Place& place, LessonStep& step) { step.state = read_state(place); }},
     {"text", [](const Place& place, LessonStep& step) { step.text = read_text(place); }},
     {"formula", [](const Place& place, LessonStep& step) { step.formula = read_line(place); }},
     {"stops", [](const Place& place, LessonStep& step) { step.stops = stops_of(place); }},
     {"question", [](const Place& place, LessonStep& step) { step.question = read_words(place); }},
     {"guess", [](const Place& place, LessonStep& step) { step.guess = guess_of(place); }},
     {"answer", [](const Place& place, LessonStep& step) { step.answer = read_text(place); }},
     {"check",
      [](const Place& place, LessonStep& step) { step.checks.push_back(read_check(place)); }},
     {"otherwise", [](const Place& place, LessonStep& step) { step.otherwise = read_text(place); }},
     {"notes", [](const Place& place, LessonStep& step) { step.notes = read_words(place); }}}};

// Reads the field by its key; `seen` are those before it in the same step.
template <class Keys, class Part>
void read_field(const Keys& keys, const Place& place, std::vector<std::string_view>& seen,
                Part& part) {
  const auto key = std::ranges::find(keys, std::string_view(place.field.key),
                                     [](const auto& each) { return each.name; });
  if (key == keys.end()) {
    std::string names;
    for (const auto& each : keys)
      names.append(each.name).append(", ");
    place.refuse("has no meaning here; expected one of " + names + "or step");
  }
  const bool again = std::ranges::find(seen, key->name) != seen.end();
  if (again && key->name != "check") place.refuse("stands here for the second time");
  seen.push_back(key->name);
  key->read(place, part);
}

// What a step must have and may not have.
void check_step(const fs::path& file, const LessonStep& step, bool is_first) {
  const auto refuse = [&](const std::string& what) {
    refuse_line(file, step.line, "step " + in_quotes(step.title) + " " + what);
  };
  if (is_first && step.state.empty()) refuse("is the first one and has no state");
  if (step.text.empty()) refuse("has no text");
  if (step.question.empty() != step.answer.empty())
    refuse(step.answer.empty() ? "has a question without an answer"
                               : "has an answer without a question");
  if (step.guess && step.question.empty()) refuse("has a guess without a question");
  if (step.checks.empty() != step.otherwise.empty())
    refuse(step.otherwise.empty() ? "has a check, and no \"otherwise\" for when it does not hold"
                                  : "has an \"otherwise\" without a check");
}

// `settings`: of the state that is open.
void check_stops(const fs::path& file, const LessonStops& stops, const UserSettings& settings) {
  try {
    check_stops(stops, settings.experiments);
  } catch (const std::invalid_argument& error) {
    refuse_line(file, stops.line, std::string("stops: ") + error.what());
  }
}

void check_lesson(const fs::path& file, const Lesson& lesson) {
  if (lesson.title.empty()) throw FileError(file, "has no title; expected \"lesson: TITLE\"");
  if (lesson.about.empty())
    throw FileError(file, "has no \"about\": what it is about, in a sentence");
  if (lesson.minutes == 0) throw FileError(file, "has no \"minutes\": how long it takes");
  if (lesson.steps.empty()) throw FileError(file, "has no step; expected \"step: TITLE\"");
  UserSettings open;
  for (const LessonStep& step : lesson.steps) {
    check_step(file, step, &step == &lesson.steps.front());
    if (!step.state.empty()) open = decode_state(step.state).settings;
    if (step.stops) check_stops(file, *step.stops, open);
  }
}

}  // namespace

Lesson parse_lesson(const fs::path& file, std::string_view text) {
  if (text.size() > kMostBytes)
    throw FileError(file, "has " + std::to_string(text.size()) + " bytes; expected at most " +
                              std::to_string(kMostBytes));
  Lesson lesson;
  std::vector<std::string_view> seen;
  for (const LessonField& field : lesson_fields(file, text)) {
    const Place place = {file, field};
    if (field.key == "step") {
      if (lesson.steps.size() == kMostSteps)
        place.refuse("is one too many; expected at most " + std::to_string(kMostSteps));
      lesson.steps.push_back({.title = read_line(place), .line = field.line});
      seen.clear();
    } else if (lesson.steps.empty()) {
      read_field(kLessonKeys, place, seen, lesson);
    } else {
      read_field(kStepKeys, place, seen, lesson.steps.back());
    }
  }
  check_lesson(file, lesson);
  return lesson;
}

Lesson load_lesson(const fs::path& file) {
  return parse_lesson(file, read_whole_file(file, kMostBytes));
}

}  // namespace dispersion
