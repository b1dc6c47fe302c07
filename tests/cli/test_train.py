"""Training: the same numbers whatever runs beside them, and going on as if never stopped."""

import json
import os
import pty
import signal
import struct
import unittest

from support import CommandLineTest, read_safetensors, write_safetensors

ENDLESS = ("train", "--steps", 4_000_000_000, "--checkpoint-every", 10)


def step_of(path):
    return int(read_safetensors(path)[0]["step"])


class SameNumbers(CommandLineTest):
    def train(self, folder, *arguments):
        self.succeed("train", "--out", folder, *arguments)
        return self.bytes_of(folder + "/seed1.safetensors")

    def test_same_seed_same_bytes(self):
        first = self.train("a", "--steps", 12)
        self.assertEqual(first, self.train("b", "--steps", 12))
        self.assertNotEqual(first, self.train("c", "--steps", 13))

    def test_threads_change_nothing(self):
        one = self.train("1", "--steps", 12, "--threads", 1)
        self.assertEqual(one, self.train("2", "--steps", 12, "--threads", 2))
        self.assertEqual(one, self.train("3", "--steps", 12, "--threads", 3))

    def test_heads_beside_change_nothing(self):
        alone = self.train("alone", "--steps", 10)
        self.assertEqual(alone, self.train("three", "--steps", 10, "--seeds", 3))
        self.succeed("train", "--seed", 3, "--steps", 10, "--out", "third")
        self.assertEqual(
            self.bytes_of("three/seed3.safetensors"), self.bytes_of("third/seed3.safetensors")
        )
        self.assertNotEqual(
            self.bytes_of("three/seed3.safetensors"), self.bytes_of("three/seed1.safetensors")
        )

    def test_saving_on_the_way_changes_nothing(self):
        self.assertEqual(
            self.train("a", "--steps", 16, "--checkpoint-every", 7), self.train("b", "--steps", 16)
        )

    def test_every_field_of_the_recipe_counts(self):
        base = {"--steps": 3, "--out": "base"}
        changes = {
            "--l2": "half-all",
            "--l2-lambda": 0.01,
            "--learning-rate": 0.002,
            "--adam-beta1": 0.8,
            "--adam-beta2": 0.99,
            "--adam-epsilon": 1e-4,
            "--batch-sets": 64,
            "--smallest-set": 4,
            "--largest-set": 12,
        }
        hashes = set()
        for option, value in [("--out", "base"), *changes.items()]:
            arguments = {**base, "--out": "out" + option, option: value}
            flat = [part for pair in arguments.items() for part in pair]
            report = self.succeed_json("train", *flat)
            hashes.add(report["files"][0]["run_hash"])
            if option in changes:
                self.assertEqual(report["recipe"][option[2:].replace("-", "_")], value)
        self.assertEqual(len(hashes), 1 + len(changes))


class Report(CommandLineTest):
    def test_json(self):
        report = self.succeed_json("train", "--steps", 5, "--seeds", 2)
        self.assertEqual([f["file"] for f in report["files"]],
                         ["runs/default/seed1.safetensors", "runs/default/seed2.safetensors"])
        self.assertEqual([(f["seed"], f["step"]) for f in report["files"]], [(1, 5), (2, 5)])
        self.assertFalse(report["interrupted"])
        self.assertIsNone(report["non_finite_step"])
        self.assertIsNone(report["error"])
        self.assertEqual(report["recipe"]["l2"], "half-kernels")
        for key in ("version", "commit", "backend", "seconds", "steps_per_second"):
            self.assertIn(key, report)

    def test_text_names_files_and_hashes(self):
        text = self.succeed("train", "--steps", 5)
        metadata, _ = read_safetensors(self.folder / "runs/default/seed1.safetensors")
        self.assertIn("runs/default/seed1.safetensors", text)
        self.assertIn(metadata["run_hash"], text)

    def test_another_recipe_gets_another_folder(self):
        self.succeed("train", "--steps", 2)
        self.succeed("train", "--steps", 2, "--l2", "none")
        folders = sorted(path.name for path in (self.folder / "runs").iterdir())
        self.assertEqual(folders[0], "default")
        self.assertRegex(folders[1], r"^recipe-[0-9a-f]{8}$")

    def test_progress_is_shown_on_a_terminal_and_wiped_out(self):
        ours, theirs = pty.openpty()
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            process = self.start("train", "--steps", 200, stderr=theirs)
            os.close(theirs)
            shown = b""
            try:
                while chunk := terminal.read(4096):
                    shown += chunk
            except OSError:  # how Linux says that the other end was closed
                pass
            self.assertEqual(self.finish(process).returncode, 0)
        text = shown.decode()
        self.assertIn("of 200", text)
        self.assertIn("steps/s", text)
        self.assertTrue(text.endswith("\r\x1b[K"), repr(text[-40:]))


