"""The commands that hold theory against numbers: bounds, streaming, depth."""

import csv
import io
import math
import os
import unittest

from support import SHIPPED_HEAD, CommandLineTest


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class Bounds(CommandLineTest):
    OPTIONS = ("--sizes", "16,1024", "--sets", 8)

    def test_weights_lie_within(self):
        result = self.succeed_json("bounds", *self.OPTIONS)
        self.assertEqual([row["n"] for row in result["rows"]], [16, 1024])
        for row in result["rows"]:
            n, d = row["n"], row["delta"]
            self.assertEqual(row["violations"], 0)
            self.assertAlmostEqual(row["lower"] / (math.exp(-d) / n), 1, places=9)
            self.assertLessEqual(row["lower"], row["sharp_lower"])
            self.assertLessEqual(row["sharp_lower"], row["smallest_weight"] * (1 + 1e-9))
            self.assertLessEqual(row["largest_weight"], row["sharp_upper"] * (1 + 1e-9))
        self.assertLess(result["entropy_slope"]["largest_relative_error"], 1e-4)
        self.assertIn("run_hash", result)

    def test_the_data_of_the_figure_are_all_numbers(self):
        result = self.succeed_json("bounds", "--sets", 8)
        self.succeed("figure", "bounds", "--sets", 8, "-o", "a.csv")
        text = (self.folder / "a.csv").read_text()
        points = [row for row in rows_of("".join(line for line in text.splitlines(True)
                                                 if line[0] != "#")) if row["kind"] == "point"]
        for key, name in [("largest_weight", "largest weight of all sets"),
                          ("smallest_weight", "smallest weight"),
                          ("sharp_lower", "sharp lower bound"),
                          ("sharp_upper", "sharp upper bound"),
                          ("lower", "lower bound of lemma 2.1"),
                          ("upper", "upper bound of lemma 2.1")]:  # fmt: skip
            found = {int(r["x"]): float(r["y"]) for r in points if r["name"] == name}
            self.assertEqual(found, {row["n"]: row[key] for row in result["rows"]}, name)

    def test_corollary(self):
        found = self.succeed_json("bounds", *self.OPTIONS)["corollary"]
        self.assertAlmostEqual(found["d"], found["logit_a"] - found["logit_b"], places=9)
        for limit in found["rows"]:
            exact = 1 + (1 / limit["epsilon"] - 1) * math.exp(found["d"])
            self.assertAlmostEqual(limit["n"] / exact, 1, places=6)
        self.assertEqual([limit["epsilon"] for limit in found["rows"]],
                         [2**-24, 2**-8, 2**-11])
        self.assertNotEqual(found["predicted_there"], 0)

    def test_an_error_beyond_all_doubles_is_told(self):
        result = self.succeed_json("bounds", "--theta", 0.15, "--sizes", 16)
        found = result["corollary"]
        self.assertEqual(found["predicted_of_b"], 1)
        self.assertIsNone(found["first_error_n"])
        self.assertAlmostEqual(found["first_error_log10_n"], 302.6, delta=0.1)
        self.assertTrue(found["search_complete"])
        self.assertEqual([row["n"] for row in found["rows"]], [None, None, None])
        self.assertIn("first errs at n = 10^302.6", result["sentences"][-1])

    def test_the_proofs_count_takes_the_spread_of_both_logits(self):
        found = self.succeed_json("bounds", "--rho-a", 0.1, "--rho-b", 0.05, "--class-b", 2,
                                  "--sizes", 16)["corollary"]
        self.assertLess(found["d"], 0)
        for limit in found["rows"]:
            self.assertAlmostEqual(
                limit["n_of_proof"] / (math.exp(-found["d"]) / limit["epsilon"]), 1, places=12)
            self.assertLess(limit["n"], limit["n_of_proof"])

    def test_theta_divides_the_spread(self):
        one = self.succeed_json("bounds", *self.OPTIONS)["corollary"]["d"]
        half = self.succeed_json("bounds", *self.OPTIONS, "--theta", 0.5)["corollary"]["d"]
        self.assertAlmostEqual(half, 2 * one, places=9)

    def test_forms(self):
        rows = rows_of(self.succeed("bounds", *self.OPTIONS, "--csv", "--checkpoint", SHIPPED_HEAD))
        self.assertEqual([row["n"] for row in rows], ["16", "1024"])
        self.assertIn("sharp lower", self.succeed("bounds", *self.OPTIONS))

    def test_what_a_table_shows_is_not_called_hidden(self):
        options = (*self.OPTIONS, "--theta", 0.02)  # weights far below what a plot shows
        text = self.succeed("bounds", *options)
        self.assertIn("every weight lies within the bounds", text)
        self.assertNotIn("ot shown", text)
        told = self.succeed_json("bounds", *options)
        self.assertLess(told["rows"][1]["smallest_weight"], 1e-40)
        self.assertIn("every weight lies within the bounds", told["sentences"][0])
        self.assertNotIn("ot shown", told["sentences"][0])

    def test_wrong_usage(self):
        self.fail_with(2, "bounds", *self.OPTIONS, "--rho-a", 0.1, words=("--rho-a", "above"))
        self.fail_with(2, "bounds", *self.OPTIONS, "--class-b", 0, words=("classes", "0 to 9"))
        self.fail_with(2, "bounds", "--theta", 0, words=("--theta",))


