"""figure: tables, as LaTeX and Markdown and with their numbers."""

import csv
import io
import json
import re
import statistics
import unittest

from figures import ALL, TABLES
from support import ROOT, CommandLineTest


class Tables(CommandLineTest):
    def test_all_tables(self):
        for ending in ["tex", "md"]:
            lines = self.succeed("figure", "all", "-o", "t", "--format", ending, "--sets",
                                 "4").splitlines()
            self.assertEqual(lines[:-1], ["t/%s.%s" % (name, ending) for name in TABLES])
            others = lines[-1].removeprefix("left out, since they have no table: ")
            self.assertEqual(sorted(others.split(", ")), sorted(set(ALL) - set(TABLES)))
        self.assertEqual(len(self.files()), 2 * len(TABLES))
        for name in TABLES:
            with self.subTest(name):
                self.assert_well_formed(self.bytes_of("t/%s.tex" % name).decode("ascii"), name)
        self.fail_with(2, "figure", "all", "-o", "x", "--format", "tex", "--style", "paper",
                       words=["--style does nothing for .tex"])

    def assert_well_formed(self, text, name):
        tex = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
        tex = tex.replace(r"\ifdim\width>\linewidth", "")
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

    def test_figures_with_a_table_are_named_by_those_without(self):
        for name in sorted(set(ALL) - set(TABLES)):
            for ending in ["tex", "md"]:
                self.fail_with(2, "figure", name, "-o", name + "." + ending,
                               words=["'%s' has no table" % name, *TABLES])

    def test_the_table_inside_the_program_is_used_when_it_is_the_one_asked_for(self):
        for name, more in [("a", []), ("b", ["--sets", "4096"]), ("c", ["--sets", "4"]),
                           ("d", ["--sets", "4", "--recompute"])]:  # fmt: skip
            self.succeed("figure", "table", "-o", name + ".json", *more)
        told = {name: json.loads(self.bytes_of(name + ".json"))["provenance"] for name in "abcd"}
        for name in "ab":
            self.assertRegex(told[name]["stored"], r"^computed before, by commit [0-9a-f]+, CPU")
            self.assertEqual(told[name]["sets"], "4096 of every size for every head")
        for name in "cd":
            self.assertNotIn("stored", told[name])
        self.assertEqual(told["d"]["command"], "figure table --sets 4 --recompute")

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


if __name__ == "__main__":
    unittest.main()
