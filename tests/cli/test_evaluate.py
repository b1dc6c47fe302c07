"""What `evaluate` reports of the shipped head."""

import csv
import io
import json
import math
import unittest

from support import CommandLineTest, clean_environment

ALL = "softmax,adaptive,hard,log-n,top-k,sparsemax,entmax-1.5"
ROW_KEYS = ["n", "transform", "sets", "accuracy", "accuracy_low", "accuracy_high", "entropy",
            "weight_on_max", "argmax_correct", "maximum_tied", "logit_spread"]


class Evaluate(CommandLineTest):
    def rows(self, *arguments):
        return self.succeed_json("evaluate", *arguments)["rows"]

    def test_shape(self):
        result = self.succeed_json("evaluate", "--sizes", "16,64", "--sets", 50)
        self.assertEqual([(row["n"], row["transform"]) for row in result["rows"]],
                         [(16, "softmax"), (16, "adaptive"), (64, "softmax"), (64, "adaptive")])
        for row in result["rows"]:
            self.assertEqual(list(row), ROW_KEYS)
            self.assertEqual(row["sets"], 50)
            self.assertTrue(0 <= row["accuracy_low"] <= row["accuracy"])
            self.assertTrue(row["accuracy"] <= row["accuracy_high"] <= 1)
            self.assertTrue(0 <= row["entropy"] <= math.log(row["n"]))
            self.assertTrue(0 <= row["weight_on_max"] <= 1)
            self.assertTrue(0 <= row["argmax_correct"] <= 1)
            self.assertGreater(row["logit_spread"], 0)

    def test_ties_of_large_sets_are_said(self):
        rows = self.rows("--sizes", "16,1048576", "--sets", 32, "--transforms", "softmax")
        # n 2^-24 / 2 = 3.1 % of them on average; of these 32 sets:
        self.assertEqual([row["maximum_tied"] for row in rows][0], 0)
        self.assertLess(rows[1]["maximum_tied"], 0.15)
        text = self.succeed("evaluate", "--sizes", "16,1048576", "--sets", 32, "--transforms", "softmax")
        self.assertIn("at n = 1048576 %.1f %% of the sets" % (100 * rows[1]["maximum_tied"]), text)
        self.assertNotIn("at n = 16 ", text)

    def test_csv(self):
        arguments = ("evaluate", "--sizes", "16,64", "--sets", 20)
        rows = list(csv.DictReader(io.StringIO(self.succeed(*arguments, "--csv"))))
        expected = self.rows(*arguments[1:])
        self.assertEqual(len(rows), len(expected))
        for row, wanted in zip(rows, expected):
            self.assertEqual(list(row), ROW_KEYS)
            self.assertEqual(float(row["entropy"]), wanted["entropy"])
            self.assertEqual(row["transform"], wanted["transform"])
        self.fail_with(2, *arguments, "--csv", "--json", words=["--csv", "--json"])

    def test_provenance(self):
        result = self.succeed_json("evaluate", "--sizes", "16", "--sets", 2, "--theta", "0.25")
        self.assertEqual(result["checkpoint"], "shipped")
        self.assertEqual((result["theta"], result["set_seed"]), (0.25, 1))
        self.assertRegex(result["run_hash"], "^[0-9a-f]{16}$")
        for key in ("seed", "step", "version", "commit", "backend", "recipe"):
            self.assertIn(key, result)

    def test_wilson_interval(self):
        (row,) = self.rows("--sizes", "1024", "--sets", 40, "--transforms", "softmax")
        n, p, z = 40, row["accuracy"], 1.959963984540054
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        self.assertAlmostEqual(row["accuracy_low"], centre - half, places=9)
        self.assertAlmostEqual(row["accuracy_high"], centre + half, places=9)

    def test_choice_of_transforms(self):
        def transforms(*flags):
            return [row["transform"] for row in self.rows("--sizes", "8", "--sets", 2, *flags)]

        self.assertEqual(transforms("--transforms", "softmax"), ["softmax"])
        self.assertEqual(transforms("--transforms", "adaptive"), ["adaptive"])
        self.assertEqual(transforms("--transforms", "Top-K:k=3,hard"), ["top-k", "hard"])
        self.assertEqual(transforms("--transforms", ALL), ALL.split(","))

    def test_every_transform_has_weights_of_its_own(self):
        rows = self.rows("--sizes", "1024", "--sets", 40, "--transforms", ALL)
        self.assertEqual(len({row["weight_on_max"] for row in rows}), len(rows))
        weight = {row["transform"]: row["weight_on_max"] for row in rows}
        for sharper, flatter in [("sparsemax", "entmax-1.5"), ("entmax-1.5", "softmax"),
                                 ("log-n", "softmax"), ("top-k", "softmax"),
                                 ("adaptive", "softmax")]:
            self.assertGreater(weight[sharper], weight[flatter])
        result = self.succeed_json("evaluate", "--sizes", "16", "--sets", 2, "--transforms",
                                   "softmax,top-k:k=3")
        self.assertEqual(result["transforms"], ["softmax", "top-k:k=3"])
        self.assertEqual(result["backend_note"], "")

    def test_transforms_that_are_not_known_are_refused_by_name(self):
        for wrong, words in [("softmx", ["softmx", "entmax-1.5"]), ("softmax,softmax", ["twice"]),
                             ("top-k:k=0", ["k should be a whole number", "0"]),
                             ("top-k:n=3", ["expected k=NUMBER"]), ("", ["expected"])]:
            self.fail_with(2, "evaluate", "--transforms", wrong, words=["--transforms", *words])

    def test_attention_disperses_and_the_adaptive_rule_sharpens_it(self):
        rows = self.rows("--sizes", "16,1024", "--sets", 200)
        near, _, far, far_adaptive = rows
        self.assertGreater(near["accuracy"], 0.9)
        self.assertLess(far["accuracy"], near["accuracy"])
        self.assertGreater(far["entropy"], near["entropy"])
        self.assertLess(far["weight_on_max"], near["weight_on_max"])
        self.assertLess(far_adaptive["entropy"], far["entropy"])
        self.assertGreater(far_adaptive["accuracy"], far["accuracy"])

    def test_temperature(self):
        entropies = [self.rows("--sizes", "256", "--sets", 20, "--transforms", "softmax", "--theta", theta)[0]["entropy"]
                     for theta in (0.1, 1, 10)]
        self.assertEqual(entropies, sorted(entropies))
        self.assertLess(entropies[0], entropies[2])

    def test_one_item(self):
        for row in self.rows("--sizes", "1", "--sets", 10):
            self.assertEqual((row["entropy"], row["weight_on_max"], row["argmax_correct"]), (0, 1, 1))
            self.assertEqual(row["logit_spread"], 0)

    def test_threads_and_neighbours_change_nothing(self):
        one = self.rows("--sizes", "300,16", "--sets", 30, "--threads", 1)
        self.assertEqual(one, self.rows("--sizes", "300,16", "--sets", 30, "--threads", 3))
        self.assertEqual(one[2:], self.rows("--sizes", "16", "--sets", 30))
        few = ("evaluate", "--sizes", "16", "--sets", 30, "--json", "--threads")
        self.assertEqual(self.succeed(*few, 1), self.succeed(*few, 3))

    def test_precision(self):
        names = ("fp32", "bf16-priorities", "fp16-priorities", "bf16", "fp16")
        reports = [self.succeed_json("evaluate", "--sizes", "512", "--sets", 100, "--precision", name)
                   for name in names]
        for name, report in zip(names, reports):
            self.assertEqual(report["evaluation_precision"], name)
        entropies = {report["rows"][0]["entropy"] for report in reports}
        self.assertEqual(len(entropies), len(names))
        # Half of the largest priorities of 512 share their number in bf16.
        self.assertLess(reports[3]["rows"][0]["argmax_correct"], 0.75)
        self.assertGreater(reports[0]["rows"][0]["argmax_correct"], 0.75)
        self.assertEqual(reports[3]["evaluation_path"], "direct")
        self.fail_with(2, "evaluate", "--precision", "bf17", words=("--precision", "bf17", "fp16"))
        self.fail_with(2, "evaluate", "--path", "round", words=("--path", "round", "direct"))

    def test_precision_changes_nothing_of_threads(self):
        arguments = ("--sizes", "300,16", "--sets", 30, "--precision", "bf16")
        one = self.rows(*arguments, "--threads", 1)
        self.assertEqual(one, self.rows(*arguments, "--threads", 3))

    def test_seed_of_the_sets(self):
        first = self.rows("--sizes", "64", "--sets", 30, "--seed", 1)
        self.assertEqual(first, self.rows("--sizes", "64", "--sets", 30))
        self.assertNotEqual(first, self.rows("--sizes", "64", "--sets", 30, "--seed", 2))

    def test_table(self):
        lines = self.succeed("evaluate", "--sizes", "16,64", "--sets", 10).splitlines()
        self.assertIn("shipped", lines[0])
        self.assertEqual([line.split()[:2] for line in lines[-4:]],
                         [["16", "softmax"], ["16", "adaptive"], ["64", "softmax"], ["64", "adaptive"]])



