"""`study`: a small one from the first step to the page."""

import json
import unittest

from support import CommandLineTest


class Study(CommandLineTest):
    def study(self, *arguments):
        return self.succeed("study", *arguments, "--runs", "runs", "--results", "results", "--page",
                            "page.md")

    def small(self, arm, *more):
        return self.study(arm, "--steps", 12, "--seeds", 2, "--sets", 20, *more)

    def test_from_training_to_the_page(self):
        self.small("none", "--heads", "heads")
        result = json.loads((self.folder / "results" / "none.json").read_text())
        self.assertEqual(result["arm"], "none")
        self.assertEqual([head["seed"] for head in result["heads"]], [1, 2])
        self.assertEqual(result["heads"][0]["recipe"]["l2"], "none")
        page = (self.folder / "page.md").read_text()
        for row in result["rows"]:
            if row["map"] == "softmax":
                self.assertIn("%.1f ±" % (100 * row["mean"]), page)
        self.assertIn("**Nearest to the paper** of the arms below is none (no L2)", page)
        # What a perfect argmax scores needs no heads: 12.9 % at 16,384 in bf16.
        self.assertIn("12.9", page)
        # The page alone, from what is stored.
        (self.folder / "page.md").unlink()
        self.study()
        self.assertEqual((self.folder / "page.md").read_text(), page)
        # Heads as they are shipped: weights only, with their histories.
        for seed in (1, 2):
            head = self.folder / "heads" / f"seed{seed}.safetensors"
            self.assertLess(head.stat().st_size, 500_000)
            history = head.with_name(f"seed{seed}.history.csv").read_text()
            self.assertEqual(len(history.splitlines()), 1 + len([0, 1, 2, 5, 10]))

    def test_going_on_changes_nothing(self):
        self.small("half-all")
        whole = (self.folder / "results" / "half-all.json").read_bytes()
        (self.folder / "results" / "half-all.json").unlink()
        (self.folder / "runs" / "half-all" / "seed2.safetensors").unlink()
        self.small("half-all")
        self.assertEqual((self.folder / "results" / "half-all.json").read_bytes(), whole)

    def test_heads_of_another_arm_in_another_precision(self):
        self.small("default")
        self.small("default-in-bf16-priorities", "--no-training")
        result = json.loads(
            (self.folder / "results" / "default-in-bf16-priorities.json").read_text())
        self.assertEqual(result["evaluation_precision"], "bf16-priorities")
        self.assertEqual(result["heads"][0]["recipe"]["precision"], "fp32")

    def test_shipped_heads_need_no_training(self):
        self.study("default-in-bf16-priorities", "--no-training", "--seeds", 2, "--sets", 2)
        result = json.loads(
            (self.folder / "results" / "default-in-bf16-priorities.json").read_text())
        self.assertEqual([head["seed"] for head in result["heads"]], [1, 2])
        self.assertEqual(result["heads"][0]["step"], 100000)
        self.assertEqual(result["heads"][0]["checkpoint"], "shipped/seed1.safetensors")
        self.assertEqual(result["heads"][0]["run_hash"], "3fe5d013b6789b7a")
        self.assertFalse((self.folder / "runs" / "default" / "seed1.safetensors").exists())

    def test_heads_without_moments_can_be_evaluated(self):
        self.small("none", "--heads", "heads")
        whole = (self.folder / "results" / "none.json").read_bytes()
        (self.folder / "runs" / "none").rename(self.folder / "before")
        (self.folder / "heads").rename(self.folder / "runs" / "none")
        self.small("none", "--no-training")
        self.assertEqual((self.folder / "results" / "none.json").read_bytes(), whole)
        history = (self.folder / "runs" / "none" / "seed2.history.csv").read_bytes()
        self.small("none", "--no-training", "--heads", "again")
        self.assertEqual((self.folder / "again" / "seed2.history.csv").read_bytes(), history)

    def test_both_paths_side_by_side(self):
        self.small("spectral-20k")
        self.assertNotIn("Both paths", (self.folder / "page.md").read_text())
        self.small("direct-20k")
        results = [json.loads((self.folder / "results" / f"{arm}-20k.json").read_text())
                   for arm in ("spectral", "direct")]
        self.assertEqual([result["heads"][0]["recipe"]["path"] for result in results],
                         ["spectral", "direct"])
        page = (self.folder / "page.md").read_text()
        section = page[page.index("Both paths"):page.index("All arms")]
        row = [result["rows"][0] for result in results]
        self.assertEqual(len(row[0]["seed_accuracies"]), 2)
        self.assertAlmostEqual(sum(row[0]["seed_accuracies"]) / 2, row[0]["mean"])
        # 12 steps in: the paths still agree on every set.
        self.assertIn("| 16 | softmax | %.1f |" % (100 * row[0]["mean"]), section)
        self.assertEqual(row[0]["mean"], row[1]["mean"])
        self.assertIn("| no difference |", section)
        self.assertIn("In 33 of 33 cells", section)

    def test_the_paper_between_two_precisions(self):
        self.small("default")
        self.assertNotIn("between fp32 and bf16", (self.folder / "page.md").read_text())
        self.small("bf16")
        # Untrained heads are right on a tenth of the sets in either precision.
        self.assertRegex((self.folder / "page.md").read_text(), r"In \d+ of 22 cells the paper's")

    def test_a_trial_does_not_replace_a_better_table(self):
        where = ("--runs", "runs", "--results", "results", "--page", "page.md", "--steps", 12)
        self.small("none")
        stored = self.folder / "results" / "none.json"
        better = stored.read_bytes()
        for fewer in (("--seeds", 1, "--sets", 20), ("--seeds", 2, "--sets", 19)):
            self.fail_with(2, "study", "none", *where, *fewer, words=["none.json", "--force"])
            self.assertEqual(stored.read_bytes(), better)
        self.study("none", "--steps", 12, "--seeds", 2, "--sets", 10, "--force")
        self.assertEqual(json.loads(stored.read_text())["sets_per_seed"], 10)

    def test_mistakes(self):
        where = ("--runs", "runs", "--results", "results", "--page", "page.md")
        self.fail_with(2, "study", "nonsense", *where, words=["nonsense", "half-all"])
        self.fail_with(2, "study", "none", "half-all", "--heads", "heads", *where, words=["--heads"])
        self.fail_with(1, "study", "none", "--no-training", "--steps", 5, *where,
                       words=["no head in"])
        (self.folder / "results").mkdir(exist_ok=True)
        self.fail_with(1, "study", *where, words=["results holds no tables", "--results"])
        (self.folder / "results" / "none.json").write_text("{}")
        self.fail_with(1, "study", *where, words=["none.json"])
        self.assertFalse((self.folder / "page.md").exists())


if __name__ == "__main__":
    unittest.main()