class Resume(CommandLineTest):
    def whole(self, steps, seeds=1):
        self.succeed("train", "--steps", steps, "--seeds", seeds, "--out", "whole")

    def assert_like_whole(self, folder, seed=1):
        name = f"seed{seed}.safetensors"
        self.assertEqual(self.bytes_of(folder + "/" + name), self.bytes_of("whole/" + name))

    def test_a_file(self):
        self.whole(16)
        self.succeed("train", "--steps", 6, "--out", "part")
        self.succeed("train", "--resume", "part/seed1.safetensors", "--steps", 16)
        self.assert_like_whole("part")

    def test_a_folder(self):
        self.whole(10, seeds=2)
        self.succeed("train", "--steps", 4, "--seeds", 2, "--out", "part")
        self.succeed("train", "--resume", "part", "--steps", 10)
        for seed in (1, 2):
            self.assert_like_whole("part", seed)

    def test_those_behind_catch_up(self):
        self.whole(12, seeds=3)
        for seed, steps in ((1, 2), (2, 7), (3, 12)):
            self.succeed("train", "--seed", seed, "--steps", steps, "--out", "part")
        self.succeed("train", "--resume", "part", "--steps", 12)
        for seed in (1, 2, 3):
            self.assert_like_whole("part", seed)

    def test_into_another_folder(self):
        self.whole(10)
        self.succeed("train", "--steps", 4, "--out", "part")
        before = self.bytes_of("part/seed1.safetensors")
        self.succeed("train", "--resume", "part", "--steps", 10, "--out", "on")
        self.assert_like_whole("on")
        self.assertEqual(self.bytes_of("part/seed1.safetensors"), before)

    def test_a_recipe_of_its_own_is_kept(self):
        own = ("--l2", "decoupled", "--largest-set", 9)
        self.succeed("train", "--steps", 10, "--out", "whole", *own)
        self.succeed("train", "--steps", 4, "--out", "part", *own)
        self.succeed("train", "--resume", "part", "--steps", 10)
        self.assert_like_whole("part")

    def test_a_precision_is_kept(self):
        self.succeed("train", "--steps", 8, "--out", "whole", "--precision", "bf16")
        metadata, _ = read_safetensors(self.folder / "whole/seed1.safetensors")
        self.assertEqual(json.loads(metadata["recipe"])["precision"], "bf16")
        self.succeed("train", "--steps", 3, "--out", "part", "--precision", "bf16")
        self.succeed("train", "--resume", "part", "--steps", 8)
        self.assert_like_whole("part")
        self.succeed("train", "--steps", 8, "--out", "exact")
        self.assertNotEqual(
            self.bytes_of("exact/seed1.safetensors"), self.bytes_of("whole/seed1.safetensors")
        )

    def test_only_rounded_products_need_the_direct_path(self):
        for precision, path in (("bf16-priorities", "spectral"), ("fp16", "direct")):
            self.succeed("train", "--steps", 2, "--out", precision, "--precision", precision)
            metadata, _ = read_safetensors(self.folder / precision / "seed1.safetensors")
            recipe = json.loads(metadata["recipe"])
            self.assertEqual((recipe["precision"], recipe["path"]), (precision, path))
        self.fail_with(2, "train", "--steps", 2, "--out", "none", "--precision", "fp16", "--path", "spectral",
                       words=("path must be direct with precision fp16",))

    def test_nothing_left_to_do(self):
        self.whole(10)
        before = self.files()
        self.succeed("train", "--resume", "whole", "--steps", 10)
        self.assertEqual(self.files(), before)


