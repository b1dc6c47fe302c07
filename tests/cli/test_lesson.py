"""Lessons, printed with the numbers of their states."""

import pathlib
import re
import unittest

from support import CommandLineTest

LESSONS = pathlib.Path(__file__).parents[2] / "assets" / "lessons"


class Lesson(CommandLineTest):
    def test_prints_every_step_with_its_numbers(self):
        file = LESSONS / "watch-it-disperse.lesson"
        text = self.succeed("lesson", file, "--print")
        source = file.read_text(encoding="utf-8")
        titles = re.findall(r"^step: (.*)$", source, re.MULTILINE)
        self.assertEqual(re.findall(r"^\d+\. (.*)$", text, re.MULTILINE), titles)
        self.assertEqual(text.count("\nAnswer: "), source.count("\nanswer:"))
        self.assertNotIn("{", text)
        self.assertNotIn("–", text)  # a number that is not known

    def test_says_file_and_line_of_what_is_none(self):
        file = self.folder / "mine.lesson"
        file.write_text("lesson: A\nabout: B.\nminutes: 1\nstep: C\ntext: {speed@16}\n")
        self.fail_with(1, "lesson", file, words=["mine.lesson", "line 5", "speed", "weight_on_max"])
        self.fail_with(1, "lesson", self.folder / "nowhere", words=["nowhere"])
        self.fail_with(2, "lesson", "1000", words=["lesson 1000", "a file"])

    def test_lists_those_inside_the_program_and_prints_one_without_a_display(self):
        listed = self.succeed("lesson", "--list")
        titles = [re.search(r"^lesson: (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)[1]
                  for file in LESSONS.glob("*.lesson")]
        numbered = re.findall(r"^  (\d+)  (.*) \(\d+ minutes?\)$", listed, re.MULTILINE)
        self.assertEqual([int(number) for number, _ in numbered], list(range(1, len(titles) + 1)))
        self.assertEqual(sorted(title for _, title in numbered), sorted(titles))
        text = self.succeed("lesson", "1")
        self.assertTrue(text.startswith("No display"), text)
        self.assertIn("\n" + numbered[0][1] + "\n", text)


if __name__ == "__main__":
    unittest.main()
