"""The command that compares precisions."""

import csv
import io
import unittest

from support import CommandLineTest


class Precision(CommandLineTest):
    OPTIONS = ("--sizes", "16,2048", "--sets", 64)

    def test_rows_hold_every_precision(self):
        result = self.succeed_json("precision", *self.OPTIONS)
        self.assertEqual([(row["n"], row["precision"]) for row in result["rows"]],
                         [(n, name) for n in (16, 2048)
                          for name in ("fp32", "bf16-priorities", "bf16", "fp16")])
        for row in result["rows"]:
            self.assertEqual(row["sets"], 64)
            self.assertLessEqual(row["accuracy_low"], row["accuracy"])
            self.assertLessEqual(row["accuracy"], row["accuracy_high"])
            self.assertEqual(row["perfect_argmax"] > 0.999, row["precision"] == "fp32")
        self.assertIn("run_hash", result)
        self.assertIn("%", result["sentences"][0])

    def test_rows_are_what_evaluate_says(self):
        for row in self.succeed_json("precision", *self.OPTIONS)["rows"][:4]:
            # Rounded rows come by the direct path, rounded priorities too.
            path = "spectral" if row["precision"] == "fp32" else "direct"
            evaluated = self.succeed_json("evaluate", "--sizes", 16, "--sets", 64, "--path", path,
                                          "--precision", row["precision"])["rows"][0]
            for name in ("accuracy", "argmax_correct", "entropy", "weight_on_max"):
                self.assertEqual(row[name], evaluated[name], (row["precision"], name))

    def test_the_result_does_not_depend_on_threads(self):
        rows = [self.succeed_json("precision", *self.OPTIONS, "--threads", threads)["rows"]
                for threads in (1, 3)]
        self.assertEqual(rows[0], rows[1])

    def test_forms(self):
        text = self.succeed("precision", *self.OPTIONS, "--csv")
        self.assertEqual(len(list(csv.DictReader(io.StringIO(text)))), 8)
        self.assertIn("bf16-priorities", self.succeed("precision", *self.OPTIONS))

    def test_wrong_usage(self):
        self.fail_with(2, "precision", "--sets", 0, words=("--sets",))
        self.fail_with(2, "precision", "--csv", "--json", words=("--csv",))


if __name__ == "__main__":
    unittest.main()
