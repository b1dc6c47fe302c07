"""Figures in documents of LaTeX: two of them on a page compile without a warning."""

import re
import subprocess
import unittest

from support import PATIENCE_SECONDS, CommandLineTest

ARTICLE = r"""\documentclass{article}
\usepackage{graphicx}
\begin{document}
\noindent\includegraphics[width=0.45\textwidth,height=0.25\textheight,keepaspectratio]{opaque}\par
\noindent\includegraphics[width=0.45\textwidth,height=0.25\textheight,keepaspectratio]{opaque2}\par
\noindent\includegraphics[width=0.4\textwidth,height=0.25\textheight,keepaspectratio]{bands}
\includegraphics[width=0.4\textwidth,height=0.25\textheight,keepaspectratio]{bands2}
\end{document}
"""
BEAMER = r"""\documentclass{beamer}
\begin{document}
\begin{frame}
\includegraphics[width=0.45\textwidth]{opaque}
\includegraphics[width=0.45\textwidth]{bands}
\end{frame}
\end{document}
"""
# A figure as wide as the column, or the text, that its style is made for; the venues' own classes set these lengths.
COLUMNS = {
    "icml": (r"\documentclass[twocolumn]{article}\setlength\textwidth{6.75in}\setlength\columnsep{0.25in}", r"\columnwidth"),
    "neurips": (r"\documentclass{article}\setlength\textwidth{5.5in}", r"\textwidth"),
    "iclr": (r"\documentclass{article}\setlength\textwidth{5.5in}", r"\textwidth"),
    "twocolumn": (r"\documentclass[twocolumn]{article}", r"\columnwidth"),
    "a4": (r"\documentclass[a4paper]{article}", r"\textwidth"),
    "beamer": (r"\documentclass[aspectratio=169]{beamer}", r"\textwidth"),
}
MEASURED = r"""%s
\usepackage{graphicx}
\begin{document}
\newsavebox\figurebox
\sbox\figurebox{\includegraphics{%s}}
\typeout{widths \the\wd\figurebox, \the%s}
x
\end{document}
"""
TROUBLE = re.compile(r"^.*(?:warning(?: \(\w+\))?:|overfull|^!).*$", re.IGNORECASE | re.MULTILINE)


class Latex(CommandLineTest):
    def setUp(self):
        super().setUp()
        for name, figure in (("opaque", "dispersion"), ("opaque2", "bounds"), ("bands", "entropy"),
                             ("bands2", "spread")):
            self.succeed("figure", figure, "--style", "paper", "-o", name + ".pdf")

    def compile(self, program, text):
        (self.folder / "page.tex").write_text(text)
        for _ in range(2):  # the second run knows what the first one left for it
            result = subprocess.run([program, "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
                                    cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                                    timeout=PATIENCE_SECONDS)
            output = result.stdout.decode(errors="replace") + result.stderr.decode(errors="replace")
            self.assertEqual(result.returncode, 0, output)
        log = (self.folder / "page.log").read_text(errors="replace")
        pages = subprocess.run(["pdfinfo", "page.pdf"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("Pages:           1\n", pages.stdout)
        return [found[0] for found in TROUBLE.finditer(output + log)]

    def test_article_by_pdflatex(self):
        self.assertEqual(self.compile("pdflatex", ARTICLE), [])

    def test_article_by_xelatex(self):
        self.assertEqual(self.compile("xelatex", ARTICLE), [])

    def test_beamer(self):
        self.assertEqual(self.compile("pdflatex", BEAMER), [])

    def test_styles_are_as_wide_as_columns(self):
        for style, (preamble, length) in COLUMNS.items():
            with self.subTest(style):
                self.succeed("figure", "spread", "--style", style, "-o", style + ".pdf")
                self.compile("pdflatex", MEASURED % (preamble, style, length))
                log = (self.folder / "page.log").read_text(errors="replace")
                figure, column = re.search(r"widths ([\d.]+)pt, ([\d.]+)pt", log).groups()
                self.assertAlmostEqual(float(figure), float(column), delta=0.02)

    def test_a_page_group_is_warned_of(self):
        """The control: with the group that cairo writes, pdfTeX does warn."""
        group = b"/Group << /Type /Group /S /Transparency /I true /CS /DeviceRGB >>"
        for name in ("opaque", "opaque2"):
            before, blank, after = re.split(rb"(?<=/Contents 4 0 R)(\s+)(?=/Resources)", self.bytes_of(name + ".pdf"))
            (self.folder / (name + ".pdf")).write_bytes(before + group.center(len(blank)) + after)
        self.assertIn("multiple pdfs", "".join(self.compile("pdflatex", ARTICLE)))


if __name__ == "__main__":
    unittest.main()
