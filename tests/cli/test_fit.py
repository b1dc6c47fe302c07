"""What `fit` makes of the shipped head."""

import csv
import io
import unittest

from support import SHIPPED_HEAD, CommandLineTest


class Fit(CommandLineTest):
    def fit(self, *arguments):
        """The result, and in it what was fitted to all sizes together."""
        result = self.succeed_json("fit", *arguments)
        self.assertEqual([result["fits"][0]["n"], result["fits"][1]["n"]], ["paper", "pooled"])
        return {**result, **result["fits"][1], **result["counts"][0]}

    def test_shape(self):
        result = self.fit("--sizes", "64,256", "--sets", 60)
        self.assertEqual(len(result["coefficients_highest_first"]), 5)
        self.assertEqual(result["generated"], 120)
        self.assertEqual(result["samples"] + result["dropped"], 120)
        self.assertTrue(0 <= result["at_grid_ends"] <= result["samples"])
        low, high = result["entropy_low"], result["entropy_high"]
        self.assertLess(low, high)
        self.assertGreater(result["residual"], 0)
        self.assertEqual(result["seed"], 1)
        self.assertEqual((result["theta_first"], result["theta_last"], result["theta_step"]),
                         (0.1, 10, 0.1))
        (window,) = [window for window in result["windows"] if window["n"] == "paper"]
        self.assertAlmostEqual(window["low"], 0.8486, places=4)
        self.assertAlmostEqual(window["high"], 5.9445, places=4)

    def test_the_scatter_gives_the_residual(self):
        arguments = ("--sizes", "64,256", "--sets", 40)
        result = self.fit(*arguments)
        scatter = list(csv.DictReader(io.StringIO(self.succeed("fit", *arguments, "--csv"))))
        self.assertEqual(len(scatter), result["counts"][0]["samples"])
        squares = 0
        for point in scatter:
            self.assertAlmostEqual(float(point["theta_opt"]) * 10, round(float(point["theta_opt"]) * 10))
            value = 0
            for coefficient in result["coefficients_highest_first"]:
                value = value * float(point["entropy"]) + coefficient
            squares += (value - float(point["inverse_theta"])) ** 2
        self.assertAlmostEqual((squares / len(scatter)) ** 0.5, result["residual"], places=9)

    def test_per_size(self):
        result = self.fit("--sizes", "64,256", "--sets", 40, "--per-size")
        self.assertEqual([fit["n"] for fit in result["fits"][2:]], [64, 256])
        self.assertEqual(sum(size["samples"] for size in result["counts"][1:]), result["counts"][0]["samples"])

    def test_a_file_is_the_same_head(self):
        arguments = ("--sizes", "128", "--sets", 30)
        shipped = self.fit(*arguments)
        file = self.fit("--checkpoint", SHIPPED_HEAD, *arguments)
        self.assertEqual(shipped["coefficients_highest_first"], file["coefficients_highest_first"])

    def test_threads_change_nothing(self):
        arguments = ("--sizes", "300", "--sets", 30)
        self.assertEqual(self.fit(*arguments, "--threads", 1)["coefficients_highest_first"],
                         self.fit(*arguments, "--threads", 3)["coefficients_highest_first"])

    def test_says_why_there_is_no_fit(self):
        result = self.fit("--sizes", "1", "--sets", 10)
        self.assertIsNone(result["coefficients_highest_first"])
        self.assertIn("all 10 sets were dropped", result["reason"])
        few = self.fit("--sizes", "4096", "--sets", 1)
        self.assertIsNone(few["coefficients_highest_first"])
        self.assertIn("all 10 sets were dropped", self.succeed("fit", "--sizes", "1", "--sets", 10))

    def test_wrong_usage(self):
        self.fail_with(1, "fit", "--seed", 4_000_000_000, words=["4000000000", "has the seeds 1"])
        self.fail_with(2, "fit", "--seed", 1, "--checkpoint", "x", words=["--checkpoint"])
        self.fail_with(2, "fit", "--sets", 0, words=["--sets"])
        self.fail_with(2, "fit", "--json", "--csv", words=["--csv"])


if __name__ == "__main__":
    unittest.main()
