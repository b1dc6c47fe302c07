"""Figures of a run that is going on: from what train writes while it trains."""

import json
import shutil
import signal
import unittest

from support import CommandLineTest, ROOT, SHIPPED_HEAD

EVERY = 50  # steps


class FigureOfARunTest(CommandLineTest):
    def provenance_of(self, name, file="runs/seed3.safetensors"):
        out = self.folder / (name + ".json")
        few = ["--sets", "8"] if name == "bounds" else []
        self.succeed("figure", name, "-o", out, "--force", "--checkpoint", file, *few)
        return json.loads(out.read_text())["provenance"]

    def test_figures_of_a_run_that_is_going_on(self):
        process = self.start("train", "--seed", "3", "--steps", "1000000", "--out", "runs",
                             "--checkpoint-every", str(EVERY), "--threads", "1")
        self.wait_for_file(self.folder / "runs/seed3.safetensors", process)
        steps = []
        for name in ["dispersion", "bounds", "training", "spread"] * 3:
            told = self.provenance_of(name)
            self.assertEqual(told["seed"], "3")
            self.assertEqual(int(told["step"]) % EVERY, 0)
            self.assertEqual(told["head"], "seed3.safetensors")
            self.assertEqual("history_hashes" in told, name in ["training", "spread"])
            steps.append(int(told["step"]))
        self.assertIsNone(process.poll())
        self.assertEqual(steps, sorted(steps))
        self.assertGreater(steps[-1], steps[0])
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).returncode, 130)
        # What was saved on Ctrl-C can be made again from its file.
        self.provenance_of("training")
        self.succeed("figure", "--from", "training.json", "-o", "again.json", "--search", "runs")
        self.assertEqual(self.bytes_of("again.json"), self.bytes_of("training.json"))

    def test_training_curves_are_those_of_the_checkpoints_run(self):
        heads = ROOT / "assets" / "heads"
        for ending in ["safetensors", "history.csv"]:
            shutil.copy(heads / ("seed2." + ending), self.folder / ("mine." + ending))
        told = self.provenance_of("training", "mine.safetensors")
        self.assertEqual(told["seed"], "2")
        self.assertTrue(told["command"].startswith(
            "figure training --checkpoint mine.safetensors --history mine.history.csv"))
        figure = json.loads(self.bytes_of("training.json"))
        self.assertIn("one seed", figure["plots"][0]["subtitle"])
        told = self.provenance_of("dispersion", "mine.safetensors")
        self.assertNotIn("--history", told["command"])

    def test_refuses_what_has_no_history_or_no_head(self):
        shutil.copy(SHIPPED_HEAD, self.folder / "a.safetensors")
        self.fail_with(1, "figure", "training", "-o", "a.png", "--checkpoint", "a.safetensors",
                       words=["a.history.csv", "--history"])
        self.fail_with(2, "figure", "table", "-o", "a.png", "--checkpoint", "a.safetensors",
                       words=["--checkpoint", "table", "--heads"])
        self.assertEqual(list(self.files()), ["a.safetensors"])


if __name__ == "__main__":
    unittest.main()
