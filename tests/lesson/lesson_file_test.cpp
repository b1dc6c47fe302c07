// The files of lessons: what they give, and what is said of broken ones.
#include "app/lesson/lesson.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "app/session/state_string.h"
#include "core/io/file.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

const std::string kState = encode_state({}, {});
const std::string kHead = "lesson: A title\nabout: A sentence.\nminutes: 5\n";

std::string with_step(const std::string& fields) {
  return kHead + "step: One\nstate: " + kState + "\n" + fields;
}

Lesson parsed(const std::string& text) {
  return parse_lesson("x.lesson", text);
}

std::string complaint(const std::string& text) {
  return error_text<FileError>([&] { parsed(text); });
}

TEST(LessonFile, GivesTitleStepsTextsAndNumbers) {
  const Lesson lesson =
      parsed("# a comment\n" + kHead + "\nstep: One\nstate: " + kState +
             "\ntext:\n  At n = 16 it is\n  {entropy@16} nats.\n\n  A {{set}.\nformula: e^{e_i}\n"
             "step: Two\ntext: It is {accuracy@64 adaptive}.\r\nquestion: Why?\nanswer: So.\n"
             "check: accuracy@64 adaptive >= 12.5\ncheck: entropy@16 < entropy@64\notherwise: No.\n"
             "notes: Wait.\nstops: theta 1, 0.5,0.05\n"
             "guess: accuracy@64\n");
  EXPECT_EQ(lesson.title, "A title");
  EXPECT_EQ(lesson.about, "A sentence.");
  EXPECT_EQ(lesson.minutes, 5);
  ASSERT_EQ(lesson.steps.size(), 2U);
  const LessonStep& one = lesson.steps[0];
  EXPECT_EQ(one.title, "One");
  EXPECT_EQ(one.line, 6);
  EXPECT_EQ(one.state, kState);
  EXPECT_EQ(one.formula, "e^{e_i}");
  ASSERT_EQ(one.text.size(), 3U);
  EXPECT_EQ(std::get<std::string>(one.text[0]), "At n = 16 it is ");
  EXPECT_EQ(std::get<LessonNumber>(one.text[1]), read_lesson_number("entropy@16"));
  EXPECT_EQ(std::get<std::string>(one.text[2]), " nats.\nA {set}.");
  const LessonStep& two = lesson.steps[1];
  EXPECT_EQ(std::get<LessonNumber>(two.text[1]).place.transform, TransformId::kAdaptive);
  EXPECT_EQ(two.question, "Why?");
  EXPECT_EQ(two.notes, "Wait.");
  ASSERT_EQ(two.checks.size(), 2U);
  EXPECT_EQ(two.checks[0].relation, LessonCheck::Relation::kAtLeast);
  EXPECT_EQ(two.guess, read_lesson_number("accuracy@64"));
  ASSERT_TRUE(two.stops);
  EXPECT_EQ(two.stops->of, LessonStops::Of::kTheta);
  EXPECT_EQ(two.stops->values, (std::vector<double>{1, 0.5, 0.05}));
  EXPECT_EQ(std::get<double>(two.checks[0].right), 12.5);
  EXPECT_EQ(std::get<LessonNumber>(two.checks[1].right), read_lesson_number("entropy@64"));
}

struct Broken {
  std::string text;
  std::string said;  // a part of the error
};

