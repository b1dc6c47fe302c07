"""Help, wrong usage, and standard output that cannot be written."""

import json
import os
import re
import subprocess
import unittest

from support import CommandLineTest, clean_environment

COMMANDS = ("gui", "train", "evaluate", "table", "fit", "verify", "headless", "info")


class Help(CommandLineTest):
    def test_every_command_explains_itself_with_an_example(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.succeed(command, "--help")
                self.assertIn("Example", text)
                self.assertIn("dispersion_lab " + command, text.split("Example", 1)[1])

    def test_the_program_lists_its_commands(self):
        text = self.succeed("--help")
        for command in COMMANDS:
            self.assertIn(command, text)
        self.assertIn("Example", text)

    def test_every_field_of_the_recipe_has_an_option(self):
        text = self.succeed("train", "--help")
        recipe = self.succeed_json("train", "--steps", 0)["recipe"]
        self.assertEqual(len(recipe), 11)
        for field in recipe:
            self.assertIn("--" + field.replace("_", "-"), text)

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"^dispersion_lab \d+\.\d+\.\d+\n$")


class Info(CommandLineTest):
    def test_text_names_what_it_computes_with(self):
        text = self.succeed("info")
        for word in ("version", "instruction set", "matrix products", "backend", "GPU"):
            self.assertIn(word, text)

    def test_json(self):
        info = self.succeed_json("info")
        for key in ("version", "commit", "build_type", "instruction_set", "compiler", "backend"):
            self.assertTrue(info[key], key)
        self.assertRegex(info["backend"], r"^CPU, \d+ threads?, ")
        self.assertTrue(info["gpu"] or info["gpu_reason"])


