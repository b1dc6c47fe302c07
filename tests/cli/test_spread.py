"""The spread of the logits over training: histories are written, go on, and are read back."""

import array
import csv
import io
import json
import unittest

from support import SHIPPED_HEAD, CommandLineTest, read_safetensors, write_safetensors

HISTORY = "runs/default/seed1.history.csv"


def steps_of(text):
    return [int(row["step"]) for row in csv.DictReader(io.StringIO(text))]


class HistoryFiles(CommandLineTest):
    def history(self, folder, *arguments, seed=1):
        self.succeed("train", "--out", folder, *arguments)
        return self.bytes_of(f"{folder}/seed{seed}.history.csv").decode()

    def test_steps(self):
        text = self.history("a", "--steps", 60)
        self.assertEqual(steps_of(text), [0, 1, 2, 5, 10, 20, 50])

    def test_same_history_after_a_stop(self):
        straight = self.history("straight", "--steps", 60)
        self.assertEqual(steps_of(self.history("stopped", "--steps", 12)), [0, 1, 2, 5, 10])
        self.succeed("train", "--resume", "stopped", "--steps", 60)
        self.assertEqual(self.bytes_of("stopped/seed1.history.csv").decode(), straight)
        self.assertEqual(
            self.bytes_of("stopped/seed1.safetensors"), self.bytes_of("straight/seed1.safetensors")
        )

    def test_resumed_elsewhere_it_goes_along(self):
        self.history("a", "--steps", 12)
        self.succeed("train", "--resume", "a", "--out", "b", "--steps", 22)
        self.assertEqual(
            steps_of(self.bytes_of("b/seed1.history.csv").decode()), [0, 1, 2, 5, 10, 20]
        )

    def test_rows_past_the_checkpoint_come_once(self):
        long = self.history("a", "--steps", 22)
        self.history("b", "--steps", 12)
        (self.folder / "b" / "seed1.history.csv").write_text(long)
        self.assertEqual(self.history_after_resume("b", 22), long)

    def history_after_resume(self, folder, steps):
        self.succeed("train", "--resume", folder, "--steps", steps)
        return self.bytes_of(folder + "/seed1.history.csv").decode()

    def test_heads_beside_and_threads_change_nothing(self):
        alone = self.history("alone", "--steps", 12, "--seed", 3, "--threads", 1, seed=3)
        self.assertEqual(
            self.history("three", "--steps", 12, "--seeds", 3, "--threads", 3, seed=3), alone
        )

    def test_foreign_history_is_kept(self):
        self.history("a", "--steps", 2)
        (self.folder / "a" / "seed2.history.csv").write_text("mine\n")
        self.fail_with(1, "train", "--out", "a", "--steps", 2, "--seed", 2,
                       words=("seed2.history.csv", "line 1", "expected"))
        self.assertEqual(self.bytes_of("a/seed2.history.csv"), b"mine\n")
        (self.folder / "a" / "seed2.history.csv").write_bytes(self.bytes_of("a/seed1.history.csv"))
        self.fail_with(1, "train", "--out", "a", "--steps", 2, "--seed", 2,
                       words=("seed2.history.csv", "history of seed 1"))


