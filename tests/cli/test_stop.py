"""Ctrl-C: every command ends soon after the first signal, and at once with the second.

No time is compared, since machines are busy: what is interrupted would run for minutes to hours, and a
test that waits for it fails."""

import json
import pathlib
import re
import signal
import socket
import subprocess
import unittest

from support import CommandLineTest

LARGEST = str(1 << 24)
DIRECT = ("evaluate", "--sizes", "16," + LARGEST, "--sets", 100, "--path", "direct")


class Interrupted(CommandLineTest):
    def interrupt(self, *arguments, after=0.5, signals=(signal.SIGINT,)):
        """Sends the signals after so many seconds, and returns the result."""
        process = self.start(*arguments)
        self.interrupt_after(after, process, signals[0])
        for number in signals[1:]:
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                process.send_signal(number)
        return self.finish(process)

    def test_in_the_middle_of_a_set_it_keeps_the_sizes_before(self):
        result = self.interrupt(*DIRECT, "--json", after=2)
        self.assertEqual(result.returncode, 130, result)
        self.assert_one_line(result, "interrupted")
        if self.succeed_json("info")["sanitizers"] and not result.stdout:
            return  # a piece of work took longer than the command waits for, and it ended without it
        rows = json.loads(result.stdout)["rows"]
        self.assertEqual([(row["n"], row["sets"]) for row in rows], [(16, 100), (16, 100)])
        whole = self.succeed_json("evaluate", "--sizes", "16", "--sets", 100, "--path", "direct")
        self.assertEqual(rows, whole["rows"])

    def test_every_signal_and_every_thread(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for threads in (1, 3):
                result = self.interrupt(*DIRECT, "--threads", threads, after=0.2, signals=[number])
                self.assertEqual(result.returncode, 128 + number, result)

    def test_the_second_ends_it_at_once(self):
        # One step takes seconds, and only behind it a run can be saved.
        train = ("train", "--batch-sets", 256, "--smallest-set", 4096, "--largest-set", 4096,
                 "--path", "direct", "--steps", 100, "--threads", 1)
        for first in (signal.SIGINT, signal.SIGTERM):
            result = self.interrupt(*train, "--out", "run", after=1,
                                    signals=[first, signal.SIGINT])
            self.assertEqual(result.returncode, -signal.SIGINT, result)

    def test_every_command_on_the_largest_sets(self):
        of_sets = ("--sizes", LARGEST, "--sets", 100)
        for arguments in (
            ("evaluate", *of_sets, "--path", "spectral"),
            ("evaluate", *of_sets, "--precision", "bf16"),
            ("evaluate", *of_sets, "--transforms", "softmax,entmax-1.5,sparsemax,top-k:k=1000000",
             "--theta", 1000),
            ("table", *of_sets),
            ("precision", *of_sets),
            ("fit", *of_sets),
            ("surface", "--logits", "head", *of_sets),
            ("streaming", "--logits", "head", "--sizes", ",".join(str(int(LARGEST) - i) for i in range(20))),
            ("spread", "--seed", 1, "--sets", 16, "--items", 65536),
            ("depth", "--layers", 64, "--width", 512, "--sizes", 1 << 20),
            ("figure", "dispersion", "-o", "a.png", "--dpi", 2400),
            ("figure", "precision", "-o", "a.png", "--sets", 1_000_000),
            ("animate", "dispersion", "--largest", 131072, "--dpi", 600, "-o", "a.gif"),
            ("headless", "--sets", 1_000_000),
        ):
            with self.subTest(" ".join(map(str, arguments))):
                result = self.interrupt(*arguments)
                self.assertEqual(result.returncode, 130, result)
                self.assertIn("interrupted", result.stderr)
        self.assertEqual([name for name in self.files() if not name.startswith("runs/")], [])


class Killed(CommandLineTest):
    def test_the_next_run_removes_what_it_left(self):
        host = re.sub("[^0-9A-Za-z.]", "_", socket.gethostname())[:64]
        boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip().replace("-", "")
        gone = subprocess.Popen(["true"])
        gone.wait()
        (self.folder / "run").mkdir()
        for name in (f".dispersion-{host}-{boot}-{gone.pid}-0.tmp",
                     f".dispersion-{host}-another-{boot}-{gone.pid}-0.tmp"):
            (self.folder / "run" / name).write_text("half a head")
        self.succeed("train", "--steps", 5, "--out", "run")
        self.assertEqual([name for name in self.files() if name.endswith(".tmp")],
                         [f"run/.dispersion-{host}-another-{boot}-{gone.pid}-0.tmp"])


if __name__ == "__main__":
    unittest.main()