class WrongUsage(CommandLineTest):
    def test_unknown_arguments(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.fail_with(2, command, "--frobnicate", words=["--frobnicate", command])
        self.fail_with(2, "--frobnicate", words=["--frobnicate"])
        self.fail_with(2, "frobnicate", words=["frobnicate"])
        self.fail_with(2, "", words=["unknown argument ''"])

    def test_near_misses_are_named(self):
        self.fail_with(2, "train", "--step", "5", words=["--steps"])
        self.fail_with(2, "evalute", words=["did you mean evaluate"])

    def test_what_is_given_twice(self):
        self.fail_with(2, "figure", "entropy", "-o", "a.pdf", "-o", "b.pdf",
                       words=["--out is given 2 times; expected once"])
        for arguments, words in (
            (("evaluate", "--sizes", "16,64,16"), "--sizes: 16 is named twice"),
            (("streaming", "--lengths", "8,8"), "--lengths: 8 is named twice"),
            (("evaluate", "--transforms", "softmax,softmax"), "'softmax' is named twice"),
            (("table", "--heads", "a", "b", "a"), "--heads: 'a' is named twice"),
            (("spread", "--checkpoint", "a", "--checkpoint", "a"), "--checkpoint: 'a' is named twice"),
            (("figure", "training", "-o", "a.pdf", "--history", "a", "a"), "--history: 'a' is named twice"),
        ):
            self.fail_with(2, *arguments, words=[words])

    def test_names_that_are_none(self):
        self.fail_with(2, "animate", "dispersio", "-o", "a.gif",
                       words=["expected dispersion or adaptive-dispersion", "did you mean dispersion?"])
        self.fail_with(2, "depth", "--tokens", "middle", words=["--tokens", "first, last, half"])

    def test_impossible_values(self):
        cases = [
            ("train", "--steps", "-5"),
            ("train", "--steps", "1e5"),
            ("train", "--steps", "nan"),
            ("train", "--steps", "99999999999999999999"),
            ("train", "--seed", "-1"),
            ("train", "--seed", "4294967296"),
            ("train", "--seeds", "0"),
            ("train", "--checkpoint-every", "-1"),
            ("train", "--threads", "-1"),
            ("train", "--learning-rate", "0"),
            ("train", "--learning-rate", "nan"),
            ("train", "--learning-rate", "inf"),
            ("train", "--learning-rate", "0,001"),
            ("train", "--l2-lambda", "-0.1"),
            ("train", "--adam-beta1", "1"),
            ("train", "--adam-beta2", "1"),
            ("train", "--adam-epsilon", "0"),
            # Numbers that float makes 0 or infinite.
            ("train", "--adam-epsilon", "1e-50"),
            ("train", "--adam-epsilon", "1e300"),
            ("train", "--learning-rate", "1e-50"),
            ("train", "--learning-rate", "1e300"),
            ("train", "--l2-lambda", "1e-50"),
            ("train", "--l2-lambda", "1e300"),
            ("train", "--batch-sets", "0"),
            ("train", "--smallest-set", "0"),
            ("train", "--largest-set", "4"),
            ("train", "--l2", "ridge"),
            ("evaluate", "--theta", "0"),
            ("evaluate", "--theta", "-1"),
            ("evaluate", "--theta", "nan"),
            ("evaluate", "--theta", "1e400"),
            ("evaluate", "--sizes", "0"),
            ("evaluate", "--sizes", "-16"),
            ("evaluate", "--sizes", "16,,x"),
            ("evaluate", "--sizes", "16,"),
            ("evaluate", "--sizes", ""),
            ("evaluate", "--sizes", "16 64"),
            ("evaluate", "--sizes", "99999999999"),
            ("evaluate", "--sets", "0"),
            ("evaluate", "--sets", "2.5"),
            ("headless", "--seconds", "0"),
            ("headless", "--seconds", "nan"),
        ]
        for command, option, value in cases:
            with self.subTest(" ".join((command, option, value))):
                self.fail_with(2, command, option, value, words=[option])
        self.assertEqual(self.files(), {}, "nothing may be written")

    def test_options_that_exclude_each_other(self):
        self.fail_with(2, "train", "--seed", 1, "--seeds", 2, words=["--seed", "--seeds"])
        self.fail_with(2, "train", "--resume", "x", "--l2", "none", words=["--resume", "--l2"])
        self.fail_with(2, "train", "--resume", "x", "--seed", 3, words=["--resume", "--seed"])

    def test_help_does_not_list_what_an_option_excludes(self):
        self.assertNotIn("Excludes", self.succeed("evaluate", "--help"))
        self.assertNotIn("Excludes", self.succeed("train", "--help"))

    def test_a_batch_that_no_memory_holds(self):
        self.fail_with(
            2, "train", "--batch-sets", 65536, "--largest-set", 4096, words=["--batch-sets"]
        )

    def test_missing_values(self):
        self.fail_with(2, "verify", words=["FOLDER"])
        self.fail_with(2, "train", "--steps", words=["--steps"])


class EmptyValues(CommandLineTest):
    """What a script's variable leaves that is not set: never the default in silence."""

    def options_with_a_value(self, command):
        """Every option and positional that takes a value, as the help lists them."""
        text = self.succeed(command, "--help").split("\n\n", 1)[1]
        options = re.findall(r"^  (?:-\w,)?(--[\w-]+) [A-Z]", text, re.MULTILINE)
        positionals = re.findall(r"^  ([A-Z]+) (?:TEXT|NAME)", text, re.MULTILINE)
        return options, positionals

    def assert_empty(self, name, *arguments):
        self.fail_with(2, *arguments, words=[name + ": ", "it is empty", "not set"])

    def test_every_option_of_every_command_refuses_them(self):
        commands = re.findall(r"^  (\w+)  ", self.succeed("--help").split("Subcommands:")[1],
                              re.MULTILINE)
        self.assertGreater(len(commands), 12)
        seen = set()
        for command in commands:
            options, positionals = self.options_with_a_value(command)
            seen.update(options, positionals)
            for option in options:
                with self.subTest(command + " " + option):
                    self.assert_empty(option, command, option, "")
            for positional in positionals:
                with self.subTest(command + " " + positional):
                    self.assert_empty(positional, command, "")
        for name in ("--checkpoint", "--resume", "--heads", "--out", "--history", "--save",
                     "--from", "--search", "--transforms", "--backend", "--date", "--steps",
                     "--learning-rate", "NAME", "FOLDER"):
            self.assertIn(name, seen)
        self.assertEqual(self.files(), {}, "nothing may be written")

    def test_with_an_equals_sign(self):
        for option in self.options_with_a_value("train")[0]:
            self.assert_empty(option, "train", option + "=")
            self.assert_empty(option, "train", option + "=", "foo")

    def test_short_names_and_lists(self):
        for arguments in (("-o", ""), ("-o=",), ("-o=", "a.svg")):
            self.assert_empty("--out", "figure", "entropy", *arguments)
        self.assert_empty("--heads", "table", "--heads", "a.safetensors", "")
        self.assert_empty("--search", "figure", "--from", "x.svg", "--search", "", "-o", "y.svg")

    def test_without_quotes_the_next_option_is_not_the_value(self):
        self.fail_with(2, "train", "--out", "--steps", 0, words=["--out", "'--steps'", "not set"])
        self.fail_with(2, "train", "--resume", "--json", words=["--resume", "'--json'", "not set"])
        self.assertEqual(self.files(), {}, "nothing may be written")


class StandardOutput(CommandLineTest):
    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            result = self.run_lab("info", stdout=full)
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result, "standard output", "No space left")

    def test_of_a_pipe_whose_reader_has_gone_ends_silently(self):
        small = ("--sizes", 16)
        for command in (["info", "--json"], ["evaluate", "--sets", 1, *small],
                        ["evaluate", "--json", "--sets", 1, *small], ["depth", "--json", *small],
                        ["depth", "--csv", *small], ["depth", *small], ["describe"]):
            with self.subTest(command):
                reader, writer = os.pipe()
                os.close(reader)
                with os.fdopen(writer, "wb") as pipe:
                    result = self.run_lab(*command, stdout=pipe)
                self.assertEqual((result.returncode, result.stderr), (141, ""))

    def test_closed_by_the_caller_it_is_not_mistaken_for_a_checkpoint(self):
        result = subprocess.run(
            ["sh", "-c", '"$0" train --steps 2 --out closed >&-', self.start("info").args[0]],
            cwd=self.folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
        )
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result, "standard output")
        self.succeed("train", "--steps", 2, "--out", "open")
        self.assertEqual(
            self.bytes_of("closed/seed1.safetensors"), self.bytes_of("open/seed1.safetensors")
        )


class Locale(CommandLineTest):
    def test_numbers_are_the_same_everywhere(self):
        arguments = ("evaluate", "--sizes", "16", "--sets", "8", "--theta", "0.5", "--json")
        german = clean_environment(LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8", LC_NUMERIC="de_DE.UTF-8")
        plain = self.succeed(*arguments, environment=clean_environment(LC_ALL="C"))
        self.assertEqual(plain, self.succeed(*arguments, environment=german))
        self.assertEqual(json.loads(plain)["theta"], 0.5)


if __name__ == "__main__":
    unittest.main()
