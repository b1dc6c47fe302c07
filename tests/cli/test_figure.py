"""figure: what it writes, what it refuses, and that the old file survives."""

import csv
import io
import json
import os
import re
import shutil
import signal
import statistics
import struct
import subprocess
import unittest
import zlib

from support import PROGRAM, ROOT, CommandLineTest, SHIPPED_HEAD, clean_environment

# Figures that take no time.
QUICK = ["dispersion", "adaptive-dispersion", "surface", "spread", "training"]


def named_by(message_begin, *arguments):
    """The figures that the program names when it refuses these arguments, in its order."""
    result = subprocess.run([PROGRAM, "figure", *arguments], capture_output=True, text=True,
                            env=clean_environment())
    (names,) = re.findall(message_begin + r" ([a-z, -]+)", result.stderr)
    return names.split(", ")


# These come from the program's table, so that a new experiment needs no change here. The test of the
# lists says which figures are the least.
ALL = sorted(named_by("there are", "nothing", "-o", "a.svg"))
TABLES = named_by("those with one are", "training", "-o", "a.tex")
OF_SETS = named_by("it goes with", "training", "-o", "a.svg", "--sets", "4")
STORED = named_by("it goes with", "training", "-o", "a.svg", "--recompute")


def few_sets(name):
    """Options that make the figure quickly."""
    return ["--sets", "4"] if name in OF_SETS else []


