"""What a shell offers after dispersion_lab: asked of the program, so that it cannot differ from --help."""

import re
import unittest

from support import CommandLineTest


class Completion(CommandLineTest):
    def offered(self, *words):
        result = self.succeed("--complete", *words)
        return [line.split("\t")[0] for line in result.splitlines()]

    def options_of(self, command):
        text = self.succeed(command, "--help")
        return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.M))

    def commands(self):
        listed = self.succeed("--help").split("Subcommands:")[1]
        return re.findall(r"^  ([\w-]+)  ", listed, re.M)

    def test_commands(self):
        commands = self.commands()
        self.assertGreater(len(commands), 10)
        self.assertEqual(self.offered(""), commands)
        self.assertEqual(self.offered("tr"), ["train"])
        self.assertEqual(self.offered("no such"), [])

    def test_every_option_of_every_command(self):
        for command in self.commands():
            with self.subTest(command):
                shown = self.options_of(command)
                self.assertIn("--help", shown)
                missing = shown - set(self.offered(command, "--"))
                self.assertEqual(missing, set())

    def test_no_option_that_is_none(self):
        for command in self.commands():
            for option in self.offered(command, "--"):
                with self.subTest(command=command, option=option):
                    self.assertIn(option, self.succeed(command, "--help"))

    def test_values(self):
        self.assertEqual(self.offered("figure", "--style", "pap"), ["paper"])
        self.assertEqual(self.offered("figure", "--style=pap"), ["--style=paper"])
        # As bash gives it.
        self.assertEqual(self.offered("figure", "--style", "=", "pap"), ["paper"])
        self.assertIn("slide", self.offered("figure", "--style", "="))
        self.assertIn("dispersion", self.offered("figure", "dis"))
        self.assertIn("cuda", self.offered("train", "--backend", ""))

    def test_where_any_text_or_a_file_is_expected(self):
        self.assertEqual(self.offered("figure", "--out", ""), [])
        self.assertEqual(self.offered("gui", ""), [])

    def test_nothing_is_run(self):
        self.assertEqual(self.offered("train", "--steps", "5", "--out", "here", ""), [])
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