class Stopped(CommandLineTest):
    def stop(self, signal_number):
        process = self.start(*ENDLESS, "--out", "run")
        file = self.folder / "run" / "seed1.safetensors"
        self.wait_for_file(file, process)
        process.send_signal(signal_number)
        return self.finish(process), step_of(file)

    def assert_goes_on(self, step):
        self.succeed("train", "--resume", "run", "--steps", step + 5)
        self.succeed("train", "--steps", step + 5, "--out", "whole")
        self.assertEqual(
            self.bytes_of("run/seed1.safetensors"), self.bytes_of("whole/seed1.safetensors")
        )

    def test_ctrl_c_saves(self):
        result, step = self.stop(signal.SIGINT)
        self.assertEqual(result.returncode, 130)
        self.assert_one_line(result, "interrupted", "saved", "--resume")
        self.assertIn(f"step {step}", result.stdout)
        self.assert_goes_on(step)

    def test_sigterm_saves(self):
        result, step = self.stop(signal.SIGTERM)
        self.assertEqual(result.returncode, 143)
        self.assert_one_line(result, "saved")
        self.assert_goes_on(step)

    def test_an_ignored_signal_stays_ignored(self):
        process = self.start(
            "train", "--steps", 100, "--checkpoint-every", 10, "--out", "run",
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
        )
        self.wait_for_file(self.folder / "run" / "seed1.safetensors", process)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(self.finish(process).returncode, 0)

    def test_killed_it_goes_on_from_the_last_checkpoint(self):
        result, step = self.stop(signal.SIGKILL)
        self.assertEqual(result.returncode, -signal.SIGKILL)
        self.assertEqual(step % 10, 0)
        self.assert_goes_on(step)

    def test_a_loss_that_is_not_finite(self):
        result = self.run_lab("train", "--learning-rate", "1e6", "--steps", 50, "--out", "run")
        self.assertEqual(result.returncode, 1)
        self.assert_one_line(result, "not finite at step", "saved")
        file = self.folder / "run" / "seed1.safetensors"
        step = step_of(file)
        self.assertIn(f"at step {step + 1};", result.stderr)
        # The state that is kept is the very one before that step.
        self.succeed("train", "--learning-rate", "1e6", "--steps", step, "--out", "whole")
        self.assertEqual(file.read_bytes(), self.bytes_of("whole/seed1.safetensors"))

    def test_a_state_that_could_not_be_saved(self):
        # Adam's correction takes this moment out of the range of float in the first step, though the
        # loss and the gradient are finite.
        self.succeed("train", "--steps", 0, "--out", "run")
        file = self.folder / "run" / "seed1.safetensors"
        metadata, tensors = read_safetensors(file)
        name = "adam.m.readout_mlp.1.bias"
        dtype, shape, data = tensors[name]
        write_safetensors(file, metadata, {**tensors, name: (dtype, shape,
                                                            struct.pack("<f", 3e38) + data[4:])})
        for threads in (1, 2):
            out = f"out{threads}"
            result = self.run_lab("train", "--resume", "run", "--steps", 5, "--out", out,
                                  "--threads", threads)
            self.assertEqual(result.returncode, 1)
            self.assert_one_line(result, "seed 1", "not finite at step 1;", "saved")
            self.assertEqual(step_of(self.folder / out / "seed1.safetensors"), 0)


if __name__ == "__main__":
    unittest.main()
