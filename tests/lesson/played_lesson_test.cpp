// Lessons over real states: their numbers and checks.
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands/command_inputs.h"
#include "app/commands/lesson.h"
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
