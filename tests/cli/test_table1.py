"""docs/table1.py: a small page from the first step on, and the statistics in it."""

import json
import math
import random
import subprocess
import sys
import unittest

from support import PATIENCE_SECONDS, PROGRAM, ROOT, CommandLineTest, clean_environment, read_safetensors

sys.path.insert(0, str(ROOT / "docs"))
import table1_figure  # noqa: E402
import table1_page  # noqa: E402
import table1_statistics as statistics  # noqa: E402
from table1_verdicts import Verdict, find_row  # noqa: E402

ARMS = ("default", "bf16", "default-in-bf16", "default-in-bf16-priorities", "bf16-priorities",
        "bf16-priorities-in-fp32", "bf16-in-fp32", "half-all", "full-all", "decoupled",
        "none", "spectral-20k", "direct-20k")


def stored_results():
    return [json.loads((ROOT / "docs" / "results" / f"{arm}.json").read_text()) for arm in ARMS]


class Script(CommandLineTest):
    def run_script(self, *words):
        return subprocess.run(
            [sys.executable, "-B", ROOT / "docs" / "table1.py", "--lab", PROGRAM, "--runs", "runs",
             "--results", "results", "--page", "page.md", *map(str, words)],
            cwd=self.folder, env=clean_environment(), stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=PATIENCE_SECONDS, check=False)

    def write_page(self, *words):
        result = self.run_script(*words)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        self.assertIn("wrote page.md", result.stdout)

    def small(self, arm, *more):
        self.write_page(arm, "--steps", 12, "--seeds", 2, "--sets", 20, *more)

    def refuse(self, code, *arguments, words):
        result = self.run_script(*arguments)
        self.assertEqual((result.returncode, result.stdout), (code, ""), result)
        self.assertTrue(result.stderr.startswith("table1.py: "), result)
        self.assertEqual(result.stderr.count("\n"), 1, result)
        for word in words:
            self.assertIn(word, result.stderr)

    def result(self, arm):
        return json.loads(self.bytes_of(f"results/{arm}.json"))

    def page(self):
        return self.bytes_of("page.md").decode()

    def test_from_training_to_the_page(self):
        self.small("none", "--heads", "heads")
        result = self.result("none")
        self.assertEqual(result["arm"], "none")
        self.assertEqual([head["seed"] for head in result["heads"]], [1, 2])
        self.assertEqual(result["heads"][0]["checkpoint"], "none/seed1.safetensors")
        self.assertEqual(result["heads"][0]["recipe"]["l2"], "none")
        page = self.page()
        for row in result["rows"]:
            if row["transform"] == "softmax":
                self.assertIn("%.1f ±" % (100 * row["mean"]), page)
        self.assertIn("**Nearest to the paper** is none (no L2)", page)
        # What a perfect argmax scores needs no heads: 12.9 % at 16,384 in bf16.
        self.assertIn("12.9", page)
        # The page alone, from what is stored.
        (self.folder / "page.md").unlink()
        self.write_page()
        self.assertEqual(self.page(), page)
        # Heads as they are shipped: weights only, with their histories.
        for seed in (1, 2):
            head = self.folder / "heads" / f"seed{seed}.safetensors"
            self.assertLess(head.stat().st_size, 500_000)
            history = head.with_name(f"seed{seed}.history.csv").read_text()
            self.assertEqual(len(history.splitlines()), 1 + len([0, 1, 2, 5, 10]))
            metadata, tensors = read_safetensors(head)
            trained, all_tensors = read_safetensors(self.folder / "runs" / "none" / head.name)
            self.assertEqual(metadata, trained)
            self.assertEqual(tensors, {name: tensor for name, tensor in all_tensors.items()
                                       if not name.startswith("adam.")})
            self.assertEqual(len(tensors), 20)

    def test_going_on_changes_nothing(self):
        self.small("half-all")
        whole = self.bytes_of("results/half-all.json")
        (self.folder / "results" / "half-all.json").unlink()
        (self.folder / "runs" / "half-all" / "seed2.safetensors").unlink()
        self.small("half-all")
        self.assertEqual(self.bytes_of("results/half-all.json"), whole)

    def test_a_run_that_was_stopped_goes_on(self):
        self.write_page("none", "--steps", 12, "--seeds", 2, "--sets", 20)
        whole = self.result("none")["heads"]
        (self.folder / "runs").rename(self.folder / "before")
        self.write_page("none", "--steps", 5, "--seeds", 2, "--sets", 20)
        self.write_page("none", "--steps", 12, "--seeds", 2, "--sets", 20)
        self.assertEqual(self.result("none")["heads"], whole)

    def test_heads_of_another_arm_in_another_precision(self):
        self.small("default")
        self.small("default-in-bf16-priorities", "--no-training")
        result = self.result("default-in-bf16-priorities")
        self.assertEqual(result["evaluation_precision"], "bf16-priorities")
        self.assertEqual(result["evaluation_path"], "spectral")
        self.assertIn("evaluated in bf16-priorities on the spectral path on 20 sets", self.page())
        self.assertEqual(result["heads"][0]["recipe"]["precision"], "fp32")

    def test_shipped_heads_need_no_training(self):
        self.write_page("default-in-bf16-priorities", "--no-training", "--seeds", 2, "--sets", 2)
        result = self.result("default-in-bf16-priorities")
        self.assertEqual([head["seed"] for head in result["heads"]], [1, 2])
        self.assertEqual(result["heads"][0]["step"], 100000)
        self.assertEqual(result["heads"][0]["checkpoint"], "shipped/seed1.safetensors")
        self.assertEqual(result["heads"][0]["run_hash"], "3fe5d013b6789b7a")
        self.assertFalse((self.folder / "runs" / "default" / "seed1.safetensors").exists())

    def test_heads_without_moments_can_be_evaluated(self):
        self.small("none", "--heads", "heads")
        whole = self.bytes_of("results/none.json")
        (self.folder / "runs" / "none").rename(self.folder / "before")
        (self.folder / "heads").rename(self.folder / "runs" / "none")
        self.small("none", "--no-training")
        self.assertEqual(self.bytes_of("results/none.json"), whole)
        self.small("none", "--no-training", "--heads", "again")
        for name in ("seed2.history.csv", "seed2.safetensors"):
            self.assertEqual(self.bytes_of("again/" + name), self.bytes_of("runs/none/" + name))

    def test_both_paths_side_by_side(self):
        self.small("spectral-20k")
        self.assertNotIn("Both paths", self.page())
        self.small("direct-20k")
        results = [self.result(f"{arm}-20k") for arm in ("spectral", "direct")]
        self.assertEqual([result["heads"][0]["recipe"]["path"] for result in results],
                         ["spectral", "direct"])
        page = self.page()
        section = page[page.index("Both paths"):page.index("All arms")]
        row = [result["rows"][0] for result in results]
        self.assertEqual(len(row[0]["seed_accuracies"]), 2)
        self.assertAlmostEqual(sum(row[0]["seed_accuracies"]) / 2, row[0]["mean"])
        # 12 steps in: the paths still agree on every set.
        self.assertIn("| 16 | softmax | %.1f |" % (100 * row[0]["mean"]), section)
        self.assertEqual(row[0]["mean"], row[1]["mean"])
        self.assertIn("| no difference |", section)
        self.assertIn("Of 33 cells, hard attention's among them, the interval of the difference holds 0 in 0, "
                      "and in 33 there is no difference at all", section)

    def test_the_paper_between_two_precisions(self):
        self.small("default")
        self.assertNotIn("between two arms", self.page())
        self.small("bf16")
        # Untrained heads are right on a tenth of the sets in either precision.
        self.assertRegex(self.page(), r"In \d+ of 22 cells the paper's")

    def test_rounded_priorities_and_the_figure(self):
        self.small("bf16-priorities")
        self.assertFalse((self.folder / "figures").exists())
        self.small("bf16-priorities-in-fp32")
        trained, exact = self.result("bf16-priorities"), self.result("bf16-priorities-in-fp32")
        for result, precision in ((trained, "bf16-priorities"), (exact, "fp32")):
            self.assertEqual(result["evaluation_precision"], precision)
            recipe = result["heads"][0]["recipe"]
            self.assertEqual((recipe["precision"], recipe["path"]), ("bf16-priorities", "spectral"))
        self.assertEqual(trained["heads"], exact["heads"])
        self.small("default")
        self.assertIn("](figures/table1.png)", self.page())
        self.succeed("figure", "--from", "figures/table1.png", "-o", "figure.json")
        results = [self.result(arm) for arm in ("default", "bf16-priorities", "bf16-priorities-in-fp32")]
        self.assertEqual(json.loads(self.bytes_of("figure.json"))["plots"],
                         json.loads(table1_figure.figure_json(results))["plots"])

    def test_a_trial_does_not_replace_a_better_table(self):
        self.small("none")
        better = self.bytes_of("results/none.json")
        for fewer in (("--seeds", 1, "--sets", 20), ("--seeds", 2, "--sets", 19)):
            self.refuse(2, "none", "--steps", 12, *fewer, words=["none.json", "--force"])
            self.assertEqual(self.bytes_of("results/none.json"), better)
        self.write_page("none", "--steps", 12, "--seeds", 2, "--sets", 10, "--force")
        self.assertEqual(self.result("none")["sets_per_seed"], 10)

    def test_mistakes(self):
        self.refuse(2, "nonsense", words=["nonsense", "half-all"])
        self.refuse(2, "none", "half-all", "--heads", "heads", words=["--heads"])
        self.refuse(2, "none", "--steps", "few", words=["--steps", "few", "whole number"])
        self.refuse(1, "none", "--no-training", "--steps", 5, words=["no head in"])
        (self.folder / "results").mkdir(exist_ok=True)
        self.refuse(1, words=["results holds no tables", "--results"])
        (self.folder / "results" / "none.json").write_text("{}")
        self.refuse(1, words=["none.json"])
        self.assertFalse((self.folder / "page.md").exists())

    def test_heads_of_another_recipe_are_refused(self):
        self.succeed("train", "--steps", 2, "--out", "runs/none")
        self.refuse(1, "none", "--steps", 12, words=["seed1.safetensors", "another recipe", "none"])


