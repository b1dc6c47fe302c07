"""A view of the window in words and numbers."""

import base64
import json
import re
import unittest

from support import CommandLineTest

BEGIN = "dispersion-lab:1:"


def state_of(**parts):
    text = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()
    return BEGIN + text.rstrip("=")


def parts_of(state):
    text = state.removeprefix(BEGIN)
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


class Describe(CommandLineTest):
    def test_tells_head_settings_and_numbers_in_lines_of_section_label_and_value(self):
        text = self.succeed("describe", "--items", 256, "--theta", 0.5)
        lines = [line.split("\t") for line in text.splitlines()]
        told = {(line[0], line[1]): line[2] for line in lines if len(line) == 3}
        self.assertEqual(told["measurement", "n"], "256")
        self.assertEqual(told["measurement", "temperature θ"], "0.5")
        self.assertEqual(told["head", "seed"], "1")
        self.assertIn(("why", "explanation"), told)
        self.assertEqual(told["measurement", "training step"], "100000")
        self.assertIn(" at step 100\u2009000", told["head", "run hash"])
        accuracy = float(told["at n = 256, softmax", "accuracy"].split()[0])
        self.assertTrue(0 < accuracy <= 1, accuracy)

    def test_numbers_have_the_digits_that_mean_something(self):
        for view in "attention", "depth", "streaming":
            text = self.succeed("describe", "--view", view)
            long = [n for n in re.findall(r"[0-9]+\.[0-9]+", text)
                    if len(n.replace(".", "").lstrip("0")) > 9]
            self.assertEqual(long, [])

    def test_nothing_counted_has_no_plural_and_one_neither(self):
        text = self.succeed("describe")  # of whose 32 sets β is 1 in none
        self.assertIn("why\tsets where β is 1\t0\n", text)
        self.assertIsNone(re.search(r"\b[01] (sets|items)\b", text))

    def test_compares_with_a_state_that_is_pinned(self):
        one = self.succeed("describe", "--items", 256, "--pinned", state_of(view={"theta": 2}))
        told = {}
        for line in one.splitlines():
            parts = line.split("\t")
            if len(parts) == 3:
                told[parts[0], parts[1]] = parts[2]
        self.assertEqual(told["measurement", "temperature θ"], "1")
        self.assertEqual(told["comparison", "B"], "temperature θ 2 → 1")
        self.assertEqual(parts_of(told["comparison", "state of A"])["view"]["theta"], 2)
        self.assertEqual(parts_of(told["comparison", "state of B"])["view"].get("theta", 1), 1)

        def number(label):
            return float(told["at n = 256, softmax", label].split()[0])

        self.assertAlmostEqual(number("entropy H, B − A"),
                               number("entropy H, B") - number("entropy H, A"), places=6)
        self.assertLess(number("entropy H, B − A"), 0)  # the lower temperature is sharper
        self.fail_with(1, "describe", "--pinned", "nonsense", words=["state"])

    def test_says_what_is_wrong_with_a_state(self):
        self.fail_with(1, "describe", "--state", "nonsense", words=["state"])
        self.fail_with(2, "describe", "--state", "nonsense", "--view", "fit", words=["--state"])
        self.fail_with(2, "describe", "--view", "nowhere", words=["--view"])


if __name__ == "__main__":
    unittest.main()
