"""What an arm's stored table says of the paper's: which of its means lie inside our intervals, which of its
gains inside those of ours, and whether the arm explains the table by a rule that was fixed beforehand."""

import dataclasses
import functools

from table1_statistics import (BF16_DIGITS, FP16_DIGITS, best_rounded_accuracy, bootstrap_interval, compare_pairs,
                               inside_probability, most_ties, perfect_argmax_accuracy, share_of_commonest)

SIZES = [16 << k for k in range(11)]
PAPER_SEEDS = 10
PAPER_ROUNDING = 0.0005  # half of the last digit of its means

# Fixed before the arms with rounded priorities in training were trained: of the paper's 22 means, and of its
# 11 gains of adaptive over plain attention, so many must lie inside our 95 % intervals.
CELLS, CELLS_INSIDE = 2 * len(SIZES), 19
GAINS, GAINS_INSIDE = len(SIZES), 10


def find_arm(results, name):
    return next((result for result in results if result["arm"] == name), None)


def find_row(result, items, transform):
    return next((row for row in result["rows"] if (row["n"], row["transform"]) == (items, transform)), None)


def paper_mean(results, items, transform):
    rows = (find_row(result, items, transform) for result in results)
    return next((row["paper_mean"] for row in rows if row and row["paper_mean"] is not None), None)


def interval_of(row):
    """(low, high), or in its place a text that says why there is none. Seeds that are all alike say nothing
    of how far others would lie."""
    if row["low"] is None:
        return row["interval_reason"]
    return (row["low"], row["high"]) if row["low"] < row["high"] else "all seeds equal"


def paper_place(row):
    """inside, below or above our interval; nothing where one of the two is missing."""
    interval = interval_of(row)
    if row["paper_mean"] is None or isinstance(interval, str):
        return ""
    low, high = interval
    return "below" if row["paper_mean"] < low else "above" if row["paper_mean"] > high else "inside"


@dataclasses.dataclass(frozen=True)
class Gain:
    """Adaptive minus plain attention at one size."""

    items: int
    paper: float  # of the paper's means
    ours: object  # mean, low, high and p over the seeds; or a text that says why not

    def inside(self, allowance=0.0):
        """Whether the paper's gain lies inside our interval; None where there is none. `allowance`: how far
        the paper's gain may be from what it gives."""
        if isinstance(self.ours, str):
            return None
        _, low, high, _ = self.ours
        return low - allowance <= self.paper <= high + allowance


def gains_of(result):
    gains = []
    for items in SIZES:
        plain, adaptive = (find_row(result, items, name) for name in ("softmax", "adaptive"))
        papers = [paper_mean([result], items, name) for name in ("softmax", "adaptive")]
        if plain and adaptive and None not in papers:
            # The paper has three decimals; what binary fractions add is none of its.
            gains.append(Gain(items, round(papers[1] - papers[0], 3),
                              compare_pairs(adaptive["seed_accuracies"], plain["seed_accuracies"])))
    return gains


class Verdict:
    """Where the paper's means lie beside our intervals, over both of its rows, and its gains beside ours."""

    def __init__(self, result):
        self.result = result
        self.rows = [row for row in result["rows"] if row["paper_mean"] is not None]
        self.seeds = len(result["heads"])
        places = [paper_place(row) for row in self.rows]
        self.inside, self.below, self.above = map(places.count, ("inside", "below", "above"))
        self.cells = self.inside + self.below + self.above  # that have an interval
        self.gains = gains_of(result)
        self.gains_inside = [gain.inside() for gain in self.gains].count(True)
        self.gains_with_rounding = [gain.inside(2 * PAPER_ROUNDING) for gain in self.gains].count(True)

    @property
    def distance(self):
        """Mean over the cells of how far the paper's mean is from ours; None without cells."""
        if not self.rows:
            return None
        return sum(abs(row["mean"] - row["paper_mean"]) for row in self.rows) / len(self.rows)

    @property
    def holds_means(self):
        return self.inside >= CELLS_INSIDE

    @property
    def holds_gains(self):
        return self.gains_inside >= GAINS_INSIDE

    @property
    def explains(self):
        """By the rule that was fixed; a cell without an interval holds nothing."""
        return self.holds_means and self.holds_gains

    @property
    def expected_inside(self):
        """In how many of the cells that have an interval an identical experiment with the paper's number of
        seeds would lie inside, on the mean; None where none has."""
        return self.cells * inside_probability(self.seeds, PAPER_SEEDS) if self.cells else None

    def distance_interval(self):
        """Bootstrap over the seeds: (low, high), or why not."""
        return bootstrap_interval([row["seed_accuracies"] for row in self.rows],
                                  [row["paper_mean"] for row in self.rows])


def rounds(result):
    """Whether anything is rounded, in training or in evaluation."""
    return {result["evaluation_precision"], result["heads"][0]["recipe"]["precision"]} != {"fp32"}


def complete(results):
    """Those with the most seeds."""
    most = max(len(result["heads"]) for result in results)
    return [result for result in results if len(result["heads"]) == most]


def bracketed(first, second):
    """In how many of the paper's cells that both have its mean lies between theirs, and how many they are."""
    between = cells = 0
    for row in first["rows"]:
        other = find_row(second, row["n"], row["transform"])
        if not other or row["paper_mean"] is None:
            continue
        cells += 1
        between += min(row["mean"], other["mean"]) <= row["paper_mean"] <= max(row["mean"], other["mean"])
    return between, cells


@functools.lru_cache
def shares_of_ties():
    return share_of_commonest(max(most_ties(BF16_DIGITS, SIZES[-1]), most_ties(FP16_DIGITS, SIZES[-1])))


@functools.lru_cache
def possible(digits, items):
    """What priorities rounded to so many digits allow: a perfect argmax, and the best that there is."""
    return perfect_argmax_accuracy(digits, items), best_rounded_accuracy(digits, items, shares_of_ties())
