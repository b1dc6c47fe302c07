// Lessons over real states: their numbers and checks.
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands/command_inputs.h"
#include "app/commands/lesson.h"
#include "app/session/app_state.h"
#include "app/session/state_string.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/experiment_table.h"
#include "core/figure/number_text.h"
#include "core/io/file.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

bool go_on(double) {
  return true;
}

// A home of its own.
class PlayedLesson : public testing::Test {
 protected:
  PlayedLesson() {
    for (const char* folder : {"HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
      ::setenv(folder, home_.path().c_str(), 1);
  }

  // A lesson of steps with these states and fields.
  static Lesson lesson(const std::vector<std::string>& steps) {
    std::string text = "lesson: L\nabout: A.\nminutes: 1\n";
    for (const std::string& step : steps)
      text += "step: S\n" + step + "\n";
    return parse_lesson("x.lesson", text);
  }

  TemporaryFolder home_;
};

std::string state_of(const Checkpoint& head, const UserSettings& settings = {}) {
  return "state: " + encode_state(settings, named_head("a head", true, head.recipe, head.state)) +
         "\n";
}

// The first weights of the recipe and seed of the head inside the program.
Checkpoint first_weights() {
  Checkpoint head = load_head({}).checkpoint;
  head.state = start_training(head.state.parameters.shape, head.state.seed);
  return head;
}

// The numbers of a step are those of its own state, also where only the head differs from that of
// the step before. The independent computation evaluates the sets that the text counts.
TEST_F(PlayedLesson, TellsTheNumbersOfEachState) {
  const Checkpoint trained = load_head({}).checkpoint;
  const Checkpoint first = first_weights();
  const std::string text =
      "text: {step} {sets@16} {accuracy@16} {entropy@16} {entropy@16 adaptive}";
  const std::vector<ToldStep> told =
      played_lesson(lesson({state_of(trained) + text, state_of(first) + text, text}), go_on);
  ASSERT_EQ(told.size(), 3U);
  const auto backend = make_cpu_backend(2);
  const std::vector<AttentionTransform> transforms = paper_transforms();
  std::vector<std::string> expected;
  for (const Checkpoint* head : {&trained, &first}) {
    const std::vector<int> sizes = {16};
    const std::vector<SizeRow> rows = evaluate_sizes(
        *backend, head->state.parameters, kFigureSetSeed, sizes, 2048, transforms, go_on);
    expected.push_back(grouped_text(head->state.step) + " " + grouped_text(2048) + " " +
                       fixed_text(100 * rows[0].accuracy(), 1) + " " +
                       fixed_text(rows[0].mean_entropy(), 2) + " " +
                       fixed_text(rows[1].mean_entropy(), 2));
  }
  EXPECT_EQ(told[0].text, expected[0]);
  EXPECT_EQ(told[1].text, expected[1]);
  EXPECT_EQ(told[2].text, expected[1]);  // what is open stays
}

TEST_F(PlayedLesson, SaysTheOtherTextWhereACheckDoesNotHold) {
  const std::string state = state_of(load_head({}).checkpoint);
  const Lesson played = lesson(
      {state + "text: a\ncheck: entropy@16 < entropy@1024\notherwise: b",
       "text: a\ncheck: entropy@16 > entropy@1024\notherwise: b",
       "text: a\nquestion: ?\nanswer: c\ncheck: step <= 100000\ncheck: step > 99999\notherwise: b",
       "text: a\nquestion: ?\nanswer: c\ncheck: step < 100000\notherwise: b",
       "text: {entropy@16 hard}\ncheck: entropy@16 hard < 1\notherwise: {entropy@16 hard}"});
  const std::vector<ToldStep> told = played_lesson(played, go_on);
  ASSERT_EQ(told.size(), 5U);
  EXPECT_EQ(told[0].text, "a");
  EXPECT_EQ(told[1].text, "b");
  EXPECT_EQ(told[2].text, "a");
  EXPECT_EQ(told[2].answer, "c");
  EXPECT_EQ(told[3].text, "a");
  EXPECT_EQ(told[3].answer, "b");
  EXPECT_EQ(told[4].text, "–");  // hard attention is not shown
  EXPECT_EQ(failed_checks_text(played, told),
            "what is claimed does not hold here, and another text stands in its place, in: 2. S; "
            "4. S; 5. S");
}

// The text is told at the first stop, the answer at the last; a check of a text holds at all.
TEST_F(PlayedLesson, GoesThroughTheStopsBeforeTheAnswer) {
  const std::string state = state_of(load_head({}).checkpoint);
  const Lesson played =
      lesson({state + "text: {theta}\nstops: theta 1, 0.5, 0.25\nquestion: ?\nanswer: {theta}\n"
                      "check: theta < 0.3\notherwise: no",
              "text: {theta}\nstops: theta 1, 0.5\ncheck: theta > 0.4\notherwise: no",
              "text: {theta}\nstops: theta 1, 0.2, 0.5\ncheck: theta > 0.4\notherwise: no"});
  const std::vector<ToldStep> told = played_lesson(played, go_on);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0].text, "1.00");
  EXPECT_EQ(told[0].answer, "0.25");
  EXPECT_TRUE(told[0].holds);
  EXPECT_TRUE(told[1].holds);
  EXPECT_FALSE(told[2].holds);
  EXPECT_NE(lesson_text(played, told).find("Stops: θ = 1, θ = 0.5, θ = 0.25"), std::string::npos);
}

