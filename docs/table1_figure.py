"""The figure of docs/table1.md: the paper's rows beside ours, with and without rounding, and beside what
rounding allows, as JSON that dispersion_lab draws."""

import json
import math

from table1_statistics import BF16_DIGITS
from table1_verdicts import SIZES, find_arm, find_row, gains_of, interval_of, paper_mean, possible

ARMS = ("default", "bf16-priorities")  # unrounded, and rounded in training and in evaluation
LINK = "figures/table1.png"
PLOTS = (("softmax", "Plain softmax"), ("adaptive", "Adaptive temperature"))
OURS = (("ours, fp32", "baseline", "disc"), ("ours, bf16 priorities", "adaptive", "square"))


def shown_arms(results):
    """Those of the figure; nothing while one is missing."""
    arms = [find_arm(results, name) for name in ARMS]
    return [] if None in arms else arms


def axis(label, low, high, ticks, logarithmic=False):
    return {"label": label, "logarithmic": logarithmic, "low": low, "high": high,
            "ticks": [{"value": value, "label": str(value)} for value in ticks]}


def series(name, role, points, mark, line="solid"):
    """points: (x, y), or (x, y, low, high) with error bars."""
    columns = [list(column) for column in zip(*points)] or [[], []]
    low, high = columns[2:] or ([], [])
    return {"name": name, "role": role, "x": columns[0], "y": columns[1], "low": low, "high": high,
            "markers": True, "line": line, "mark": mark}


def arm_points(result, transform):
    """With intervals, if every point has one."""
    rows = [row for items in SIZES if (row := find_row(result, items, transform))]
    points = [(row["n"], 100 * row["mean"]) for row in rows]
    intervals = [interval_of(row) for row in rows]
    if any(isinstance(interval, str) for interval in intervals):
        return points
    return [(*point, 100 * max(low, 0), 100 * min(high, 1)) for point, (low, high) in zip(points, intervals)]


def line_plot(title, subtitle, y, curves):
    return {"title": title, "subtitle": subtitle,
            "x": axis("number of items n", SIZES[0] / 1.25, SIZES[-1] * 1.25, SIZES, logarithmic=True),
            "y": y, "series": curves, "lines": [], "ranges": [], "bars": [], "unseen": []}


def accuracy_plot(results, transform, title):
    paper = [(items, 100 * mean) for items in SIZES
             if (mean := paper_mean(results, items, transform)) is not None]
    argmax = [(items, 100 * possible(BF16_DIGITS, items)[0]) for items in SIZES]
    curves = [series("perfect argmax, bf16 priorities", "reference", argmax, "ring", "dashed")]
    curves += [series(name, role, arm_points(arm, transform), mark)
               for arm, (name, role, mark) in zip(shown_arms(results), OURS)]
    return line_plot(title, "accuracy in % against n, 95 % intervals over the seeds",
                     axis("accuracy (%)", 0, 104, range(0, 101, 20)),
                     curves + [series("paper", "neutral", paper, "cross")])


def gain_plot(results):
    """Adaptive minus plain, over the sizes at which the gain has an interval."""
    curves = []
    for arm, (name, role, mark) in zip(shown_arms(results), OURS):
        points = [(gain.items, *(100 * value for value in gain.ours[:3])) for gain in gains_of(arm)
                  if not isinstance(gain.ours, str)]
        curves.append(series(name, role, points, mark))
    paper = [(gain.items, 100 * gain.paper) for gain in gains_of(shown_arms(results)[0])]
    curves.append(series("paper", "neutral", paper, "cross"))
    ends = [value for curve in curves for key in ("y", "low", "high") for value in curve[key]] + [0]
    low, high = math.floor(min(ends) / 2) * 2, math.ceil(max(ends) / 2) * 2 or 2
    return line_plot("Gain", "adaptive minus plain, points, 95 % intervals over the seeds",
                     axis("gain (points)", low, high, range(low, high + 1, 2)), curves)


def figure_json(results):
    """Nothing while an arm is missing."""
    arms = shown_arms(results)
    if not arms:
        return ""
    runs = [(f"runs of {arm['arm']}", " ".join(head["run_hash"] for head in arm["heads"])) for arm in arms]
    figure = {"name": "table1-rounding",
              "title": "Table 1: the paper, ours, and what rounded priorities allow", "sentence": "",
              "provenance": {"program": "dispersion_lab", "written by": "docs/table1.py", **dict(runs)},
              "grids": [], "fields": [], "tables": [],
              "plots": [gain_plot(results)] + [accuracy_plot(results, *which) for which in PLOTS]}
    return json.dumps(figure, separators=(",", ":"), ensure_ascii=False)


def figure_section(results):
    """Its link and what it shows."""
    arms = shown_arms(results)
    if not arms:
        return ""
    default, rounded = arms
    return (f"![The paper's accuracy over n, ours with and without rounding, and a perfect argmax on rounded "
            f"priorities]({LINK})\n\nThe paper's means, {default['arm']} ({default['description']}), "
            f"{rounded['arm']} ({rounded['description']}),\nand a perfect argmax on bf16 priorities, which a "
            "softmax over tied items can beat.\n\n")