class Spread(CommandLineTest):
    def test_over_training(self):
        self.succeed("train", "--steps", 12, "--seeds", 2)
        files = [HISTORY, HISTORY.replace("seed1", "seed2")]
        result = self.succeed_json("spread", "--history", *files)
        self.assertEqual([row["step"] for row in result["mean"]], [0, 1, 2, 5, 10])
        for mean in result["mean"]:
            deltas = [row["delta"] for row in result["histories"] if row["step"] == mean["step"]]
            self.assertEqual(mean["seeds"], 2)
            self.assertAlmostEqual(mean["delta"], sum(deltas) / 2, places=12)
            self.assertEqual((mean["delta_low"], mean["delta_high"]), (min(deltas), max(deltas)))
            self.assertLess(mean["delta_high"], mean["bound_low"])
        self.assertIn("2 runs", result["sentences"][0])
        rows = list(csv.DictReader(io.StringIO(self.succeed("spread", "--csv", "--history", *files))))
        self.assertEqual(float(rows[4]["delta"]), result["mean"][4]["delta"])
        self.assertIn("bound mean", self.succeed("spread", "--history", *files))

    def test_measured_now_is_what_the_history_says(self):
        self.succeed("train", "--steps", 10)
        last = self.succeed_json("spread", "--history", HISTORY)["histories"][-1]
        now = self.succeed_json("spread", "--checkpoint", "runs/default/seed1.safetensors")
        for key in ("delta", "bound", "sigma_query", "kernel_norm", "largest_share"):
            self.assertEqual(now["measured"][0][key], last[key])
        self.assertEqual(now["histories"], [])

    def test_scale_and_biases(self):
        rows = self.succeed_json("spread", "--checkpoint", SHIPPED_HEAD)["measured"]
        self.assertEqual([(row["scaled"], row["biases"]) for row in rows],
                         [(False, False), (True, False), (False, True), (True, True)])
        plain, scaled, biased, both = rows
        self.assertAlmostEqual(both["delta"], biased["delta"] / 128**0.5, places=9)
        self.assertEqual(both["bound"], scaled["bound"])
        self.assertAlmostEqual(scaled["delta"], plain["delta"] / 128**0.5, places=9)
        self.assertAlmostEqual(scaled["bound"], plain["bound"] / 128**0.5, places=9)
        self.assertNotEqual(biased["delta"], plain["delta"])
        self.assertEqual(biased["bound"], plain["bound"])
        self.assertIn("need not hold",
                      self.succeed("spread", "--checkpoint", SHIPPED_HEAD))

    def test_sets_are_those_of_a_chosen_head(self):
        # Histories have sets of their own, so that other sets would be told but not used.
        for option in ("--sets", "--items", "--set-seed"):
            self.fail_with(2, "spread", option, 3,
                           words=(option, "--checkpoint or --seed"))
        self.succeed("train", "--steps", 2)
        self.fail_with(2, "spread", "--history", HISTORY, "--sets", 3, words=("--sets",))
        few = self.succeed_json("spread", "--seed", 1, "--sets", 3, "--items", 2)
        self.assertEqual((few["sets"], few["items"], few["histories"]), (3, 2, []))
        many = self.succeed_json("spread", "--seed", 1)
        self.assertNotEqual(few["measured"][0]["delta"], many["measured"][0]["delta"])

    def test_the_two_spreads_have_names_of_their_own(self):
        text = self.succeed("spread", "--seed", 1)
        for name in ("dot products Qy·Kx", "1/√width", "the head's logits"):
            self.assertIn(name, text)
        self.assertIn("logit spread", self.succeed("bounds", "--sizes", 16, "--sets", 1))

    def test_a_figure_names_the_head_that_it_measures(self):
        self.succeed("train", "--steps", 2)
        self.succeed("figure", "spread", "--history", HISTORY, "-o", "a.json")
        figure = json.loads((self.folder / "a.json").read_text())
        (table,) = figure["tables"]
        self.assertEqual(table["title"], "The measured head")
        self.assertIn("shipped", table["subtitle"])
        self.assertIn("of the measured head (shipped, seed 1, step", figure["sentence"])

    def test_digits_are_those_that_count(self):
        lines = self.succeed("spread", "--checkpoint", self.scaled_head(1e-20)).splitlines()
        self.assertRegex(lines[1], r"·10⁻¹⁷ +\S+·10⁻¹⁷ ")
        lines = self.succeed("spread", "--checkpoint", self.scaled_head(1e20)).splitlines()
        self.assertRegex(lines[1], r"·10²³ +\S+·10²³ ")

    def scaled_head(self, factor):
        """The shipped head with the kernel of its queries times `factor`."""
        _, tensors = read_safetensors(SHIPPED_HEAD)
        name = "attention.query.kernel"
        dtype, shape, data = tensors[name]
        values = array.array("f", data)
        tensors[name] = (dtype, shape, array.array("f", [factor * v for v in values]).tobytes())
        write_safetensors(self.folder / "scaled.safetensors", {}, tensors)
        return "scaled.safetensors"

    def test_wrong_usage(self):
        self.fail_with(2, "spread", "--seed", 1, "--sets", 65536, "--items", 65536,
                       words=("--sets", "--items"))
        self.fail_with(2, "spread", "--json", "--csv", words=("--json", "--csv"))
        self.fail_with(2, "spread", "--checkpoint", SHIPPED_HEAD, "--sets", 0, words=("--sets",))
        self.fail_with(1, "spread", "--history", "none.csv", words=("none.csv",))


if __name__ == "__main__":
    unittest.main()