// What a stop sets is what the user would have set.
TEST(LessonStops, SetNTemperatureAndSettings) {
  AppState app;
  const LessonStops sizes = read_stops("n 16, 64");
  go_to_stop(sizes, 1, app);
  EXPECT_EQ(app.view.focused_items, 64);
  EXPECT_EQ(stop_text(sizes, 1), "n = 64");
  go_to_stop(read_stops("theta 1, 0.25"), 1, app);
  EXPECT_EQ(app.view.theta, 0.25);
  const LessonStops priorities = read_stops("bounds.rho-b  0.2 , 0.75");
  go_to_stop(priorities, 1, app);
  EXPECT_EQ(app.experiment_settings.of(view_named("bounds")).real("rho-b"), 0.75);
  EXPECT_EQ(stop_text(priorities, 1), "priority of b = 0.75");
  const LessonStops logits = read_stops("surface.logits series, head");
  go_to_stop(logits, 1, app);
  EXPECT_EQ(app.experiment_settings.of(view_named("surface")).choice("logits"), "head");
}

TEST(LessonGuess, IsSaidBesideTheNumber) {
  AppState app;
  app.view.theta = 0.532;
  LessonStep step;
  EXPECT_EQ(guess_text(step, app, "1"), "");  // asks for none
  step.guess = read_lesson_number("theta");
  EXPECT_EQ(guess_text(step, app, " "), "");
  EXPECT_EQ(guess_text(step, app, " 0,8 "), "You guessed 0,8; it is 0.53.");
  EXPECT_EQ(guess_text(step, app, "half"), "You guessed 'half'; it is 0.53.");
  step.guess = read_lesson_number("accuracy@1024");
  for (const char* typed : {"80", "80 %", "80%"})
    EXPECT_EQ(guess_text(step, app, typed), "You guessed 80 %; the number is not known here.");
}

TEST_F(PlayedLesson, NamesTheStepWhoseHeadIsNotFound) {
  Checkpoint lost = load_head({}).checkpoint;
  lost.state.parameters.values.front() += 0.5F;
  const std::string state =
      "state: " + encode_state({}, named_head("lost", false, lost.recipe, lost.state)) + "\n";
  const std::string said =
      error_text<std::runtime_error>([&] { played_lesson(lesson({state + "text: a"}), go_on); });
  EXPECT_TRUE(said.starts_with("step 1 of the lesson: the head of that state was not found"))
      << said;
}

TEST_F(PlayedLesson, StopsWhereItIsStopped) {
  const std::string state = state_of(load_head({}).checkpoint);
  const std::vector<ToldStep> told = played_lesson(lesson({state + "text: a", "text: b"}),
                                                   [](double share) { return share < 0.5; });
  EXPECT_EQ(told.size(), 1U);
}

TEST_F(PlayedLesson, OfTheLabHoldsForTheHeadsInsideTheProgram) {
  int lessons = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DISPERSION_LESSONS_DIR)) {
    SCOPED_TRACE(entry.path());
    const Lesson played = load_lesson(entry.path());
    const std::vector<ToldStep> told = played_lesson(played, go_on);
    EXPECT_EQ(told.size(), played.steps.size());
    EXPECT_EQ(failed_checks_text(played, told), "");
    EXPECT_EQ(lesson_text(played, told).find("–"), std::string::npos);
    ++lessons;
  }
  EXPECT_GE(lessons, 1);
}

TEST(LessonQuantities, AreThoseOfThePage) {
  const std::string page =
      read_whole_file(std::filesystem::path(DISPERSION_DOCS_DIR) / "lessons.md", 1 << 20);
  for (const LessonQuantity& each : lesson_quantities()) {
    const std::string row = "| `" + std::string(each.name) + (each.of_size ? "@n" : "") + "` | " +
                            std::string(each.help) + " |";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace dispersion