class Page(CommandLineTest):
    def test_the_page_in_docs_is_of_the_stored_tables(self):
        page = (ROOT / "docs" / "table1.md").read_text(encoding="utf-8")
        self.assertEqual(table1_page.page(stored_results()), page)

    def test_the_page_on_science_says_what_the_tables_say(self):
        science = (ROOT / "docs" / "science.md").read_text(encoding="utf-8")
        verdicts = [Verdict(result) for result in stored_results()]
        self.assertIn("no arm explains the difference", science)
        self.assertFalse([verdict.result["arm"] for verdict in verdicts if verdict.explains])
        self.assertIn("Nearest on the\nmean are our fp32 heads with nothing but the priorities rounded", science)
        ten_seeds = [verdict for verdict in verdicts if verdict.seeds == 10]
        nearest = min(ten_seeds, key=lambda verdict: verdict.distance)
        self.assertEqual(nearest.result["arm"], "default-in-bf16-priorities")
        self.assertIn("without the paper's gains\nof adaptive temperature at the largest sizes", science)
        for gain in nearest.gains[-4:]:
            self.assertLess(gain.ours[2], gain.paper - 0.001)

    def test_the_figure_in_docs_is_of_the_stored_tables(self):
        self.succeed("figure", "--from", ROOT / "docs" / "figures" / "table1.png", "-o", "figure.json")
        self.assertEqual(json.loads(self.bytes_of("figure.json"))["plots"],
                         json.loads(table1_figure.figure_json(stored_results()))["plots"])


