"""Entropy over temperature: power series, and a head."""

import csv
import io
import math
import unittest

from support import SHIPPED_HEAD, CommandLineTest


class PowerSeries(CommandLineTest):
    def test_four_regions(self):
        rows = self.succeed_json("surface", "--points", 5)["rows"]
        self.assertEqual(len(rows), 4 * 5 * 5)
        self.assertEqual(len({(row["lambda"], row["theta"]) for row in rows}), 9 * 9)
        at_one = [row["entropy"] for row in rows if row["lambda"] == 1]
        self.assertEqual(at_one, [math.log(10)] * 20)
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
        self.assertAlmostEqual(result["rows"][0]["entropy"], expected, places=14)

    def test_wrong_usage(self):
        self.fail_with(2, "surface", "--lowest-lambda", 1, words=("--lowest-lambda",))
        self.fail_with(2, "surface", "--highest-theta", 0.5, words=("--highest-theta",))
        self.fail_with(2, "surface", "--first-exponent", 2, words=("--first-exponent",))


class Head(CommandLineTest):
    def test_shipped_is_what_its_file_is(self):
        options = ("--sizes", "16,256", "--sets", 4)
        inside = self.succeed_json("surface", "--logits", "head", *options)
        given = self.succeed_json("surface", "--checkpoint", SHIPPED_HEAD, *options)
        self.assertEqual(inside["rows"], given["rows"])
        self.assertEqual(given["logits"], "head")
        self.assertEqual({row["n"] for row in inside["rows"]}, {16, 256})
        thetas = [row["theta"] for row in inside["rows"] if row["n"] == 16]
        self.assertEqual(thetas, [row["theta"] for row in inside["rows"] if row["n"] == 256])
        self.assertIn(1, thetas)
        for row in inside["rows"]:
            self.assertLessEqual(row["entropy"], math.log(row["n"]) + 1e-6)
        self.assertIn("run_hash", inside)
        self.assertIn("n=256", self.succeed("surface", "--logits", "head", *options))


if __name__ == "__main__":
    unittest.main()
