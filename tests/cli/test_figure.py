"""figure: what it writes."""

import csv
import io
import json
import re
import shutil
import struct
import subprocess
import unittest

from figures import ALL, OF_SETS, QUICK, STORED, TABLES, few_sets, png_chunks, png_provenance
from support import SHIPPED_HEAD, CommandLineTest, clean_environment


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
        self.succeed("figure", "all", "-o", "all", "--format", "svg", "--style", "paper", "--sets", "4")
        for name in ALL:
            (width,) = re.findall(rb'<svg [^>]*width="([0-9.]+)mm"',
                                  self.bytes_of("all/%s.svg" % name))
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

    def test_letters(self):
        self.succeed("figure", "training", "-o", "a.svg", "--typeface", "serif", "--font-size", "9")
        self.assertIn(b"'LM Roman 10'", self.bytes_of("a.svg"))
        self.assertIn(b"figure training --font-size 9 --typeface serif", self.bytes_of("a.svg"))
        self.succeed("figure", "--from", "a.svg", "-o", "b.svg")
        self.assertEqual(self.bytes_of("a.svg"), self.bytes_of("b.svg"))

    def test_names_of_styles_may_be_in_capitals(self):
        self.succeed("figure", "training", "-o", "a.svg", "--style", "PAPER", "--theme", "Dark")
        self.assertIn(b"figure training --style paper --theme dark&quot;", self.bytes_of("a.svg"))

    def test_names_of_version_0_1_0_are_known(self):
        for old, new in [("entropy-surface", "surface"), ("polynomial-fit", "fit")]:
            self.succeed("figure", old, "-o", "old.json", *few_sets(new))
            self.succeed("figure", new, "-o", "new.json", *few_sets(new))
            self.assertEqual(self.bytes_of("old.json"), self.bytes_of("new.json"))
            for name in ["old.json", "new.json"]:
                (self.folder / name).unlink()

    def test_odd_paths(self):
        for name in ["with space.png", "Größe.png", "注意.png", "🎈.png", "-x.png"]:
            self.succeed("figure", "training", "--out=" + name)
            self.assertEqual(self.bytes_of(name)[:4], b"\x89PNG")

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


if __name__ == "__main__":
    unittest.main()