class Streaming(CommandLineTest):
    def test_right_and_as_printed(self):
        result = self.succeed_json("streaming", "--sizes", "1,300,131072")
        for row in result["rows"]:
            self.assertAlmostEqual(row["blocks_double"], row["exact"], places=11)
            self.assertAlmostEqual(row["blocks_float"], row["exact"], places=4)
            self.assertAlmostEqual(row["with_sign_slip"], -row["exact"], places=9)
        self.assertEqual(result["rows"][0]["exact"], 0)
        self.assertGreater(abs(result["rows"][1]["with_maximum_slip"] -
                               result["rows"][1]["exact"]), 1e-3)

    def test_equal_logits(self):
        row = self.succeed_json("streaming", "--sizes", 1000, "--scale", 0)["rows"][0]
        self.assertAlmostEqual(row["exact"], math.log(1000), places=12)

    def test_of_a_head_and_forms(self):
        result = self.succeed_json("streaming", "--logits", "head", "--sizes", "16,64")
        self.assertEqual(result["logits"], "head")
        self.assertIn("run_hash", result)
        self.assertEqual(len(rows_of(self.succeed("streaming", "--sizes", "16,64", "--csv"))), 2)
        self.assertIn("printed sign", self.succeed("streaming", "--sizes", 16))
        self.fail_with(2, "streaming", "--block", 0, words=("--block",))


class StreamingAttention(CommandLineTest):
    """`streaming --part attention`: the attention itself, over random sequences."""

    def test_on_the_cpu(self):
        result = self.succeed_json("streaming", "--part", "attention", "--lengths", "1,100,300",
                                   "--heads", 2, "--causal")
        rows = result["attention"]
        self.assertTrue(result["backend"].startswith("CPU"))
        self.assertEqual([row["n"] for row in rows], [1, 100, 300])
        self.assertEqual(rows[0]["entropy"], 0)
        for row in rows:
            self.assertEqual(row["numbers"], "fp32")
            self.assertEqual(row["bytes"], 2 * row["n"] * (4 * 64 * 4 + 16))
            self.assertEqual(row["checked_rows"], min(64, 2 * row["n"]))
            self.assertLess(row["out_error"], 1e-4)
        self.assertEqual(result["sentences"], ["off by: the largest in up to 64 rows of every "
                                               "length, against the same row in double."])

    def test_numbers_map_and_forms(self):
        options = ("streaming", "--part", "attention", "--lengths", "100", "--numbers", "bf16")
        (row,) = self.succeed_json(*options, "--transform", "softmax", "--channels", 128)["attention"]
        self.assertEqual((row["numbers"], row["beta"], row["sharpened"]), ("bf16", 1, 0))
        self.assertGreater(row["out_error"], 1e-5)
        (line,) = rows_of(self.succeed(*options, "--csv"))
        self.assertEqual(line["n"], "100")
        self.assertIn("output off by", self.succeed(*options))

    def test_results_do_not_depend_on_the_threads(self):
        def results(threads):
            rows = self.succeed_json("streaming", "--part", "attention", "--lengths", "200",
                                     "--threads", threads)["attention"]
            return [{key: value for key, value in row.items() if key != "seconds"}
                    for row in rows]

        self.assertEqual(results(1), results(3))

    def test_times_say_on_how_many_threads_and_nothing_else_does(self):
        options = ("streaming", "--part", "attention", "--lengths", "64", "--threads")
        self.assertEqual(self.succeed_json(*options, 1)["timed_on"], "CPU, 1 thread")
        self.assertEqual(self.succeed_json(*options, 2)["timed_on"], "CPU, 2 threads")
        self.assertEqual(self.succeed(*options, 2).splitlines()[0], "CPU, 2 threads")
        for form in ((), ("--json",), ("--csv",)):
            one, two = (self.succeed(*options, threads, "--untimed", *form) for threads in (1, 2))
            self.assertEqual(one, two)
            self.assertNotIn("thread", one)
        self.assertNotIn("timed_on", self.succeed_json("streaming", "--part", "entropy", "--sizes", 16))

    def test_no_time_is_told_that_was_not_taken(self):
        options = ("streaming", "--part", "attention", "--lengths", "64", "--untimed")
        self.assertIsNone(self.succeed_json(*options)["attention"][0]["seconds"])
        self.assertEqual(rows_of(self.succeed(*options, "--csv"))[0]["seconds"], "")
        self.assertEqual(self.succeed(*options).splitlines()[2].split()[:3], ["64", "fp32", "-"])

    def test_only_longer_ones_than_a_slow_length_are_not_begun(self):
        rows = self.succeed_json("streaming", "--part", "attention", "--lengths", "128,256,64",
                                 "--stop-after", 1e-9)["attention"]
        self.assertEqual([row["n"] for row in rows], [128, 64])

    def test_says_why_a_device_cannot_be_used(self):
        info = self.succeed_json("info")
        if info["gpu"] is None:
            self.fail_with(1, "streaming", "--part", "attention", "--backend", "cuda",
                           words=("--backend cuda", info["gpu_reason"]))
            on_any = self.succeed_json("streaming", "--part", "attention", "--backend", "auto",
                                       "--lengths", 10)
            self.assertTrue(on_any["backend"].startswith("CPU"))
        self.fail_with(1, "streaming", "--part", "attention", "--backend", "cuda:1023",
                       words=("--backend cuda:1023",))

    def test_refuses_what_memory_cannot_hold(self):
        one_head = 16777216 * (4 * 256 + 4) * 4  # bytes of the longest one
        if os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") > one_head:
            self.skipTest("there is memory for it")
        self.fail_with(1, "streaming", "--part", "attention", "--lengths", "16,16777216",
                       "--channels", 256,
                       words=("n = 16777216 needs", "of what is free may be used, enough for n ="))

    def test_wrong_usage(self):
        attention = ("streaming", "--part", "attention")
        self.fail_with(2, *attention, "--backend", "tpu", words=("tpu", "cuda:K"))
        self.fail_with(2, *attention, "--channels", 96, words=("--channels",))
        self.fail_with(2, "streaming", "--heads", 2, words=("--heads", "--part attention or both"))
        self.fail_with(2, *attention, "--block", 2, words=("--block", "--part entropy or both"))


