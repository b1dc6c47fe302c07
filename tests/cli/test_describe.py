"""A view of the window in words and numbers."""

import unittest

from support import CommandLineTest


class Describe(CommandLineTest):
    def test_tells_head_settings_and_numbers_in_lines_of_section_label_and_value(self):
        text = self.succeed("describe", "--items", 256, "--theta", 0.5)
        lines = [line.split("\t") for line in text.splitlines()]
        told = {(line[0], line[1]): line[2] for line in lines if len(line) == 3}
        self.assertEqual(told["measurement", "n"], "256")
        self.assertEqual(told["measurement", "temperature θ"], "0.5")
        self.assertEqual(told["head", "seed"], "1")
        self.assertIn(("why", "explanation"), told)
        accuracy = float(told["at n = 256, softmax", "accuracy"].split()[0])
        self.assertTrue(0 < accuracy <= 1, accuracy)

    def test_says_what_is_wrong_with_a_state(self):
        self.fail_with(1, "describe", "--state", "nonsense", words=["state"])
        self.fail_with(2, "describe", "--state", "nonsense", "--view", "fit", words=["--state"])
        self.fail_with(2, "describe", "--view", "nowhere", words=["--view"])


if __name__ == "__main__":
    unittest.main()
