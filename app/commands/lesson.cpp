#include "app/commands/lesson.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "app/commands/commands.h"
#include "app/commands/headless_desk.h"
#include "app/commands/interrupt.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/text.h"
#include "app/embedded/embedded.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// "2. Sixteen items"
std::string numbered_title(const Lesson& lesson, std::size_t index) {
  return std::to_string(index + 1) + ". " + lesson.steps[index].title;
}

// "θ = 1, θ = 0.5"
std::string stops_text(const LessonStep& step) {
  std::vector<std::string> stops;
  for (std::size_t i = 0; step.stops && i < step.stops->values.size(); ++i)
    stops.push_back(stop_text(*step.stops, i));
  return joined(stops, ", ");
}

// A part of a step below the one before, its paragraphs apart; nothing where it is empty.
void add_part(std::string& text, const std::string& name, const std::string& words) {
  if (words.empty()) return;
  text.append("\n").append(name.empty() ? "" : name + ": ");
  for (const char c : words)
    text.append(c == '\n' ? 2 : 1, c);
  text += '\n';
}

int print_lesson(const Lesson& lesson) {
  InterruptGuard interrupt;
  std::vector<ToldStep> told;
  {
    ProgressBar bar;
    told = played_lesson(lesson, [&](double share) {
      if (bar.due()) bar.update(share, "computing the lesson");
      return !interrupt.interrupted();
    });
  }
  print(lesson_text(lesson, told));
  const std::string failed = failed_checks_text(lesson, told);
  if (!failed.empty()) print_error(failed);
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; the steps from " + std::to_string(told.size() + 1) + " on are missing");
  return interrupt.exit_code();
}

// Goes through the stops of the step, of which the first is set, and tells it at each. The text is
// that of the first, the answer that of the last.
bool tell(const LessonStep& step, HeadlessDesk& desk, const HeadlessDesk::GoOn& go_on,
          ToldStep& told) {
  const std::size_t stops = step.stops ? step.stops->values.size() : 1;
  for (std::size_t i = 0; i < stops; ++i) {
    if (step.stops) go_to_stop(*step.stops, i, desk.app());
    if (!desk.compute(go_on)) return false;
    ToldStep now = told_step(step, desk.app());
    const bool held = i == 0 || !step.question.empty() || told.holds;
    now.holds = now.holds && held;
    if (i > 0) now.text = std::move(told.text);
    told = std::move(now);
  }
  return true;
}

}  // namespace

std::vector<ToldStep> played_lesson(const Lesson& lesson,
                                    const std::function<bool(double)>& go_on) {
  HeadlessDesk desk({});
  std::vector<ToldStep> told;
  const auto count = static_cast<double>(lesson.steps.size());
  const auto of_lesson = [&](double share) {
    return go_on((static_cast<double>(told.size()) + share) / count);
  };
  for (const LessonStep& step : lesson.steps) {
    try {
      if (!step.state.empty() && !desk.open(step.state, of_lesson)) break;
      ToldStep now;
      if (!tell(step, desk, of_lesson, now)) break;
      told.push_back(std::move(now));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("step " + std::to_string(told.size() + 1) +
                               " of the lesson: " + error.what());
    }
  }
  return told;
}

std::string lesson_text(const Lesson& lesson, const std::vector<ToldStep>& told) {
  std::string text = lesson.title + "\n\n" + lesson.about + " " +
                     counted_text(static_cast<std::int64_t>(lesson.steps.size()), "step") + ", " +
                     counted_text(lesson.minutes, "minute") + ".\n";
  for (std::size_t i = 0; i < told.size(); ++i) {
    const LessonStep& step = lesson.steps[i];
    text.append("\n").append(numbered_title(lesson, i)).append("\n");
    add_part(text, "", told[i].text);
    add_part(text, "", step.formula);
    add_part(text, "Stops", stops_text(step));
    add_part(text, "Question", step.question);
    add_part(text, "Answer", told[i].answer);
    add_part(text, "Notes", step.notes);
  }
  return text;
}

std::string failed_checks_text(const Lesson& lesson, const std::vector<ToldStep>& told) {
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (!told[i].holds) failed.push_back(numbered_title(lesson, i));
  }
  if (failed.empty()) return "";
  return "what is claimed does not hold here, and another text stands in its place, in: " +
         joined(failed, "; ");
}

std::vector<std::shared_ptr<const Lesson>> shipped_lessons() {
  std::vector<std::shared_ptr<const Lesson>> lessons;
  for (const EmbeddedText& each : embedded_lessons())
    lessons.push_back(std::make_shared<const Lesson>(parse_lesson(each.name, each.text)));
  return lessons;
}

std::shared_ptr<const Lesson> find_lesson(const std::string& name) {
  const bool number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
  if (!number) return std::make_shared<const Lesson>(load_lesson(name));
  const auto lessons = shipped_lessons();
  const std::size_t index = name.size() > 3 ? 0 : std::stoul(name);
  if (index >= 1 && index <= lessons.size()) return lessons[index - 1];
  throw UsageError("there is no lesson " + name + "; expected 1 to " +
                   std::to_string(lessons.size()) + ", or a file");
}

namespace {

// "  1  Watch attention disperse: a head that ..."
std::string lesson_list() {
  std::string text;
  const auto lessons = shipped_lessons();
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    text.append("  " + std::to_string(i + 1) + "  " + lessons[i]->title + " (" +
                counted_text(lessons[i]->minutes, "minute") + ")\n     " + lessons[i]->about +
                "\n");
  }
  return text;
}

struct LessonRequest {
  std::string name = "1";
  bool print = false;
  bool full_screen = false;
  bool list = false;
};

int run_lesson(const LessonRequest& request) {
  if (request.list) {
    print(lesson_list());
    return 0;
  }
  std::shared_ptr<const Lesson> lesson = find_lesson(request.name);
  if (request.print) return print_lesson(*lesson);
  if (!has_display()) {
    print(
        "No display (neither DISPLAY nor WAYLAND_DISPLAY is set): instead of opening a window, the "
        "lesson is printed.\n\n");
    return print_lesson(*lesson);
  }
  WindowRequest window;
  window.lesson = std::move(lesson);
  window.full_screen = request.full_screen;
  return run_window(window);
}

}  // namespace

void add_lesson_command(CommandLine& line) {
  auto request = std::make_shared<LessonRequest>();
  Subcommand& command = line.add_subcommand("lesson", "Open a lesson in the window, or print it");
  command.footer(
      "A lesson is stepped through with the arrows, the page keys or a clicker. --print opens the\n"
      "state of each step, computes it, and prints what the step says, with answers and notes.\n"
      "docs/lessons.md explains how a lesson is written.\n\n"
      "Examples:\n"
      "  dispersion_lab lesson 2 --full-screen\n"
      "  dispersion_lab lesson assets/lessons/watch-it-disperse.lesson --print");
  command.add_text("LESSON", "FILE|NUMBER", request->name,
                   "The lesson: a file, or the number of one inside the program");
  command.add_flag("--full-screen", request->full_screen, "Fill the screen");
  command.add_flag("--print", request->print, "Print the lesson with the numbers of its states");
  command.add_flag("--list", request->list, "List the lessons inside the program");
  command.exclude("--print", {"--full-screen", "--list"});
  command.on_run([request] { return run_lesson(*request); });
}

}  // namespace dispersion