TEST(LessonFile, ThatIsBrokenSaysFileLineAndExpectation) {
  const Broken cases[] = {
      {"", "has no title"},
      {"lesson: A\n", "has no \"about\""},
      {"lesson: A\nabout: B\n", "has no \"minutes\""},
      {kHead, "has no step"},
      {kHead + "minutes: 4\n", "line 4: minutes stands here for the second time"},
      {"lesson: A\nabout: B\nminutes: soon\n",
       "line 3: minutes is 'soon'; expected a whole number"},
      {"  indented\n", "line 1: is indented"},
      {kHead + "words without a key\n",
       "line 4: is 'words without a key'; expected \"key: value\""},
      {kHead + "state: x\n", "line 4: state has no meaning here; expected one of lesson, about"},
      {kHead + "step: One\ntext: T.\n", "line 4: step 'One' is the first one and has no state"},
      {kHead + "step: One\nstate: nonsense\ntext: T.\n", "line 5: state "},
      {with_step(""), "line 4: step 'One' has no text"},
      {with_step("text:\n"), "line 6: text is empty"},
      {with_step("picture: x.png\n"), "line 6: picture has no meaning here; expected one of state"},
      {kHead + "step: One\n\n  Two\n", "line 4: step has several paragraphs; expected one"},
      {with_step("text: a {entropy@16\n"), "line 6: text has no } after"},
      {with_step("text: {speed@16}\n"), "names 'speed'; expected one of accuracy, weight_on_max"},
      {with_step("text: {entropy}\n"), "expected an n behind it, as in entropy@1024"},
      {with_step("text: {entropy@17}\n"), "names '17'; expected a number of items that the window"},
      {with_step("text: {entropy@16 sharp}\n"), "names 'sharp'; expected an attention transform"},
      {with_step("text: {step@16}\n"), "expected step alone"},
      {with_step("text: T.\nquestion: Why?\n"), "has a question without an answer"},
      {with_step("text: T.\nanswer: So.\n"), "has an answer without a question"},
      {with_step("text: T.\ncheck: entropy@16 < 1\n"), "has a check, and no \"otherwise\""},
      {with_step("text: T.\notherwise: No.\n"), "has an \"otherwise\" without a check"},
      {with_step("text: T.\ncheck: entropy@16 = 1\n"),
       "line 7: check is 'entropy@16 = 1'; expected"},
      {with_step("text: T.\ncheck: entropy@16 < nan\n"), "line 7: check names 'nan'"},
      {with_step("text: T.\nguess: entropy@16\n"), "has a guess without a question"},
      {with_step("text: T.\nguess: 12\n"), "line 7: guess names '12'; expected one of accuracy"},
      {with_step("text: T.\nstops: n\n"), "line 7: stops names 'n'; expected values behind it"},
      {with_step("text: T.\nstops: n 16, 17\n"), "line 7: stops names '17'; expected a number of"},
      {with_step("text: T.\nstops: n 16,\n"), "expected a value behind the last comma"},
      {with_step("text: T.\nstops: n 16,,32\n"), "line 7: stops names ''; expected a number"},
      {with_step("text: T.\nstops: theta 1, 0.01\n"),
       "line 7: stops names '0.01'; expected a temperature from 0.05 to 10"},
      {with_step("text: T.\nstops: speed 1\n"), "line 7: stops names 'speed'; expected n, theta"},
      {with_step("text: T.\nstops: bound.rho-b 1\n"), "expected n, theta, or a view"},
      {with_step("text: T.\nstops: bounds.delta 1\n"),
       "line 7: stops names 'delta'; expected a setting that has values to go through in this "
       "view: sets"},
      {with_step("text: T.\nstops: bounds.theta 1\n"), "line 7: stops names 'theta'; expected"},
      {with_step("text: T.\nstops: bounds.sets 1.5\n"), "expected a whole number"},
      {with_step("text: T.\nstops: bounds.sets 1, 0\n"),
       "line 7: stops: --sets: expected a number from 1"},
      {with_step("text: T.\nstops: bounds.rho-b 0.2, 0.9\n"),
       "line 7: stops: --rho-a: expected a number above --rho-b"},
      {with_step("text: T.\nstops: surface.logits heads\n"),
       "line 7: stops names 'heads'; expected one of series, head"},
      {with_step("text: a\tb\n"), "line 6: has characters that cannot be seen"},
      {with_step("text: \x1b[2J\n"),
       "line 6: has characters that cannot be seen: 'text: \\x1b[2J'"},
      {with_step("text: \xff\n"), "line 6: has characters that cannot be seen"},
  };
  for (const Broken& each : cases) {
    const std::string said = complaint(each.text);
    EXPECT_TRUE(said.starts_with("x.lesson: ") || said.starts_with("x.lesson ")) << said;
    EXPECT_NE(said.find(each.said), std::string::npos) << said << "\nand not: " << each.said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(LessonFile, HasAtMostAMebibyteAnd200Steps) {
  const TemporaryFolder folder;
  write_bytes(folder / "long.lesson", kHead + std::string(10'000'000, '#'));
  const std::string said = error_text<FileError>([&] { load_lesson(folder / "long.lesson"); });
  EXPECT_NE(said.find("long.lesson"), std::string::npos) << said;
  std::string steps = with_step("text: T.\n");
  for (int i = 0; i < 199; ++i)
    steps += "step: S\ntext: T.\n";
  EXPECT_EQ(parsed(steps).steps.size(), 200U);
  EXPECT_NE(complaint(steps + "step: S\n").find("step is one too many; expected at most 200"),
            std::string::npos);
}

TEST(LessonFile, ThatIsNotThereIsNamed) {
  EXPECT_NE(error_text<FileError>([] { load_lesson("nowhere.lesson"); }).find("nowhere.lesson"),
            std::string::npos);
}

}  // namespace
}  // namespace dispersion
