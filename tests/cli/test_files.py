"""Folders that cannot be written and files that must not be lost."""

import csv
import io
import json
import os
import resource
import shutil
import signal
import time
import unicodedata
import unittest

from support import (
    PATIENCE_SECONDS,
    ROOT,
    SHIPPED_HEAD,
    CommandLineTest,
    clean_environment,
    read_safetensors,
    write_safetensors,
)

NOBODY = 65534


def limit_file_size(size):
    """To run in the child: files beyond it cannot be written, like on a full disk."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return limit


class NothingIsLost(CommandLineTest):
    def assert_refused(self, *arguments, words):
        before = self.files()
        self.fail_with(1, "train", *arguments, words=words)
        self.assertEqual(self.files(), before)

    def test_another_recipe(self):
        self.succeed("train", "--steps", 5, "--out", "run")
        self.assert_refused(
            "--steps", 5, "--l2", "none", "--out", "run",
            words=["run/seed1.safetensors", "another run", "--out"],
        )

    def test_another_seed_under_this_name(self):
        self.succeed("train", "--seed", 2, "--steps", 5, "--out", "run")
        os.rename(self.folder / "run/seed2.safetensors", self.folder / "run/seed1.safetensors")
        self.assert_refused("--steps", 5, "--out", "run", words=["another run", "seed 2"])

    def test_a_later_step(self):
        self.succeed("train", "--steps", 9, "--out", "run")
        self.assert_refused("--steps", 5, "--out", "run", words=["step 9", "--resume"])
        self.assert_refused("--steps", 5, "--resume", "run", words=["step 9"])

    def test_something_else_under_this_name(self):
        (self.folder / "run").mkdir()
        (self.folder / "run/seed1.safetensors").write_text("my diary")
        self.assert_refused("--steps", 5, "--out", "run", words=["seed1.safetensors", "--out"])

    def test_an_earlier_step_of_the_same_run_is_replaced(self):
        self.succeed("train", "--steps", 5, "--out", "run")
        self.succeed("train", "--steps", 9, "--out", "run")
        metadata, _ = read_safetensors(self.folder / "run/seed1.safetensors")
        self.assertEqual(metadata["step"], "9")

    def test_weights_only_cannot_be_resumed(self):
        self.succeed("train", "--steps", 5, "--out", "run")
        metadata, tensors = read_safetensors(self.folder / "run/seed1.safetensors")
        bare = {name: value for name, value in tensors.items() if not name.startswith("adam.")}
        write_safetensors(self.folder / "bare.safetensors", metadata, bare)
        self.assert_refused(
            "--resume", "bare.safetensors", "--steps", 9, words=["bare.safetensors", "moments"]
        )

    def test_an_empty_folder_cannot_be_resumed(self):
        (self.folder / "empty").mkdir()
        self.assert_refused("--resume", "empty", "--steps", 9, words=["empty"])


def unseen_in(text):
    """Control characters and others without a shape, apart from the ends of lines."""
    return {c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs")}


class Names(CommandLineTest):
    def test_any_name_will_do(self):
        for name in ("with space", "ü", "模型", "🐨", "-dash", "x" * 200):
            with self.subTest(name):
                out = f"--out={name}/run"
                report = self.succeed_json("train", "--steps", 2, out)
                file = report["files"][0]["file"]
                self.assertEqual(file, f"{name}/run/seed1.safetensors")
                self.succeed("evaluate", f"--checkpoint={file}", "--sizes", 4, "--sets", 1)


    def test_names_that_are_no_text_are_shown_as_escapes(self):
        for name, shown in ((b"a\xff.safetensors", r"a\xff.safetensors"),
                            (b"a\x1b[2J.safetensors", r"a\x1b[2J.safetensors"),
                            ("a\u202eb.safetensors".encode(), r"a\u202eb.safetensors")):
            with self.subTest(shown):
                head = os.fsencode(self.folder) + b"/" + name
                shutil.copy(SHIPPED_HEAD, head)
                few = ("--checkpoint", os.fsdecode(head), "--sets", 16)
                for command in (("bounds",), ("spread",), ("spread", "--csv")):
                    text = self.succeed(*command, *few)
                    self.assertIn(shown, text)
                    self.assertEqual(unseen_in(text), set())
                self.assertEqual(unseen_in(self.succeed("bounds", *few, "--json")), set())
                self.succeed("figure", "bounds", *few, "-o", "a.csv", "--force")
                self.assertIn(shown, self.bytes_of("a.csv").decode())
                out = os.fsdecode(name.replace(b"safetensors", b"svg"))
                printed = self.succeed("figure", "--from", "a.csv", "-o", out)
                self.assertEqual(printed, shown.replace("safetensors", "svg") + "\n")
                self.assertIn(name.replace(b"safetensors", b"svg"),
                              os.listdir(os.fsencode(self.folder)))
                self.fail_with(1, "evaluate", "--checkpoint", os.fsdecode(head) + "x",
                               words=[shown + "x"])


class SavedBySpreadsheets(CommandLineTest):
    def test_a_history(self):
        good = (ROOT / "assets/heads/seed3.history.csv").read_bytes()
        mark = b"\xef\xbb\xbf"
        for name, data in (("mark", mark + good), ("crlf", good.replace(b"\n", b"\r\n")),
                           ("no end", good.rstrip(b"\n")),
                           ("wider", good.replace(b"\n", b",,\r\n"))):
            with self.subTest(name):
                (self.folder / "a.history.csv").write_bytes(data)
                self.succeed("figure", "training", "--history", "a.history.csv", "-o", name + ".csv")
        self.assertEqual(self.bytes_of("mark.csv"), self.bytes_of("crlf.csv"))
        self.assertEqual(self.bytes_of("mark.csv"), self.bytes_of("no end.csv"))
        self.assertEqual(self.bytes_of("mark.csv"), self.bytes_of("wider.csv"))

    def test_a_foreign_line_shows_what_cannot_be_seen(self):
        (self.folder / "a.csv").write_bytes("seed\ufeff,step\n".encode())
        self.fail_with(1, "figure", "training", "--history", "a.csv", "-o", "a.svg",
                       words=[r"line 1: is 'seed\ufeff,step'"])

    def test_figures(self):
        for ending in ("csv", "json", "svg"):
            with self.subTest(ending):
                self.succeed("figure", "fit", "-o", "a." + ending)
                saved = b"\xef\xbb\xbf" + self.bytes_of("a." + ending).replace(b"\n", b"\r\n")
                (self.folder / "b").write_bytes(saved)
                self.succeed("figure", "--from", "b", "-o", "again." + ending)
                self.assertEqual(self.bytes_of("again." + ending), self.bytes_of("a." + ending))

    def test_a_figure_that_became_as_wide_as_its_table(self):
        self.succeed("figure", "bounds", "-o", "a.csv", "--sets", 8)
        rows = list(csv.reader(io.StringIO(self.bytes_of("a.csv").decode())))
        width = max(map(len, rows))
        with open(self.folder / "b.csv", "w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows(row + [""] * (width - len(row)) for row in rows)
        self.assertIn(b'"# recipe: {""l2""', self.bytes_of("b.csv"))
        self.assertIn(b",,,,\r\n", self.bytes_of("b.csv"))
        self.succeed("figure", "--from", "b.csv", "-o", "again.csv")
        self.assertEqual(self.bytes_of("again.csv"), self.bytes_of("a.csv"))


class CannotBeWritten(CommandLineTest):
    def test_a_folder_below_a_file(self):
        (self.folder / "file").write_text("text")
        self.fail_with(1, "train", "--steps", 5, "--out", "file/run", words=["file/run"])
        self.fail_with(1, "headless", "--seconds", 1, "--out", "file/run", words=["file/run"])
        self.assertEqual(self.files(), {"file": b"text"})

    def test_a_read_only_folder(self):
        self.succeed("train", "--steps", 5, "--out", "run")
        os.chmod(self.folder, 0o755)
        os.chmod(self.folder / "run", 0o555)
        self.addCleanup(os.chmod, self.folder / "run", 0o755)
        before = self.files()
        # Root may write anywhere.
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        for arguments in (
            ("train", "--steps", 9, "--out", "run"),
            ("train", "--steps", 9, "--resume", "run"),
            ("headless", "--seconds", 1, "--out", "run"),
        ):
            self.fail_with(1, *arguments, words=["run", "Permission denied"], **who)
        self.assertEqual(self.files(), before)

    def test_a_full_disk_is_found_before_training(self):
        self.succeed("train", "--steps", 5, "--out", "run")
        before = self.files()
        self.fail_with(
            1, "train", "--steps", 4_000_000_000, "--resume", "run",
            words=["run: cannot take a checkpoint", "too large"], preexec_fn=limit_file_size(100_000),
        )
        self.assertEqual(self.files(), before)

    def test_a_disk_that_fills_up_while_training(self):
        process = self.start(
            "train", "--steps", 4_000_000_000, "--checkpoint-every", 10, "--out", "run"
        )
        file = self.folder / "run" / "seed1.safetensors"
        self.wait_for_file(file, process)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        # It goes on training, and saves again once it can.
        warning = process.stderr.readline().decode()
        self.assertIn("run/seed1.safetensors", warning)
        self.assertIn("too large; training goes on, and the next save tries again", warning)
        self.assertIsNone(process.poll())
        step = int(read_safetensors(file)[0]["step"])
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while int(read_safetensors(file)[0]["step"]) == step:
            self.assertLess(time.monotonic(), deadline, "nothing is saved again")
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.returncode, 143, result)
        self.assert_one_line(result, "interrupted and saved")
        self.assertEqual(list(self.files()), ["run/seed1.history.csv", "run/seed1.safetensors"],
                         "no scraps are left")
        step = int(read_safetensors(file)[0]["step"])
        self.succeed("train", "--resume", "run", "--steps", step + 5)

    def test_what_cannot_be_saved_at_the_end_goes_to_the_state_folder(self):
        environment = clean_environment(XDG_STATE_HOME=str(self.folder / "state"))
        process = self.start(
            "train", "--steps", 4_000_000_000, "--checkpoint-every", 10, "--out", "run",
            environment=environment,
        )
        self.wait_for_file(self.folder / "run" / "seed1.safetensors", process)
        os.rename(self.folder / "run", self.folder / "away")
        self.assertIn(b"No such file or directory", process.stderr.readline())
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.returncode, 1, result)
        (kept,) = (self.folder / "state/dispersion-lab/runs").glob("*.safetensors")
        self.assertIn("run/seed1.history.csv: ", result.stderr)
        self.assertIn(f"is kept in {kept}", result.stderr)
        step = int(read_safetensors(kept)[0]["step"])
        self.assertGreater(step, int(read_safetensors(self.folder / "away/seed1.safetensors")[0]["step"]))
        self.succeed("train", "--resume", kept, "--steps", step + 5, "--out", "run")


class TwoTrainings(CommandLineTest):
    """Trainings into one folder that do not know of each other."""

    def train(self, steps, *arguments):
        return self.start("train", "--steps", steps, "--out", "run", "--threads", 1, *arguments)

    def test_of_two_recipes_both_are_kept_and_one_fails(self):
        longer = self.train(4_000_000_000)
        self.wait_for_file(self.folder / "run", longer)
        self.assertEqual(self.finish(self.train(300, "--l2", "none")).returncode, 0)
        longer.send_signal(signal.SIGTERM)
        refused = self.finish(longer)
        self.assertEqual(refused.returncode, 1, refused)
        self.assertIn("dispersion_lab: run/seed1.safetensors holds another run (seed 1, step 300); it is kept, "
                      "and this run is saved in run/seed1-2.safetensors\n", refused.stderr)
        recipes = [json.loads(read_safetensors(self.folder / "run" / name)[0]["recipe"])["l2"]
                   for name in ("seed1.safetensors", "seed1-2.safetensors")]
        self.assertEqual(recipes, ["none", "half-kernels"])

    def test_a_foreign_file_that_appears_is_kept(self):
        process = self.train(4_000_000_000)
        self.wait_for_file(self.folder / "run", process)
        time.sleep(0.2)
        (self.folder / "run/seed1.safetensors").write_text("my notes")
        process.send_signal(signal.SIGTERM)
        result = self.finish(process)
        self.assertEqual(result.returncode, 1, result)
        self.assertIn("dispersion_lab: run/seed1.safetensors is there already and is no checkpoint of this "
                      "program; it is kept, and this run is saved in run/seed1-2.safetensors\n", result.stderr)
        self.assertEqual((self.folder / "run/seed1.safetensors").read_text(), "my notes")
        self.succeed("evaluate", "--checkpoint", "run/seed1-2.safetensors", "--sizes", 16, "--sets", 8)


class WhatComputed(CommandLineTest):
    def metadata(self, **environment):
        self.succeed("train", "--steps", 5, "--out", "run",
                     environment=clean_environment(**environment))
        metadata, _ = read_safetensors(self.folder / "run/seed1.safetensors")
        shutil.rmtree(self.folder / "run")
        return metadata

    def test_the_instruction_set_of_the_products_is_told_where_it_is_another(self):
        built_for = self.metadata()["instruction_set"].split(",")[0]
        usual, other = self.metadata(), self.metadata(ONEDNN_MAX_CPU_ISA="SSE41")
        if not self.succeed_json("info")["matrix_products"].startswith("oneDNN"):
            self.skipTest("built without oneDNN")
        self.assertEqual(other["instruction_set"], built_for + ", products by SSE4.1")
        self.assertEqual(other["backend"], "CPU, " + other["instruction_set"])
        self.assertNotEqual(other["run_hash"], usual["run_hash"], "the set would not matter")


if __name__ == "__main__":
    unittest.main()
