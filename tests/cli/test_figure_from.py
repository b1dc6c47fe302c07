"""figure --from: a figure made again from what its file says of it."""

import json
import os
import re
import shutil
import struct
import subprocess
import unittest
import zlib

from support import CommandLineTest, ROOT, SHIPPED_HEAD, read_safetensors, write_safetensors
from figures import png_chunks, png_provenance

PICTURES = ["png", "svg", "pdf"]
NUMBERS = ["csv", "json", "tex", "md"]
LOOKS = ["--style", "poster", "--width", "400mm", "--theme", "dark", "--no-title"]
DRAWN = 'fill="#15191f"'  # the dark ground


def png_that_tells(data, provenance):
    """The same picture with another provenance."""
    head = b"Provenance\0\0\0\0\0"
    whole = data[:8]
    for kind, body in png_chunks(data):
        if body.startswith(b"Provenance\0"):
            body = head + json.dumps(provenance).encode()
        whole += struct.pack(">I", len(body)) + kind + body
        whole += struct.pack(">I", zlib.crc32(kind + body))
    return whole


class FigureFromTest(CommandLineTest):
    def make_own_head(self, name):
        """A head that is not inside the program: the shipped one with a bias changed."""
        metadata, tensors = read_safetensors(SHIPPED_HEAD)
        kind, shape, data = tensors["readout_mlp.1.bias"]
        tensors["readout_mlp.1.bias"] = (kind, shape, struct.pack("<f", 0.5) + data[4:])
        metadata.pop("run_hash")
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_safetensors(self.folder / name, metadata, tensors)

    def test_every_format_gives_every_format_again_bit_for_bit(self):
        for ending in PICTURES:
            self.succeed("figure", "bounds", "-o", "old." + ending, "--seed", "3", "--sets", "8",
                         *LOOKS)
        for ending in NUMBERS:  # they remember the look, and do not have it
            self.succeed("figure", "--from", "old.pdf", "-o", "old." + ending)
        for old in PICTURES + NUMBERS:
            for ending in [old, "csv", "svg"]:
                self.succeed("figure", "--from", "old." + old, "-o", "new." + ending, "--force")
                self.assertEqual(self.bytes_of("new." + ending), self.bytes_of("old." + ending))

    def test_the_command_in_a_file_of_numbers_is_one_that_makes_it(self):
        self.succeed("figure", "table", "-o", "old.pdf", "--style", "poster", "--theme", "dark",
                     "--rows", "main")
        self.succeed("figure", "--from", "old.pdf", "-o", "old.csv")
        told = dict(line[2:].split(": ", 1) for line in
                    self.bytes_of("old.csv").decode().splitlines() if line.startswith("# "))
        self.assertEqual(told["command"], "figure table --rows main")
        self.assertIn("--style poster", told["look"])
        self.succeed(*told["command"].split(), "-o", "direct.csv")
        numbers = [line for line in self.bytes_of("old.csv").splitlines(True)
                   if not line.startswith(b"# look: ")]
        self.assertEqual(b"".join(numbers), self.bytes_of("direct.csv"))

    def test_what_is_given_replaces_what_the_file_says(self):
        self.succeed("figure", "training", "-o", "old.svg", *LOOKS, "--transparent")
        self.succeed("figure", "training", "-o", "wanted.png", "--style", "poster", "--width",
                     "450mm", "--theme", "print", "--dpi", "99")
        self.succeed("figure", "--from", "old.svg", "-o", "new.png", "--width", "450mm", "--dpi",
                     "99", "--theme", "print", "--title", "--opaque")
        self.assertEqual(self.bytes_of("new.png"), self.bytes_of("wanted.png"))

    def test_the_file_may_be_replaced_by_what_is_made_from_it(self):
        self.succeed("figure", "training", "-o", "a.svg")
        self.fail_with(1, "figure", "--from", "a.svg", "-o", "a.svg", words=["a.svg", "--force"])
        self.succeed("figure", "--from", "a.svg", "-o", "a.svg", "--force", "--theme", "dark")
        self.assertIn(DRAWN, self.bytes_of("a.svg").decode())

    def test_the_head_is_found_by_its_hash_under_any_name(self):
        self.make_own_head("runs/it's my head.safetensors")
        self.succeed("figure", "dispersion", "-o", "old.json", "--checkpoint",
                     "runs/it's my head.safetensors")
        (self.folder / "other/deep").mkdir(parents=True)
        shutil.move(self.folder / "runs/it's my head.safetensors",
                    self.folder / "other/deep/renamed.safetensors")
        (self.folder / "other/a.safetensors").write_text("foreign")
        shutil.copy(SHIPPED_HEAD, self.folder / "other/b.safetensors")
        self.succeed("figure", "--from", "old.json", "-o", "new.json", "--search", "runs",
                     "--search", "other")
        self.assertEqual(self.bytes_of("new.json"), self.bytes_of("old.json"))

    def test_a_missing_head_is_named(self):
        self.make_own_head("mine.safetensors")
        self.succeed("figure", "dispersion", "-o", "old.png", "--checkpoint", "mine.safetensors")
        self.succeed("figure", "dispersion", "-o", "old.json", "--checkpoint", "mine.safetensors")
        told = json.loads(self.bytes_of("old.json"))["provenance"]
        (self.folder / "mine.safetensors").unlink()
        for more in [[], ["--search", "."]]:
            self.fail_with(1, "figure", "--from", "old.png", "-o", "new.png", *more,
                           words=["old.png", told["run_hash"], "half-kernels 0.001", "seed '1'",
                                  "step '100000'", "--search"])
        self.assertFalse((self.folder / "new.png").exists())
        self.fail_with(1, "figure", "--from", "old.png", "-o", "new.png", "--search", "none",
                       words=["none", "searched"])

    def test_every_head_of_table_1_is_checked(self):
        self.succeed("figure", "table", "-o", "old.json")
        text = self.bytes_of("old.json").decode()
        hashes = json.loads(text)["provenance"]["run_hashes"].split()
        self.assertEqual(len(set(hashes)), 10)
        self.succeed("figure", "--from", "old.json", "-o", "same.json")
        self.assertEqual(self.bytes_of("same.json"), self.bytes_of("old.json"))
        for i in [0, 6, 9]:
            (self.folder / "a.json").write_text(text.replace(hashes[i], "0123456789abcdef"))
            self.fail_with(1, "figure", "--from", "a.json", "-o", "new.png",
                           words=["a.json", "0123456789abcdef", "(%d of 10)" % (i + 1), "not inside"])
        (self.folder / "a.json").write_text(text.replace(hashes[9], ""))
        self.fail_with(1, "figure", "--from", "a.json", "-o", "new.png",
                       words=["from 9 heads", "has 10"])

    def test_histories_are_found_by_name_and_hash(self):
        (self.folder / "a").mkdir()
        (self.folder / "b").mkdir()
        heads = ROOT / "assets" / "heads"
        shutil.copy(heads / "seed2.history.csv", self.folder / "a/my run.csv")
        shutil.copy(heads / "seed3.history.csv", self.folder / "b/my run.csv")
        self.succeed("figure", "training", "-o", "old.csv", "--history", "b/my run.csv")
        self.succeed("figure", "--from", "old.csv", "-o", "new.csv", "--search", "a", "--search",
                     "b")
        self.assertEqual(self.bytes_of("new.csv"), self.bytes_of("old.csv"))
        self.fail_with(1, "figure", "--from", "old.csv", "-o", "c.csv", "--search", "a",
                       words=["old.csv", "my run.csv", "--search"])

    def test_refuses_files_that_do_not_tell(self):
        (self.folder / "foreign.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
        self.succeed("figure", "training", "-o", "old.pdf")
        (self.folder / "cut.pdf").write_bytes(self.bytes_of("old.pdf")[:2000])
        (self.folder / "empty.svg").write_bytes(b"")
        self.succeed("figure", "training", "-o", "old.png")
        (self.folder / "cut.png").write_bytes(self.bytes_of("old.png")[:-1])
        (self.folder / "foreign.gif").write_bytes(b"GIF89a")
        for name in ["foreign.png", "foreign.gif", "cut.pdf", "cut.png", "empty.svg", SHIPPED_HEAD]:
            self.fail_with(1, "figure", "--from", name, "-o", "new.png",
                           words=[name, "where it came from", "expected"])
        self.fail_with(1, "figure", "--from", "none.png", "-o", "new.png", words=["none.png"])
        self.assertFalse((self.folder / "new.png").exists())

    def test_an_animation_says_what_makes_it(self):
        make = ["animate", "dispersion", "--seed", "3", "--largest", "32"]
        for name in ["moving.gif", "moving.png"]:
            self.succeed(*make, "-o", name)
            self.fail_with(1, "figure", "--from", name, "-o", "new.png",
                           words=[name, "is an animation, which holds frames and no figure",
                                  "'animate dispersion --seed 3 ", "--largest 32'", "expected"])
        # One of a window says no command.
        moving = self.bytes_of("moving.png")
        told = png_provenance(moving)
        del told["command"]
        for run_hash, words in [
            (told["run_hash"], "a similar one is made by 'animate dispersion --seed 3'"),
            ("0", "'animate dispersion --checkpoint FILE' with its head, 'shipped' at step '100000'"),
        ]:
            told["run_hash"] = run_hash
            (self.folder / "window.png").write_bytes(png_that_tells(moving, told))
            self.fail_with(1, "figure", "--from", "window.png", "-o", "new.png",
                           words=["is an animation", "exported by a window", words])
        self.assertFalse((self.folder / "new.png").exists())

    def test_refuses_commands_that_make_no_figure(self):
        for command in ["figure", "train --steps 3", "figure all", "figure nothing",
                        "figure training --out x.png", "figure training --force",
                        "figure training --help", "figure training more", "figure training --sets x",
                        "figure training 'a", "figure --from a.json", "gui", "figure --list"]:  # fmt: skip
            text = json.dumps({"provenance": {"program": "dispersion_lab", "command": command}})
            (self.folder / "a.json").write_text(text)
            with self.subTest(command):
                self.fail_with(1, "figure", "--from", "a.json", "-o", "new.png",
                               words=["a.json", command, "makes no figure"])
        self.assertEqual(list(self.files()), ["a.json"])

    def make_windows_json(self, to, *arguments):
        """A JSON that tells no command, as those that the window exports."""
        self.succeed("figure", *arguments, "-o", "of the command.json")
        text = self.bytes_of("of the command.json").decode()
        without, times = re.subn(r',"command":.*?(?=})', "", text)
        self.assertEqual(times, 1)
        (self.folder / to).write_text(without)

    def test_every_file_of_a_window_is_drawn_again_as_it_looked(self):
        self.make_windows_json("window.json", "entropy-surface")
        look = ["--style", "slide", "--dpi", "72", "--theme", "dark", "--typeface", "serif",
                "--no-title", "--surface", "--view", "-100.25,15"]  # fmt: skip
        carrying = ["png", "svg", "pdf", "json"]
        for ending in carrying:
            self.succeed("figure", "--from", "window.json", "-o", "old." + ending, *look)
        for old in carrying:
            for ending in carrying:
                self.succeed("figure", "--from", "old." + old, "-o", "new." + ending, "--force")
                self.assertEqual(self.bytes_of("new." + ending), self.bytes_of("old." + ending))
        told = json.loads(self.bytes_of("old.json"))["provenance"]
        self.assertEqual(told["look"], " ".join(look))
        # As they were before, but for what is given.
        self.succeed("figure", "--from", "old.pdf", "-o", "plain.json", "--style", "default",
                     "--title", "--theme", "light", "--typeface", "sans", "--heatmap",
                     "--width", "254mm", "--dpi", "200")  # fmt: skip
        told = json.loads(self.bytes_of("plain.json"))["provenance"]
        self.assertEqual(told["look"], "--width 254mm --dpi 200")

    def test_a_windows_figure_is_drawn_as_the_commands(self):
        self.make_windows_json("window.json", "adaptive-dispersion", "--seed", "3")
        self.succeed("figure", "--from", "window.json", "-o", "new.svg", "--theme", "dark")
        self.succeed("figure", "--from", "of the command.json", "-o", "wanted.svg", "--theme",
                     "dark")
        drawn = [self.bytes_of(name).decode() for name in ["new.svg", "wanted.svg"]]
        drawn = [re.sub("<metadata.*?</metadata>", "", text, flags=re.S).strip() for text in drawn]
        self.assertEqual(drawn[0].split(), drawn[1].split())
        self.fail_with(1, "figure", "--from", "window.json", "-o", "new.svg", words=["--force"])
        for option in [["--surface"], ["--rows", "main"]]:
            self.fail_with(2, "figure", "--from", "window.json", "-o", "a.svg", *option,
                           words=[option[0], "does nothing for the figure 'adaptive-dispersion'"])
        self.fail_with(2, "figure", "--from", "window.json", "-o", "new.xyz", words=["new.xyz"])
        self.fail_with(2, "figure", "--from", "window.json", "-o", "x.csv", "--theme", "dark",
                       words=["--theme", ".csv"])

    def test_refuses_a_window_file_without_its_figure(self):
        self.make_windows_json("window.json", "spread")
        for ending in ["csv", "tex", "md"]:
            self.succeed("figure", "--from", "window.json", "-o", "window." + ending)
            self.fail_with(1, "figure", "--from", "window." + ending, "-o", "new.png",
                           words=["window." + ending, "does not carry", "PNG, SVG, PDF or JSON"])
        self.succeed("figure", "--from", "window.json", "-o", "window.svg", "--dpi", "99")
        whole = self.bytes_of("window.svg").decode()
        for before, after, words in [
            ('<metadata id="figure">', "<metadata>", ["does not carry"]),
            ("&quot;grids&quot;", "&quot;girds&quot;", ["grids", "missing"]),
            ("--dpi 99", "--dpi xx", ["drawing options", "--dpi xx", "which are wrong"]),
            ("--dpi 99", "--out 99", ["drawing options", "--out 99", "which are wrong"]),
            ("--dpi 99", "training", ["drawing options", "training", "which are wrong"]),
        ]:
            (self.folder / "bad.svg").write_text(whole.replace(before, after))
            with self.subTest(after):
                self.fail_with(1, "figure", "--from", "bad.svg", "-o", "new.png",
                               words=["bad.svg", *words])
        self.assertFalse((self.folder / "new.png").exists())

    def test_refuses_what_cannot_be_meant(self):
        self.succeed("figure", "training", "-o", "old.svg")
        for arguments, words in [
            (["--from", "old.svg"], ["--out"]),
            (["training", "--from", "old.svg", "-o", "a.png"], ["--from", "NAME"]),
            (["--from", "old.svg", "-o", "a.png", "--seed", "2"], ["--from", "--seed"]),
            (["--from", "old.svg", "-o", "a.tex"], ["no table", "spread"]),
            (["--from", "old.svg", "-o", "a.csv", "--style", "paper"], ["--style", ".csv"]),
            (["--from", "old.svg", "-o", "a.gif"], ["a.gif"]),
            (["--from", "old.svg", "-o", "a.png", "--surface"], ["--surface", "'training'"]),
            (["training", "-o", "a.png", "--search", "."], ["--search", "--from"]),
        ]:
            with self.subTest(arguments):
                self.fail_with(2, "figure", *arguments, words=words)
        self.assertEqual(list(self.files()), ["old.svg"])


class HostileFiles(CommandLineTest):
    """Small files that unpack to very much, and large ones that are no figures."""

    def memory_to_refuse(self, file):
        """In bytes, at the most."""
        process = self.start("figure", "--from", file, "-o", "new.svg",
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 1)
        return 1024 * usage.ru_maxrss

    def test_they_cost_little_more_than_any_other_file(self):
        (self.folder / "plain.txt").write_text("hello")
        deep = b"Provenance\0\1\0\0\0" + zlib.compress(b"[" * 60_000_000, 9)
        png = b"\x89PNG\r\n\x1a\n"
        for kind, body in [(b"IHDR", bytes(13)), (b"iTXt", deep), (b"IEND", b"")]:
            png += struct.pack(">I", len(body)) + kind + body
            png += struct.pack(">I", zlib.crc32(kind + body))
        (self.folder / "deep.png").write_bytes(png)
        keys = {f"k{i}": "" for i in range(50_000)}
        many = {"name": "x", "provenance": {"program": "dispersion_lab", **keys}}
        (self.folder / "many_keys.json").write_text(json.dumps(many, separators=(",", ":")))
        (self.folder / "comments.csv").write_text("# a: b\n" * 3_000_000)
        with open(self.folder / "large.bin", "wb") as file:
            file.truncate(1 << 30)
        # Measured now, since a process begins with the memory of the one that starts it.
        memory = self.memory_to_refuse("plain.txt")
        # AddressSanitizer keeps what is freed for a while, up to 256 MB of it.
        kept = (256 << 20) if self.succeed_json("info")["sanitizers"] else 0
        for file, more in [("deep.png", 4 << 20), ("many_keys.json", 8 << 20),
                           ("comments.csv", 64 << 20), ("large.bin", 1 << 20)]:  # fmt: skip
            with self.subTest(file):
                self.assertLess(self.memory_to_refuse(file), memory + more + kept)
        for file, words in [("deep.png", ["1048576 bytes when it is unpacked"]),
                            ("many_keys.json", ["256 keys"]), ("comments.csv", ["1048576 bytes"])]:
            self.fail_with(1, "figure", "--from", file, "-o", "new.svg", words=[file, *words])
        self.assertFalse((self.folder / "new.svg").exists())


if __name__ == "__main__":
    unittest.main()