def png_chunks(data):
    """Type and data of every chunk, with its checksum checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    chunks = []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert zlib.crc32(kind + body) == checksum, kind
        chunks.append((kind, body))
        at += 12 + length
    return chunks


def png_provenance(data):
    (text,) = [b for k, b in png_chunks(data) if k == b"iTXt" and b.startswith(b"Provenance\0")]
    return json.loads(text.split(b"\0", 5)[5])


class FigureTest(CommandLineTest):
    def test_lists_figures_with_their_width_and_styles(self):
        text = self.succeed("figure", "--list")
        for name in ["paper", "slide", "poster", "default"]:
            self.assertRegex(text, rf"(?m)^{name} ")
        widths = dict(re.findall(r"(?m)^(\S+) +(\d+) mm  \S", text))
        self.assertEqual(sorted(widths), ALL)
        for listed, least in [
            (ALL, ["adaptive-dispersion", "bounds", "depth", "dispersion", "entropy", "fit",
                   "precision", "spread", "streaming", "surface", "table", "training"]),
            (TABLES, ["table", "bounds", "spread", "precision"]),
            (OF_SETS, ["table", "fit", "bounds", "precision", "entropy"]),
            (STORED, ["table", "precision"])]:  # fmt: skip
            self.assertLessEqual(set(least), set(listed))
        for name in ALL:
            self.succeed("figure", name, "-o", "a.svg", "--style", "paper", "--force")
            (width,) = re.findall(rb'<svg [^>]*width="([0-9.]+)mm"', self.bytes_of("a.svg"))
            self.assertEqual(int(widths[name]), round(float(width)), name)

    def test_help_has_no_inner_values(self):
        self.assertRegex(self.succeed("figure", "--help"), r"--no-title,--title +Without")

    def test_every_format_of_one_figure(self):
        for ending in ["png", "svg", "pdf", "csv", "json", "tex", "md", "PDF"]:
            self.succeed("figure", "spread", "-o", "a." + ending)
        self.assertTrue(self.bytes_of("a.pdf").startswith(b"%PDF-1.4"))
        self.assertTrue(self.bytes_of("a.svg").startswith(b"<?xml"))
        figure = json.loads(self.bytes_of("a.json"))
        self.assertEqual(figure["name"], "spread")
        rows = list(csv.DictReader(
            line for line in io.StringIO(self.bytes_of("a.csv").decode()) if line[0] != "#"))
        deltas = [float(r["y"]) for r in rows if r["kind"] == "point" and "Qy·Kx" in r["name"]]
        self.assertEqual(deltas, figure["plots"][0]["series"][0]["y"])
        self.assertIn(b"\\toprule", self.bytes_of("a.tex"))
        self.assertIn(b"| logits | ", self.bytes_of("a.md"))

    def test_spread_names_the_head_and_speaks_of_no_window(self):
        self.succeed("figure", "spread", "-o", "a.json")
        figure = json.loads(self.bytes_of("a.json"))
        self.assertEqual(figure["tables"][0]["title"], "The measured head")
        self.assertIn("shipped", figure["tables"][0]["subtitle"])
        self.assertIn("of the measured head (shipped, seed 1, step 100\u2009000) have a spread of",
                      figure["sentence"])

    def test_all_writes_every_figure(self):
        out = self.succeed("figure", "all", "-o", "new/folder", "--format", "svg", "--sets", "4")
        self.assertEqual(sorted(out.split()), sorted("new/folder/%s.svg" % name for name in ALL))
        for name in ALL:
            text = self.bytes_of("new/folder/%s.svg" % name).decode()
            self.assertNotRegex(text, r'[" ,]-?(nan|inf)[" ,]')
            self.assertIn("&quot;command&quot;:&quot;figure %s" % name, text)

    def test_all_tables(self):
        for ending in ["tex", "md"]:
            lines = self.succeed("figure", "all", "-o", "t", "--format", ending, "--sets",
                                 "4").splitlines()
            self.assertEqual(lines[:-1], ["t/%s.%s" % (name, ending) for name in TABLES])
            others = lines[-1].removeprefix("left out, since they have no table: ")
            self.assertEqual(sorted(others.split(", ")), sorted(set(ALL) - set(TABLES)))
        self.assertEqual(len(self.files()), 2 * len(TABLES))
        self.fail_with(2, "figure", "all", "-o", "x", "--format", "tex", "--style", "paper",
                       words=["--style does nothing for .tex"])

    def test_all_go_into_a_folder_that_is_not_named_like_a_file(self):
        for name in ["x.pdf", "new/x.PNG", "x.md", "x.gif"]:
            self.fail_with(2, "figure", "all", "-o", name, words=[name, "folder", "x',", "--format"])
        self.assertEqual(self.files(), {})

    def test_says_where_it_came_from(self):
        shutil.copy(SHIPPED_HEAD, self.folder / "my head.safetensors")
        self.succeed("figure", "dispersion", "-o", "a.png", "--checkpoint", "my head.safetensors",
                     "--style", "slide", "--no-title")
        info = self.succeed_json("info")
        told = png_provenance(self.bytes_of("a.png"))
        self.assertEqual(told["version"], info["version"])
        self.assertEqual(told["commit"], info["commit"])
        self.assertEqual(told["head"], "my head.safetensors")
        self.assertEqual((told["seed"], told["step"]), ("1", "100000"))
        self.assertEqual(json.loads(told["recipe"])["l2_lambda"], 0.001)
        self.assertEqual(len(told["run_hash"]), 16)
        self.assertEqual(
            told["command"],
            "figure dispersion --checkpoint 'my head.safetensors' --style slide --no-title")
        self.assertNotIn("date", told)
        self.assertNotIn(str(self.folder).encode(), self.bytes_of("a.png"))

    def test_the_date_is_told_only_when_asked(self):
        environment = clean_environment(SOURCE_DATE_EPOCH="1700000000", TZ="Asia/Tokyo")
        self.succeed("figure", "dispersion", "-o", "a.pdf", environment=environment)
        self.assertIn(b"20231114221320Z", self.bytes_of("a.pdf"))
        self.succeed("figure", "dispersion", "-o", "b.png", "--date", "2026-01-31")
        self.assertEqual(png_provenance(self.bytes_of("b.png"))["date"], "2026-01-31")
        for date in ("today", "2026-13-45", "2026-02-30", "2026-01-31T24:00:00Z"):
            self.fail_with(2, "figure", "dispersion", "-o", "c.png", "--date", date, words=[date])
        self.fail_with(2, "figure", "dispersion", "-o", "c.png", words=["SOURCE_DATE_EPOCH"],
                       environment=clean_environment(SOURCE_DATE_EPOCH="soon"))

    def test_the_same_bytes_for_any_locale_time_zone_and_number_of_threads(self):
        for ending in ["png", "svg", "pdf", "csv", "json"]:
            self.succeed("figure", "adaptive-dispersion", "-o", "a." + ending, "--threads", "1")
            self.succeed("figure", "adaptive-dispersion", "-o", "b." + ending, "--threads", "2",
                         environment=clean_environment(LC_ALL="de_DE.UTF-8", TZ="Asia/Tokyo"))
            self.assertEqual(self.bytes_of("a." + ending), self.bytes_of("b." + ending))

    def test_every_figure_has_the_same_bytes_for_any_number_of_threads(self):
        for name in ALL:
            for file, threads in [("a.json", "1"), ("b.json", "2")]:
                self.succeed("figure", name, "-o", file, *few_sets(name), "--threads", threads,
                             "--force")
            self.assertEqual(self.bytes_of("a.json"), self.bytes_of("b.json"), name)

    def test_a_surface_is_seen_from_where_it_is_asked(self):
        for name, view in [("a", []), ("b", ["--view=-30,60"]), ("c", ["--view", "-30,60.00"])]:
            self.succeed("figure", "surface", "-o", name + ".svg", "--surface", *view)
        self.assertIn(b"--surface --view -30,60&quot;", self.bytes_of("b.svg"))
        self.assertEqual(self.bytes_of("b.svg"), self.bytes_of("c.svg"))
        drawn = [self.bytes_of(name).split(b"</metadata>")[1] for name in ["a.svg", "b.svg"]]
        self.assertNotEqual(drawn[0], drawn[1])
        self.fail_with(2, "figure", "surface", "-o", "d.svg", "--view", "1,2",
                       words=["--surface"])
        for view in ["1", "1,", "200,3", "1,91", "1,2,3", "a,b"]:
            self.fail_with(2, "figure", "surface", "-o", "d.svg", "--surface", "--view",
                           view, words=["--view", "two angles", view])

    def test_width_dpi_and_theme(self):
        self.succeed("figure", "training", "-o", "a.png", "--width", "1234px", "--dpi", "150")
        header = dict(png_chunks(self.bytes_of("a.png")))
        self.assertEqual(struct.unpack(">I", header[b"IHDR"][:4]), (1234,))
        self.assertEqual(struct.unpack(">II", header[b"pHYs"][:8]), (5906, 5906))
        self.succeed("figure", "training", "-o", "a.svg", "--width", "8.4cm", "--style", "paper")
        self.assertIn(b'width="84mm"', self.bytes_of("a.svg"))
        self.assertIn(b'fill="#ffffff"', self.bytes_of("a.svg"))
        self.succeed("figure", "training", "-o", "b.svg", "--transparent", "--style", "paper")
        self.assertNotIn(b'fill="#ffffff"', self.bytes_of("b.svg"))
        self.succeed("figure", "training", "-o", "c.svg", "--theme", "dark")
        self.assertIn(b'fill="#15191f"', self.bytes_of("c.svg"))
        self.succeed("figure", "training", "-o", "s.png", "--style", "slide")
        (header,) = [b for k, b in png_chunks(self.bytes_of("s.png")) if k == b"IHDR"]
        self.assertEqual(struct.unpack(">II", header[:8]), (1920, 1080))

    def test_latex_is_well_formed(self):
        for name in TABLES:
            self.succeed("figure", name, "-o", name + ".tex", *few_sets(name))
            lines = self.bytes_of(name + ".tex").decode("ascii").splitlines()
            tex = "\n".join(line for line in lines if not line.startswith("%"))
            tex = tex.replace(r"\ifdim\width>\linewidth", "")
            with self.subTest(name):
                cells = {len(re.findall(r"(?<!\\)&", row)) for row in re.findall(r".*\\\\$", tex, re.M)}
                self.assertEqual(len(cells), 1, cells)
                self.assertEqual(re.findall(r"\\label{(.*)}", tex), ["tab:" + name])
                self.assertRegex(tex, r"\\caption{[A-Z].*\.}")
                self.assertEqual(len(re.findall(r"(?<!\\)\$", tex)) % 2, 0)
                words = re.sub(r"(?<!\\)\$.*?(?<!\\)\$|\\[a-zA-Z]+\*?|\\[\\,&%$#_{}]", "", tex)
                self.assertNotRegex(words, r"[%$#_^\\<>]")
                self.assertEqual(words.count("{"), words.count("}"))

    def test_main_rows_of_a_table(self):
        self.succeed("figure", "table", "-o", "all.tex")
        self.succeed("figure", "table", "-o", "main.tex", "--rows", "main")
        rows = {name: self.bytes_of(name + ".tex").decode().count("\\\\\n") for name in ["all", "main"]}
        self.assertEqual(rows["main"], 1 + 9 + 4)  # four with their intervals below
        self.assertGreater(rows["all"], 16)
        self.assertIn(b"% command: figure table --rows main\n", self.bytes_of("main.tex"))
        self.assertIn(b"\\label{tab:table}", self.bytes_of("all.tex"))
        self.assertIn(b"\\label{tab:table-main}", self.bytes_of("main.tex"))
        self.succeed("figure", "--from", "main.tex", "-o", "again.tex")
        self.assertEqual(self.bytes_of("again.tex"), self.bytes_of("main.tex"))
        self.succeed("figure", "--from", "main.tex", "-o", "whole.tex", "--rows", "all")
        self.assertGreater(self.bytes_of("whole.tex").decode().count("\\\\\n"), 16)

    def test_letters(self):
        self.succeed("figure", "training", "-o", "a.svg", "--typeface", "serif", "--font-size", "9")
        self.assertIn(b"'LM Roman 10'", self.bytes_of("a.svg"))
        self.assertIn(b"figure training --font-size 9 --typeface serif", self.bytes_of("a.svg"))
        self.succeed("figure", "--from", "a.svg", "-o", "b.svg")
        self.assertEqual(self.bytes_of("a.svg"), self.bytes_of("b.svg"))

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

    def test_names_of_styles_may_be_in_capitals(self):
        self.succeed("figure", "training", "-o", "a.svg", "--style", "PAPER", "--theme", "Dark")
        self.assertIn(b"figure training --style paper --theme dark&quot;", self.bytes_of("a.svg"))

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

    def test_names_of_version_0_1_0_are_known(self):
        for old, new in [("entropy-surface", "surface"), ("polynomial-fit", "fit")]:
            self.succeed("figure", old, "-o", "old.json", *few_sets(new))
            self.succeed("figure", new, "-o", "new.json", *few_sets(new))
            self.assertEqual(self.bytes_of("old.json"), self.bytes_of("new.json"))
            for name in ["old.json", "new.json"]:
                (self.folder / name).unlink()

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

    def test_figures_with_a_table_are_named_by_those_without(self):
        for name in ALL:
            for ending in ["tex", "md"]:
                arguments = ["figure", name, "-o", name + "." + ending, *few_sets(name)]
                if name in TABLES:
                    self.succeed(*arguments)
                else:
                    self.fail_with(2, *arguments, words=["'%s' has no table" % name, *TABLES])

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

    def test_odd_paths(self):
        for name in ["with space.png", "Größe.png", "注意.png", "🎈.png", "-x.png"]:
            self.succeed("figure", "training", "--out=" + name)
            self.assertEqual(self.bytes_of(name)[:4], b"\x89PNG")

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

    def test_the_table_inside_the_program_is_used_when_it_is_the_one_asked_for(self):
        for name, more in [("a", []), ("b", ["--sets", "4096"]), ("c", ["--sets", "64"]),
                           ("d", ["--sets", "64", "--recompute"])]:  # fmt: skip
            self.succeed("figure", "table", "-o", name + ".json", *more)
        told = {name: json.loads(self.bytes_of(name + ".json"))["provenance"] for name in "abcd"}
        for name in "ab":
            self.assertRegex(told[name]["stored"], r"^computed before, by commit [0-9a-f]+, CPU")
            self.assertEqual(told[name]["sets"], "4096 of every size for every head")
        for name in "cd":
            self.assertNotIn("stored", told[name])
        self.assertEqual(told["d"]["command"], "figure table --sets 64 --recompute")

    def test_a_table_has_its_numbers_as_numbers(self):
        self.succeed("figure", "table", "-o", "a.csv")
        rows = list(csv.DictReader(
            line for line in io.StringIO(self.bytes_of("a.csv").decode()) if line[0] != "#"))
        entries = {(r["name"], int(r["x"])): r for r in rows if r["kind"] == "entry"}
        stored = json.loads((ROOT / "assets" / "table.json").read_text())
        for items in stored["sizes"]:
            cells = [c for c in stored["cells"] if c["items"] == items]
            for name, key in [("softmax", "softmax"), ("adaptive θ", "adaptive"),
                              ("hard, θ → 0", "hard")]:  # fmt: skip
                shares = [m["correct"] / c["sets"] for c in cells for m in c["transforms"]
                          if m["transform"].startswith(key)]
                self.assertEqual(len(shares), len(stored["heads"]), key)
                entry = entries[name, items]
                self.assertAlmostEqual(float(entry["value"]), 100 * statistics.mean(shares), 9)
                half = (float(entry["y_high"]) - float(entry["y_low"])) / 2
                self.assertTrue(entry["text"].endswith(" ± %.1f" % half), entry)
            p = entries["p, paired t-test", items]
            self.assertTrue(p["value"] == "" or 0 <= float(p["value"]) <= 1, p)

    def test_what_rounding_does_is_inside_the_program_too(self):
        for name, more in [("a", ["--seed", "4"]), ("b", ["--sets", "8"])]:
            self.succeed("figure", "precision", "-o", name + ".json", *more)
        told = {name: json.loads(self.bytes_of(name + ".json"))["provenance"] for name in "ab"}
        self.assertRegex(told["a"]["stored"], r"^computed before, by commit [0-9a-f]+, CPU")
        self.assertEqual(told["a"]["seed"], "4")
        self.assertNotIn("stored", told["b"])

    def test_interrupted_it_writes_nothing(self):
        (self.folder / "a.png").write_text("old")
        process = self.start("figure", "table", "-o", "a.png", "--force", "--sets", "1000000")
        self.assertRaises(subprocess.TimeoutExpired, process.wait, 3)
        process.send_signal(signal.SIGINT)
        result = self.finish(process)
        self.assert_fails(result, 130, "a.png", "interrupted")
        self.assertEqual(self.files(), {"a.png": b"old"})

    def test_quick_figures_as_pdf_have_their_fonts_and_words(self):
        for name in QUICK:
            self.succeed("figure", name, "-o", name + ".pdf", "--style", "paper")
            fonts = subprocess.run(["pdffonts", self.folder / (name + ".pdf")], check=True,
                                   capture_output=True, text=True).stdout.splitlines()[2:]
            self.assertGreater(len(fonts), 1)
            for font in fonts:
                self.assertRegex(font, r"^[A-Z]{6}\+\S+ .* yes yes yes ")
            text = subprocess.run(["pdftotext", self.folder / (name + ".pdf"), "-"], check=True,
                                  capture_output=True, text=True).stdout
            self.assertTrue(re.search("Attention|Loss|Spread|nats", text), text)


def limit_file_size():
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


if __name__ == "__main__":
    unittest.main()