class Depth(CommandLineTest):
    OPTIONS = ("--sizes", "1024,65536", "--causal-sizes", "16,64")

    def rows_of_run(self, result, tokens, causal, residual):
        return [r for r in result["rows"]
                if (r["tokens"], r["causal"], r["residual"]) == (tokens, causal, residual)]

    def test_all_runs(self):
        result = self.succeed_json("depth", *self.OPTIONS)
        runs = {(r["tokens"], r["causal"], r["residual"]) for r in result["rows"]}
        self.assertEqual(len(runs), 14)
        self.assertEqual(len(result["rows"]), 14 * 2 * 4)  # sizes, layers
        few, many = [row["delta"] for row in self.rows_of_run(result, "first", False, False)
                     if row["layer"] == 2]
        ratio = few / many
        self.assertAlmostEqual(ratio, 64, delta=2)  # like 1/n, up to terms of order exp(delta)/n
        # The remark is about full attention without residual connections.
        self.assertEqual(sum("remark" in sentence for sentence in result["sentences"]), 1)
        half = self.rows_of_run(result, "half", False, False)[4]
        self.assertEqual((half["n"], half["layer"]), (65536, 1))
        self.assertLess(half["largest_weight"], 1e-3)
        self.assertGreater(half["from_average"], 0.01)

    def test_forms(self):
        rows = rows_of(self.succeed("depth", *self.OPTIONS, "--tokens", "last", "--csv"))
        self.assertEqual(len(rows), 2 * 2 * 4)  # residual, sizes, layers
        self.assertIn("GPT-style", self.succeed("depth", *self.OPTIONS, "--tokens", "last"))

    def test_wrong_usage(self):
        self.fail_with(2, "depth", "--tokens", "none", words=("--tokens",))
        self.fail_with(2, "depth", "--causal-sizes", 8192, words=("--causal-sizes", "4096"))

    def test_what_a_view_shows_is_one_of_the_runs(self):
        options = ("--tokens", "half", "--attention", "full", "--residual", "without")
        result = self.succeed_json("depth", *self.OPTIONS, *options)
        everything = self.succeed_json("depth", *self.OPTIONS)
        self.assertEqual(result["rows"], self.rows_of_run(everything, "half", False, False))


if __name__ == "__main__":
    unittest.main()
