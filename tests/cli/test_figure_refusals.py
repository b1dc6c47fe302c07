"""figure: what it refuses, and that the old file survives."""

import os
import unittest

from figures import ALL, OF_SETS, STORED
from support import ROOT, SHIPPED_HEAD, CommandLineTest, limit_file_size


class Refusals(CommandLineTest):
    def test_all_go_into_a_folder_that_is_not_named_like_a_file(self):
        for name in ["x.pdf", "new/x.PNG", "x.md", "x.gif"]:
            self.fail_with(2, "figure", "all", "-o", name, words=[name, "folder", "x',", "--format"])
        self.assertEqual(self.files(), {})

    def test_refuses_what_cannot_be_meant(self):
        for arguments, words in [
            (["dispersion"], ["--out"]),
            ([], ["NAME", "--list"]),
            (["dispersoin", "-o", "a.png"], ["dispersoin", "dispersion"]),
            (["dispersion", "-o", "a.gif"], ["a.gif", ".svg"]),
            (["dispersion", "-o", "a"], ["'a'", ".svg"]),
            (["Dispersion", "-o", "a.png"], ["did you mean dispersion?"]),
            (["tabel", "-o", "a.png"], ["did you mean table?"]),
            (["tbale", "-o", "a.png"], ["did you mean table?"]),
            (["ablet", "-o", "a.png"], ["no figure 'ablet'; there are"]),
            (["dispersion", "-o", "a.png", "--width", "84"], ["--width", "84mm"]),
            (["dispersion", "-o", "a.png", "--width", "0mm"], ["--width"]),
            (["dispersion", "-o", "a.png", "--width", "20mm"], ["too narrow", "it needs"]),
            (["dispersion", "-o", "a.png", "--width", "4m", "--dpi", "4800"], ["--width"]),
            (["dispersion", "-o", "a.png", "--width", "400cm", "--dpi", "4800"], ["32767"]),
            (["dispersion", "-o", "a.png", "--width", "mm"], ["--width", "84mm"]),
            (["dispersion", "-o", "a.png", "--seed", "99"], ["99"]),
            (["dispersion", "-o", "a.png", "--style", "fancy"], ["fancy", "slide, poster", "a4 or beamer"]),
            (["dispersion", "-o", "a.png", "--style", "Papr"], ["did you mean paper?"]),
            (["dispersion", "-o", "a.png", "--typeface", "mono"], ["mono"]),
            (["dispersion", "-o", "a.png", "--font-size", "1"], ["--font-size"]),
            (["dispersion", "-o", "a.png", "--format", "svg"], ["--format"]),
        ]:
            with self.subTest(arguments):
                self.fail_with(2, "figure", *arguments, words=words)
        self.assertEqual(self.files(), {})
        self.fail_with(1, "figure", "dispersion", "-o", "a.png", "--checkpoint", "none",
                       words=["none"])

    def test_what_would_do_nothing_is_refused(self):
        looks = [["--style", "paper"], ["--width", "9cm"], ["--dpi", "99"], ["--theme", "dark"],
                 ["--font-size", "9"], ["--typeface", "serif"], ["--transparent"], ["--opaque"],
                 ["--no-title"], ["--surface"]]  # fmt: skip
        for look in looks:
            with self.subTest(look):
                for out in [["spread", "-o", "a." + ending] for ending in ["csv", "json", "tex", "md"]]:
                    self.fail_with(2, "figure", *out, *look, words=["does nothing for ." + out[-1][2:]])
                self.fail_with(2, "figure", "all", "-o", "new", "--format", "csv", *look,
                               words=["does nothing for .csv"])
        for ending in ["svg", "pdf"]:
            self.fail_with(2, "figure", "training", "-o", "a." + ending, "--dpi", "99",
                           words=["--dpi does nothing for ." + ending, "px"])
        self.assertEqual(self.files(), {})
        self.succeed("figure", "training", "-o", "a.svg", "--dpi", "100", "--width", "1000px")
        self.assertIn(b'width="254mm"', self.bytes_of("a.svg"))

    def test_options_that_are_not_of_the_figure_are_refused(self):
        idle = {
            "--seed": ["training", "table", "depth", "streaming", "surface"],
            "--checkpoint": ["table", "depth", "streaming", "surface"],
            "--history": [name for name in ALL if name not in ["spread", "training"]],
            "--surface": [name for name in ALL if name != "surface"],
            "--heatmap": ["bounds"],
            "--view": [name for name in ALL if name != "surface"],
            "--rows": [name for name in ALL if name != "table"],
            "--sets": [name for name in ALL if name not in OF_SETS],
            "--recompute": [name for name in ALL if name not in STORED],
        }
        value = {"--seed": ["2"], "--checkpoint": [SHIPPED_HEAD], "--view": ["10,20"],
                 "--rows": ["main"], "--sets": ["8"],
                 "--history": [ROOT / "assets" / "heads" / "seed2.history.csv"]}  # fmt: skip
        for option, names in idle.items():
            for name in names:
                with self.subTest(option + " " + name):
                    self.fail_with(2, "figure", name, "-o", "a.svg", option, *value.get(option, []),
                                   words=["does nothing for the figure '%s'" % name])
        self.fail_with(2, "figure", "training", "-o", "a.svg", "--seed", "2",
                       words=["--checkpoint or --history"])
        for option, names in [(["--sets", "0"], OF_SETS), (["--recompute"], STORED)]:
            self.fail_with(2, "figure", "training", "-o", "a.svg", *option,
                           words=["it goes with " + ", ".join(names) + ";"])
        for one, other in [("--title", "--no-title"), ("--surface", "--heatmap"),
                           ("--opaque", "--transparent")]:  # fmt: skip
            for flags in [(one, other), (other, one)]:
                self.fail_with(2, "figure", "surface", "-o", "a.svg", *flags,
                               words=[one, other, "together"])
        self.assertEqual(self.files(), {})
        # Some of all the figures have a use for them; twice is no contradiction.
        self.succeed("figure", "all", "-o", "all", "--format", "svg", "--sets", "4", "--seed", "2",
                     "--surface", "--rows", "main", "--no-title", "--no-title")
        for name, command in [("training", "training --no-title&"),
                              ("table", "table --sets 4 --no-title --rows main&"),
                              ("surface", "surface --no-title --surface&")]:
            told = self.bytes_of("all/%s.svg" % name).decode().split("</metadata>")[0]
            self.assertIn("figure " + command, told)

    def test_an_existing_file_is_replaced_only_with_force(self):
        (self.folder / "a.csv").write_text("old")
        self.fail_with(1, "figure", "dispersion", "-o", "a.csv", words=["a.csv", "--force"])
        self.assertEqual(self.bytes_of("a.csv"), b"old")
        (self.folder / "a").write_text("old")
        self.fail_with(1, "figure", "all", "-o", "a", words=["a"])
        self.succeed("figure", "dispersion", "-o", "a.csv", "--force")
        self.assertNotEqual(self.bytes_of("a.csv"), b"old")
        (self.folder / "all").mkdir()
        (self.folder / "all" / "training.csv").write_text("old")
        self.fail_with(1, "figure", "all", "-o", "all", "--format", "csv", words=["training.csv"])
        self.assertEqual(os.listdir(self.folder / "all"), ["training.csv"])
        for more, words in [("depth", "one other of the %d"), ("table", "2 others of the %d")]:
            (self.folder / "all" / (more + ".csv")).write_text("old")
            self.fail_with(1, "figure", "all", "-o", "all", "--format", "csv",
                           words=[words % len(ALL)])

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_read_only_folder(self):
        closed = self.folder / "closed"
        closed.mkdir(mode=0o555)
        self.fail_with(1, "figure", "training", "-o", closed / "a.png", words=["a.png"])

    def test_a_folder_that_is_not_there(self):
        self.fail_with(1, "figure", "training", "-o", "no/a.png", words=["no/a.png"])

    def test_a_full_disk_leaves_the_old_file(self):
        (self.folder / "a.png").write_text("old")
        # A limit on the size of files stands for the disk.
        result = self.run_lab("figure", "training", "-o", "a.png", "--force",
                              preexec_fn=limit_file_size)
        self.assert_fails(result, 1, "a.png", "File too large")
        self.assertEqual(self.files(), {"a.png": b"old"})

    def test_interrupted_it_writes_nothing(self):
        (self.folder / "a.png").write_text("old")
        process = self.start("figure", "table", "-o", "a.png", "--force", "--sets", "1000000")
        self.interrupt_after(1, process)
        result = self.finish(process)
        self.assert_fails(result, 130, "a.png", "interrupted")
        self.assertEqual(self.files(), {"a.png": b"old"})


if __name__ == "__main__":
    unittest.main()
