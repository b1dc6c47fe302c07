"""A training run that saves at every step is killed again and again, at random moments and mostly while it
writes a file. Whatever is on the disk then is whole, the next run goes on from it and removes what the
killed one left, and in the end the run is the same as one that was never killed.

DISPERSION_FUZZ_SECONDS and DISPERSION_FUZZ_SEED are those of fuzz_test.cpp; this takes five times as long."""

import csv
import os
import pathlib
import random
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from support import PATIENCE_SECONDS, CommandLineTest, read_safetensors

SECONDS = 5 * float(os.environ.get("DISPERSION_FUZZ_SECONDS", "1"))
SEED = int(os.environ.get("DISPERSION_FUZZ_SEED", "1"))
FEWEST_KILLS = 5
NEVER = 4_000_000_000  # a step that is not reached
KEPT = {"seed1.safetensors", "seed1.history.csv"}


class Killed(CommandLineTest):
    def names(self):
        run = self.folder / "run"
        return set(os.listdir(run)) if run.exists() else set()

    def stamp(self):
        """Changes whenever the head is saved."""
        try:
            found = os.stat(self.folder / "run/seed1.safetensors")
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    def start_run(self):
        source = ("--resume", "run") if self.stamp() else ("--out", "run")
        return self.start(
            "train", *source, "--steps", NEVER, "--checkpoint-every", 1, "--threads", 1
        )

    def wait_until(self, happened, process):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not happened():
            if process.poll() is not None:
                self.fail(f"ended by itself: {self.finish(process)}")
            self.assertLess(time.monotonic(), deadline, "nothing was written")

    def kill_once(self, choose):
        """Returns the number of the process, and whether it had saved something."""
        before = self.stamp()
        process = self.start_run()
        own = f"-{process.pid}-"
        if choose.random() < 0.8:
            for _ in range(choose.randrange(8)):
                saved = self.stamp()
                self.wait_until(lambda: self.stamp() != saved, process)
            self.wait_until(lambda: any(own in name for name in self.names()), process)
            time.sleep(choose.uniform(0, 0.002))  # it is writing now
        else:
            time.sleep(choose.uniform(0, 1))
        process.kill()
        self.finish(process)
        return own, self.stamp() != before

    def check_files(self, own, saved):
        """Only files that are whole, and of those that are not only what this process was writing."""
        left = {name for name in self.names() if name.endswith(".tmp")}
        self.assertEqual(self.names() - left - KEPT, set())
        if saved:
            self.assertEqual({name for name in left if own not in name}, set(), "nobody swept")
        return bool(left)

    def check_head(self):
        """Returns the step of the head."""
        head = self.folder / "run/seed1.safetensors"
        metadata, _ = read_safetensors(head)
        report = self.succeed_json("evaluate", "--checkpoint", head, "--sizes", 4, "--sets", 1)
        self.assertEqual(report["run_hash"], metadata["run_hash"])
        return int(metadata["step"])

    def check_history(self):
        self.assertIn("seed1.history.csv", self.names(), "rows up to the head's step are lost")
        with open(self.folder / "run/seed1.history.csv", newline="") as file:
            text = file.read()
        self.assertTrue(text.endswith("\n"))
        self.assertEqual(len({len(row) for row in csv.reader(text.splitlines())}), 1)

    def test_the_run_is_the_same_as_one_that_was_never_killed(self):
        choose = random.Random(SEED)
        kills = writing = step = 0
        end = time.monotonic() + SECONDS
        while kills < FEWEST_KILLS or time.monotonic() < end or not self.stamp():
            own, saved = self.kill_once(choose)
            kills += 1
            writing += self.check_files(own, saved)
            if self.stamp():
                step, before = self.check_head(), step
                self.assertGreaterEqual(step, before)
                self.check_history()
        print(f"\nfuzz: kills: {kills}, of these {writing} while a file was written, "
              f"up to step {step}, seed {SEED}", flush=True)
        self.assertGreater(writing, 0)
        self.succeed("train", "--resume", "run", "--steps", step + 3)
        self.succeed("train", "--steps", step + 3, "--out", "whole")
        self.assertEqual(self.names(), KEPT)
        for name in sorted(KEPT):
            self.assertEqual(self.bytes_of(f"run/{name}"), self.bytes_of(f"whole/{name}"), name)


if __name__ == "__main__":
    unittest.main()
