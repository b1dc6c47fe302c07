"""Entropy over temperature: power series, and a head."""

import csv
import io
import math
import unittest

from support import SHIPPED_HEAD, CommandLineTest


class PowerSeries(CommandLineTest):
    def test_four_regions(self):
        result = self.succeed_json("surface", "--points", 5)
        self.assertEqual(len(result["regions"]), 4)
        for region in result["regions"]:
            self.assertEqual(len(region["entropy"]), 5)
            self.assertEqual(len(region["entropy"][0]), 5)
            column = region["lambda"].index(1)
            for row in region["entropy"]:
                self.assertEqual(row[column], math.log(10))
        text = self.succeed("surface", "--points", 5, "--csv")
        self.assertEqual(len(list(csv.DictReader(io.StringIO(text)))), 100)
        self.assertIn("i = 0 … 9", self.succeed("surface", "--first-exponent", 0))

    def test_one_value_by_hand(self):
        result = self.succeed_json(
            "surface", "--points", 2, "--terms", 2, "--lowest-lambda", 0.5, "--lowest-theta", 0.5
        )
        # logits 0.5 and 0.25 over theta 0.5
        p = 1 / (1 + math.exp(-0.5))
        expected = -p * math.log(p) - (1 - p) * math.log(1 - p)
        self.assertAlmostEqual(result["regions"][0]["entropy"][0][0], expected, places=14)

    def test_wrong_usage(self):
        self.fail_with(2, "surface", "--lowest-lambda", 1, words=("--lowest-lambda",))
        self.fail_with(2, "surface", "--highest-theta", 0.5, words=("--highest-theta",))
        self.fail_with(2, "surface", "--first-exponent", 2, words=("--first-exponent",))


class Head(CommandLineTest):
    def test_shipped_is_what_its_file_is(self):
        options = ("--sizes", "16,256", "--sets", 4)
        inside = self.succeed_json("surface", "--head", *options)
        given = self.succeed_json("surface", "--checkpoint", SHIPPED_HEAD, *options)
        self.assertEqual(inside["entropy"], given["entropy"])
        self.assertEqual(inside["n"], [16, 256])
        self.assertEqual(len(inside["entropy"]), len(inside["theta"]))
        self.assertIn(1, inside["theta"])
        for low, high in inside["entropy"]:
            self.assertLessEqual(low, math.log(16) + 1e-6)
            self.assertLessEqual(high, math.log(256) + 1e-6)
        self.assertIn("run_hash", inside)
        self.assertIn("n=256", self.succeed("surface", "--head", *options))


if __name__ == "__main__":
    unittest.main()
