"""What `table` reports of the shipped heads."""

import csv
import io
import json
import signal
import subprocess
import unittest

from support import SHIPPED_HEAD, CommandLineTest, read_safetensors, write_safetensors

ASKED_KEYS = ["n", "transform", "mean", "low", "high", "p_value", "mcnemar_p", "paper_mean", "paper_p_value",
              "sets", "seeds"]


class Table(CommandLineTest):
    def two_heads(self):
        return ("--heads", SHIPPED_HEAD, SHIPPED_HEAD.with_name("seed2.safetensors"))

    def test_shape(self):
        result = self.succeed_json("table", "--sizes", "16,64", "--sets", 20)
        self.assertEqual(
            [(row["n"], row["transform"]) for row in result["rows"]],
            [(n, name) for n in (16, 64) for name in ("softmax", "adaptive", "hard")],
        )
        for row in result["rows"]:
            for key in ASKED_KEYS:
                self.assertIn(key, row)
            self.assertEqual((row["sets"], row["seeds"]), (20, len(result["heads"])))
            self.assertEqual(row["sets_pooled"], 20 * row["seeds"])
            self.assertTrue(0 <= row["mean"] <= 1)
            self.assertTrue(0 <= row["argmax_correct"] <= 1)
            self.assertTrue(0 <= row["weight_on_max"] <= 1)
        self.assertAlmostEqual(result["window_end"], 5.9445, places=4)
        self.assertEqual(result["share_done"], 1)

    def test_provenance(self):
        result = self.succeed_json("table", "--sizes", "16", "--sets", 2)
        self.assertEqual([head["seed"] for head in result["heads"]],
                         sorted(head["seed"] for head in result["heads"]))
        for head in result["heads"]:
            self.assertEqual(head["checkpoint"], "shipped")
            self.assertRegex(head["run_hash"], "^[0-9a-f]{16}$")
        for key in ("version", "commit", "backend", "evaluation_path", "evaluation_precision"):
            self.assertIn(key, result)

    def test_the_paper_beside_it(self):
        rows = self.succeed_json("table", "--sizes", "1024,20", "--sets", 2)["rows"]
        self.assertEqual([row["paper_mean"] for row in rows], [0.538, 0.577, None, None, None, None])
        self.assertEqual(rows[1]["paper_p_value"], 1e-4)

    def test_one_seed_says_what_it_needs(self):
        for row in self.succeed_json(
            "table", "--heads", SHIPPED_HEAD, "--sizes", "64", "--sets", 30
        )["rows"]:
            self.assertIsNone(row["low"])
            self.assertIsNone(row["p_value"])
            self.assertEqual(row["interval_reason"], "needs two seeds")
            if row["transform"] != "softmax":
                self.assertEqual(row["p_value_reason"], "needs two seeds")
                self.assertTrue(0 <= row["mcnemar_p"] <= 1)

    def test_equal_rows_are_no_difference(self):
        # One item: every transform puts all weight on it.
        rows = self.succeed_json("table", *self.two_heads(), "--sizes", "1", "--sets", 10)["rows"]
        for row in rows[1:]:
            self.assertIsNone(row["p_value"])
            self.assertEqual(row["p_value_reason"], "no difference")
            self.assertEqual(row["mcnemar_p"], 1)

    def test_equal_differences_have_neither_p_nor_interval(self):
        # With four sets a seed, the seeds' differences are the same.
        arguments = ("table", *self.two_heads(), "--sizes", 512, "--sets", 4)
        rows = self.succeed_json(*arguments)["rows"]
        equal = 0
        for row in rows[1:]:
            first, second = row["seed_accuracies"]
            plain_first, plain_second = rows[0]["seed_accuracies"]
            if first - plain_first != second - plain_second:
                self.assertIsNotNone(row["p_value"])
                continue
            equal += 1
            self.assertIn(row["p_value_reason"], ("equal differences", "no difference"))
            for key in ("p_value", "difference", "difference_low", "difference_high"):
                self.assertIsNone(row[key], key)
        self.assertGreater(equal, 0, rows)
        self.assertIn("all equal", self.succeed(*arguments))

    def test_shares_stay_between_0_and_100_percent(self):
        # Two seeds with few sets have intervals that would reach far beyond.
        for sizes, sets in (("512,4096", 4), ("2,16", 16)):
            for row in self.succeed_json("table", *self.two_heads(), "--sizes", sizes, "--sets",
                                         sets)["rows"]:
                if row["low"] is None:
                    self.assertEqual(row["interval_reason"], "all seeds equal")
                    self.assertEqual(len(set(row["seed_accuracies"])), 1)
                    self.assertEqual(row["std_between_seeds"], 0)
                    self.assertIsNone(row["paper_inside"])
                else:
                    self.assertTrue(0 <= row["low"] <= row["mean"] <= row["high"] <= 1, row)
                if row["p_value"] is not None:
                    self.assertTrue(-1 <= row["difference_low"] <= row["difference_high"] <= 1, row)

    def test_columns_stand_apart_where_all_are_right(self):
        lines = self.succeed("table", *self.two_heads(), "--sizes", 2, "--sets", 16).splitlines()
        words = [line.split() for line in lines if line.split()[:2] == ["2", "softmax"]]
        self.assertEqual(words[0][:5], ["2", "softmax", "100.0", "all", "equal"])

    def test_heads_of_unknown_seed(self):
        files = []
        for seed in (1, 2):
            _, tensors = read_safetensors(SHIPPED_HEAD.with_name(f"seed{seed}.safetensors"))
            files.append(f"bare{seed}.safetensors")
            write_safetensors(self.folder / files[-1], {}, tensors)
        few = ("--sizes", 16, "--sets", 4)
        text = self.succeed("table", "--heads", *files, *few)
        self.assertIn("heads: 2, seeds unknown, unknown; ", text)
        told = self.succeed_json("table", "--heads", *files, *few)
        self.assertEqual([head["seed"] for head in told["heads"]], [None, None])
        self.assertEqual(told["set_seed"], "that of the head, or 1 where that is unknown")
        # Both were evaluated on the sets of seed 1, so that they are not independent.
        for row in told["rows"]:
            self.assertEqual(row["interval_reason"], "heads share sets")
            self.assertIsNone(row["p_value"])
            self.assertIsNone(row["low"])
            if row["transform"] != "softmax":
                self.assertEqual(row["mcnemar_reason"], "heads share sets")
        self.assertIn("same sets", text)
        self.assertIn("over 2 heads", text)
        for word in ("seed,", "seeds,", "McNemar:", "Student", "all equal"):
            self.assertNotIn(word, text)
        one = self.succeed("table", "--heads", files[0], "--sizes", 16, "--sets", 1)
        self.assertIn("heads: 1, seed unknown; 1 set of every size per head", one)
        self.assertIn("1 head ", one)
        self.assertIn("over 1 head,", one)
        self.assertNotIn("1 seed", one)
        mixed = self.succeed("table", "--heads", files[0], SHIPPED_HEAD.with_name("seed3.safetensors"),
                             *few)
        self.assertIn("heads: 2, seeds unknown, 3; ", mixed)

    def test_every_precision_of_evaluate(self):
        for precision in ("fp32", "bf16", "fp16", "bf16-priorities", "fp16-priorities"):
            few = ("--sizes", 64, "--sets", 8, "--precision", precision, "--transforms", "softmax")
            (row,) = self.succeed_json("table", "--heads", SHIPPED_HEAD, *few)["rows"]
            (same,) = self.succeed_json("evaluate", *few)["rows"]
            self.assertEqual((row["mean"], row["argmax_correct"]),
                             (same["accuracy"], same["argmax_correct"]), precision)

    def test_threads_change_nothing(self):
        def output(threads):
            return self.succeed(
                "table", "--sizes", "300", "--sets", 30, "--threads", threads, "--json"
            )

        self.assertEqual(output(1), output(3))

    def test_agrees_with_evaluate(self):
        (table,) = self.succeed_json("table", "--heads", SHIPPED_HEAD, "--sizes", "128", "--sets", 50,
                                     "--transforms", "softmax", "--path", "direct")["rows"]
        (row,) = self.succeed_json(
            "evaluate", "--sizes", "128", "--sets", 50, "--transforms", "softmax", "--path", "direct")["rows"]
        self.assertEqual(table["mean"], row["accuracy"])
        self.assertEqual(table["argmax_correct"], row["argmax_correct"])
        self.assertAlmostEqual(table["entropy"], row["entropy"], places=6)

    def test_choice_of_transforms(self):
        rows = self.succeed_json(
            "table", "--sizes", "64", "--sets", 20, "--transforms", "adaptive,hard")["rows"]
        self.assertEqual([row["transform"] for row in rows], ["adaptive", "hard"])
        self.assertEqual(rows[1]["entropy"], 0)
        self.assertGreater(rows[1]["entropy_plain"], 0)

    def test_heads_come_in_the_order_of_their_seeds(self):
        self.succeed("train", "--steps", 1, "--seeds", 2, "--out", "heads")
        files = [f"heads/seed{seed}.safetensors" for seed in (2, 1)]
        result = self.succeed_json("table", "--heads", *files, "--sizes", "16", "--sets", 2)
        self.assertEqual([head["seed"] for head in result["heads"]], [1, 2])

    def test_csv(self):
        arguments = ("table", "--sizes", "16,64", "--sets", 20)
        rows = list(csv.DictReader(io.StringIO(self.succeed(*arguments, "--csv"))))
        expected = self.succeed_json(*arguments)["rows"]
        self.assertEqual(len(rows), len(expected))
        for row, wanted in zip(rows, expected):
            self.assertEqual(list(row), list(wanted))
            self.assertEqual(float(row["mean"]), wanted["mean"])
            self.assertEqual(row["paper_p_value"], "" if wanted["paper_p_value"] is None
                             else str(float(row["paper_p_value"])))

    def test_text_fits_a_hundred_columns(self):
        text = self.succeed("table", *self.two_heads(), "--sizes", "16,16384", "--sets", 2)
        lines = text.split("\nAt n = ")[0].splitlines()  # above the sentences
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertTrue(any(" no diff. " in line for line in lines))
        rows = [line.split()[:2] for line in lines if line.split()[:1] == ["16384"]]
        self.assertEqual(rows, [["16384", name] for name in
                                ("softmax", "adaptive", "hard", "adaptive", "hard")])

    def test_gains_stand_beside_the_papers(self):
        arguments = ("table", "--sizes", "16,20,1024", "--sets", 64)
        result = self.succeed_json(*arguments)
        rows = {(row["n"], row["transform"]): row for row in result["rows"]}
        self.assertEqual([(gain["n"], gain["transform"]) for gain in result["gains"]],
                         [key for key in rows if key[1] != "softmax"])
        compared = 0
        for gain in result["gains"]:
            row = rows[gain["n"], gain["transform"]]
            self.assertAlmostEqual(gain["gain"], row["mean"] - rows[gain["n"], "softmax"]["mean"], 12)
            self.assertEqual((gain["low"], gain["high"], gain["p_value"], gain["reason"]),
                             (row["difference_low"], row["difference_high"], row["p_value"],
                              row["p_value_reason"]))
            papers = {16: 0, 1024: 0.039}.get(gain["n"]) if gain["transform"] == "adaptive" else None
            if papers is None:
                self.assertIsNone(gain["paper_gain"])
                self.assertIsNone(gain["paper_gain_inside"])
                continue
            self.assertAlmostEqual(gain["paper_gain"], papers, 12)
            if gain["low"] is not None:
                compared += 1
                self.assertEqual(gain["paper_gain_inside"], gain["low"] <= papers <= gain["high"])
        self.assertGreater(compared, 0)
        told = " ".join(result["sentences"])
        for words in ("At n = 1 024, over 10 seeds, softmax gets ", "(paper 53.8 %)",
                      "The paper's mean lies in our 95 % interval in ", "of these heads",
                      "with precision bf16-priorities"):
            self.assertIn(words, told)
        self.assertIn("Here the priorities are rounded to bf16", " ".join(self.succeed_json(
            *arguments[:1], *self.two_heads(), "--sizes", 16, "--sets", 4, "--precision",
            "bf16-priorities")["sentences"]))

    def test_wrong_usage(self):
        self.fail_with(2, "table", "--transforms", "softmx", words=["--transforms", "softmx"])
        self.fail_with(2, "table", "--json", "--csv", words=["--json", "--csv"])
        self.fail_with(2, "table", "--precision", "int8", words=["--precision", "bf16"])
        self.fail_with(1, "table", "--heads", "nothing.safetensors", words=["nothing.safetensors"])

    def test_ctrl_c_reports_what_there_is(self):
        process = self.start("table", "--sizes", "16,16384", "--sets", 100_000_000, "--json")
        self.assertRaises(subprocess.TimeoutExpired, process.wait, 3)
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assertEqual(result.returncode, 130)
        self.assert_one_line(result, "interrupted")
        answer = json.loads(result.stdout)
        self.assertLess(answer["share_done"], 1)
        self.assertLess(answer["rows"][0]["sets"], 100_000_000)


if __name__ == "__main__":
    unittest.main()
