"""--transforms: the attention transforms that evaluate, table, figure and animate take."""

import json
import unittest

from support import CommandLineTest
from test_animate import gif_parts

ALL = ["softmax", "adaptive", "hard", "log-n", "top-k", "sparsemax", "entmax-1.5"]


class TransformsTest(CommandLineTest):
    def figure(self, *arguments):
        self.succeed("figure", *arguments, "-o", "a.json", "--force")
        return json.loads(self.bytes_of("a.json"))

    def names(self, figure):
        return [[series["name"] for series in plot["series"]] for plot in figure["plots"]]

    def test_help_lists_them_all(self):
        for command in (["evaluate"], ["table"], ["figure"], ["animate"]):
            text = " ".join(self.succeed(*command, "--help").split())
            self.assertIn("--transforms", text)
            self.assertIn(", ".join(ALL), text)

    def test_a_table_of_all(self):
        rows = self.succeed_json("table", "--sizes", "256", "--sets", 32, "--transforms",
                                 ",".join(ALL))["rows"]
        self.assertEqual([row["transform"] for row in rows], ALL)
        for row in rows:
            # The paper has softmax and its adaptive temperature, and no others.
            self.assertEqual(row["paper_mean"] is not None, row["transform"] in ALL[:2])
        self.assertEqual(len({row["entropy"] for row in rows}), len(ALL))

    def test_a_saved_table_has_the_usual_ones(self):
        self.fail_with(2, "table", "--sizes", "16", "--sets", 2, "--save", "t.json", "--transforms",
                       "softmax,top-k", words=["--save"])

    def test_figures(self):
        grid = self.figure("dispersion", "--transforms", "sparsemax,top-k:k=8")["grids"][0]
        self.assertEqual([strip["title"] for strip in grid["strips"]],
                         ["softmax", "sparsemax", "top-k"])
        self.assertEqual(grid["strips"][2]["subtitle"], "θ = 1, k = 8")
        curves = self.names(self.figure("entropy", "--sets", 4, "--transforms", ",".join(ALL)))
        self.assertEqual(curves[0], curves[1])
        self.assertEqual(len(curves[0]), len(ALL))
        table = self.figure("table", "--sets", 4, "--transforms", "adaptive,entmax-1.5")["tables"][0]
        names = [row[0]["text"] for row in table["rows"]]
        self.assertIn("entmax-1.5 − softmax", names)
        self.assertNotIn("hard, θ → 0", names)

    def test_a_figure_is_made_again_from_its_file(self):
        self.succeed("figure", "dispersion", "--transforms", "Top-K:k=8,hard", "-o", "old.svg")
        self.assertIn("--transforms top-k:k=8,hard", self.bytes_of("old.svg").decode())
        self.succeed("figure", "--from", "old.svg", "-o", "new.svg")
        self.assertEqual(self.bytes_of("old.svg"), self.bytes_of("new.svg"))

    def test_animations(self):
        self.succeed("animate", "dispersion", "-o", "a.gif", "--largest", "64", "--transforms",
                     "log-n,entmax-1.5")
        gif = gif_parts(self.bytes_of("a.gif"))
        self.assertEqual(gif["images"], 3)
        self.assertIn("--transforms log-n,entmax-1.5", gif["told"]["command"])

    def test_figures_without_transforms_refuse_them(self):
        self.fail_with(2, "figure", "bounds", "-o", "a.svg", "--transforms", "hard",
                       words=["--transforms does nothing for the figure 'bounds'"])
        self.fail_with(2, "figure", "entropy", "-o", "a.svg", "--transforms", "nobody",
                       words=["--transforms", "nobody", "entmax-1.5"])


if __name__ == "__main__":
    unittest.main()