class PairedT(unittest.TestCase):
    def test_agrees_with_the_program(self):
        compared = 0
        for result in stored_results():
            for row in result["rows"]:
                if row["p_value"] is None:
                    continue
                plain = find_row(result, row["n"], "softmax")
                mean, low, high, p = statistics.compare_pairs(row["seed_accuracies"],
                                                              plain["seed_accuracies"])
                for ours, programs in ((mean, row["difference"]), (low, row["difference_low"]),
                                       (high, row["difference_high"]), (p, row["p_value"])):
                    self.assertTrue(math.isclose(ours, programs, rel_tol=1e-9, abs_tol=1e-15), row)
                compared += 1
        self.assertGreater(compared, 200)

    def test_what_cannot_be_answered(self):
        self.assertEqual(statistics.compare_pairs([1], [2]), "needs two seeds")
        self.assertEqual(statistics.compare_pairs([1, 2], [1, 2]), "no difference")
        self.assertEqual(statistics.compare_pairs([0.3, 0.5], [0.1, 0.3]), "equal differences")


def counted(digits, items, count, seed=1):
    """How often the commonest class among the items with the largest rounded priority is right: mean and
    standard error over drawn sets."""
    draw = random.Random(seed)
    shares = []
    for _ in range(count):
        values = [statistics.rounded(draw.getrandbits(24), digits) for _ in range(items)]
        largest = max(values)
        classes = [draw.randrange(statistics.CLASSES) for value in values if value == largest]
        shares.append(max(map(classes.count, classes)) / len(classes))
    mean = sum(shares) / count
    return mean, math.sqrt(sum((share - mean) ** 2 for share in shares)) / count


class Rounding(CommandLineTest):
    def test_a_perfect_argmax_agrees_with_the_program(self):
        sizes = (16, 128, 1024)
        report = self.succeed_json("precision", "--sets", 1, "--sizes", ",".join(map(str, sizes)))
        compared = 0
        for row in report["rows"]:
            digits = {"bf16": statistics.BF16_DIGITS, "fp16": statistics.FP16_DIGITS}.get(row["precision"])
            if digits is None:
                continue
            self.assertAlmostEqual(statistics.perfect_argmax_accuracy(digits, row["n"]),
                                   row["perfect_argmax"], 9)
            compared += 1
        self.assertEqual(compared, 2 * len(sizes))

    def test_the_best_agrees_with_counting_and_is_no_less_than_an_argmax(self):
        for digits in (statistics.BF16_DIGITS, statistics.FP16_DIGITS):
            for items in (1, 2, 16, 128, 1024, 8192):
                with self.subTest(digits=digits, items=items):
                    mean, error = counted(digits, items, min(5000, 400_000 // items))
                    best = statistics.best_rounded_accuracy(digits, items)
                    self.assertAlmostEqual(best, mean, delta=4 * error + 1e-3)
                    self.assertGreaterEqual(best, statistics.perfect_argmax_accuracy(digits, items) - 1e-12)

    def test_two_items_by_hand(self):
        # Of two tied items either class is as good: an argmax can do no worse.
        self.assertAlmostEqual(statistics.best_rounded_accuracy(8, 2),
                               statistics.perfect_argmax_accuracy(8, 2), 12)


if __name__ == "__main__":
    unittest.main()