class Stopped(CommandLineTest):
    def stop(self, seconds, **options):
        """Ctrl-C after a time that is long enough to have begun, and far too short to end."""
        process = self.start(
            "evaluate", "--sizes", "16384", "--sets", 1_000_000_000, "--json", **options
        )
        self.interrupt_after(seconds, process)
        return self.finish(process)

    def test_ctrl_c_reports_what_there_is(self):
        result = self.stop(1)
        self.assertEqual(result.returncode, 130)
        self.assert_one_line(result, "interrupted")
        self.assertLess(json.loads(result.stdout)["rows"][0]["sets"], 1_000_000_000)

    def test_it_spoils_no_memory(self):
        # The signal comes in the middle of a product, in any thread. glibc's watchful allocator
        # sees what that spoils; a sanitizer brings its own.
        sanitized = self.succeed_json("info")["sanitizers"]
        watchful = None if sanitized else "libc_malloc_debug.so.0"
        environment = clean_environment(
            LD_PRELOAD=watchful, GLIBC_TUNABLES="glibc.malloc.check=3"
        )
        for attempt in range(4 if sanitized else 12):
            result = self.stop(0.2 + 0.03 * attempt, environment=environment)
            self.assertEqual(result.returncode, 130, result)


if __name__ == "__main__":
    unittest.main()
