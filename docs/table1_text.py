"""Numbers, intervals and table rows of the page docs/table1.md as text."""

import math

from table1_verdicts import CELLS, GAINS, PAPER_SEEDS, interval_of


def percent(fraction, decimals=1):
    """With a typographic minus, unless all digits are 0."""
    text = f"{100 * fraction:.{decimals}f}"
    return (text if text.strip("-0.") else text.lstrip("-")).replace("-", "\u2212")


def p_text(p):
    """Two digits; very small ones as a bound, because their exact size says nothing."""
    if p is None:
        return "-"
    if p < 1e-12:
        return "< 1e-12"
    if p >= 0.01:
        return "%.2f" % p
    digits, exponent = ("%.1e" % p).split("e")
    return f"{digits}e{int(exponent)}"


def table_row(cells):
    return "|" + "".join(f" {cell} |" for cell in cells) + "\n"


def heading(names):
    """The first column to the left, numbers to the right."""
    return table_row(names) + "|:--|" + "--:|" * (len(names) - 1) + "\n"


def range_text(low, high, decimals=1):
    return f"{percent(low, decimals)} .. {percent(high, decimals)}"


def interval_text(row):
    """Of a share: Student's t knows no 0 and no 100, where the program cuts it, and this says so."""
    interval = interval_of(row)
    if isinstance(interval, str):
        return interval
    low, high = interval
    return range_text(max(low, 0), min(high, 1)) + (" (cut)" if low <= 0 or high >= 1 else "")


def deviation_text(row):
    return "-" if row["std_between_seeds"] is None else percent(row["std_between_seeds"])


def mean_text(row):
    """With the standard deviation between seeds, if there are several."""
    known = row["std_between_seeds"] is not None
    return percent(row["mean"]) + (f" ± {deviation_text(row)}" if known else "")


def gain_text(gain):
    """Mean, interval and p, or why there is none."""
    if isinstance(gain.ours, str):
        return gain.ours
    mean, low, high, p = gain.ours
    # So many that the interval keeps a digit: gains at small sizes are hundredths of a point.
    decimals = min(6, max(1, 1 + math.floor(-math.log10(100 * (high - low)))))
    return f"{percent(mean, decimals)} ({range_text(low, high, decimals)}), {p_text(p)}"


def numbers_text(numbers):
    """1, 2 and 3."""
    words = [str(number) for number in numbers]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def inside_text(verdict):
    """In how many cells, of which some may have no interval, and in how many an identical one would."""
    if verdict.cells == 0:
        return "of which no cell has an interval"
    missing = len(verdict.rows) - verdict.cells
    return (f"inside our 95 % interval in {verdict.inside} of {verdict.cells} cells"
            + (f" ({missing} have none)" if missing else "")
            + f", where an identical experiment with {PAPER_SEEDS} seeds would be in "
            f"{verdict.expected_inside:.1f} on the mean")


def score_text(verdict):
    """What the rule counts."""
    missing = [gain.inside() for gain in verdict.gains].count(None)
    return (f"{verdict.seeds} seeds, {verdict.inside} of {CELLS} means, {verdict.gains_inside} of {GAINS} "
            "gains" + (f", {missing} without an interval" if missing else ""))
