"""What docs/table1_page.py says of stored tables, with small ones that are made to go one way or the other."""

import json
import math
import random
import statistics as plain_statistics
import sys
import unittest

from support import ROOT, CommandLineTest

sys.path.insert(0, str(ROOT / "docs"))
import table1_cause as cause  # noqa: E402
import table1_figure  # noqa: E402
import table1_page as page  # noqa: E402
import table1_statistics as statistics  # noqa: E402
import table1_text as text  # noqa: E402
import table1_verdicts as verdicts  # noqa: E402

SIZES = [16 << k for k in range(11)]
T_OF_TEN = 2.2621571627982  # 97.5 % quantile with 9 degrees of freedom
RECIPE = {"learning_rate": 0.001, "l2": "none", "l2_lambda": 0.001, "batch_sets": 128, "smallest_set": 5,
          "largest_set": 16, "path": "spectral", "precision": "fp32"}
SPREAD = [0.03 * math.sin(seed) for seed in range(10)]  # of ten seeds
UNEVEN = [0.001 * math.cos(3 * seed) for seed in range(10)]  # of their gains


def row_of(items, transform, values, paper):
    """As the program stores it."""
    mean = sum(values) / len(values)
    row = {"n": items, "transform": transform, "mean": mean, "seed_accuracies": values, "paper_mean": paper,
           "low": None, "high": None, "interval_reason": "one seed", "std_between_seeds": None,
           "mcnemar_reason": None, "paper_p_value": None, "mcnemar_p": 0.5, "entropy_plain": 1.0, "argmax_correct": mean,
           "sets_pooled": 1000 * len(values)}
    if len(values) > 1:
        deviation = plain_statistics.stdev(values)
        half = T_OF_TEN * deviation / math.sqrt(len(values))
        row.update(low=mean - half, high=mean + half, std_between_seeds=deviation)
    return row


def table(arm, plain=0.5, gain=0.02, paper_plain=0.5, paper_gain=0.02, seeds=10, spread=None, uneven=None):
    """A stored table; `plain` to `paper_gain` are numbers or functions of n."""
    spread = SPREAD if spread is None else spread
    uneven = UNEVEN if uneven is None else uneven
    # So that the intervals lie around the mean that was asked for.
    spread = [value - sum(spread[:seeds]) / seeds for value in spread[:seeds]]
    uneven = [value - sum(uneven[:seeds]) / seeds for value in uneven[:seeds]]

    def at(value, items):
        return value(items) if callable(value) else value

    rows = []
    for items in SIZES:
        values = [at(plain, items) + value for value in spread]
        more = [value + at(gain, items) + other for value, other in zip(values, uneven)]
        paper = at(paper_plain, items)
        rows += [row_of(items, "softmax", values, paper),
                 row_of(items, "adaptive", more, paper + at(paper_gain, items)),
                 row_of(items, "hard", more, None)]
    heads = [{"run_hash": f"{seed:016x}", "step": 5, "recipe": RECIPE} for seed in range(seeds)]
    return {"arm": arm, "description": f"as {arm}", "heads": heads, "rows": rows, "sets_per_seed": 1000,
            "commit": "c0ffee", "instruction_set": "AVX2", "evaluation_precision": "fp32",
            "evaluation_path": "spectral"}


def first_sizes(count, wrong, right):
    """`right` at all sizes but the first `count`."""
    return lambda items: wrong if items < 16 << count else right


class Numbers(unittest.TestCase):
    def test_percent_has_no_minus_before_nothing(self):
        self.assertEqual([text.percent(value) for value in (0.5, -0.0001, -0.02)], ["50.0", "0.0", "\u22122.0"])
        self.assertEqual(text.percent(-0.0001, 2), "\u22120.01")

    def test_p(self):
        self.assertEqual([text.p_text(p) for p in (None, 0.4, 2.3e-4, 9.99e-5, 1e-13)],
                         ["-", "0.40", "2.3e-4", "1.0e-4", "< 1e-12"])

    def test_an_interval_is_cut_and_marked_or_has_a_reason(self):
        row = {"low": 0.97, "high": 1.01, "interval_reason": None}
        self.assertEqual(text.interval_text(row), "97.0 .. 100.0 (cut)")
        self.assertEqual(text.interval_text({**row, "low": 0.0, "high": 0.5}), "0.0 .. 50.0 (cut)")
        self.assertEqual(text.interval_text({**row, "high": 0.99}), "97.0 .. 99.0")
        self.assertEqual(text.interval_text({**row, "high": 0.97}), "all seeds equal")
        self.assertEqual(text.interval_text({"low": None, "interval_reason": "one seed"}), "one seed")

    def test_a_gain_has_digits_for_its_interval(self):
        gain = verdicts.Gain(16, 0, (0.00003, 0.00001, 0.00005, 0.5))
        self.assertEqual(text.gain_text(gain), "0.003 (0.001 .. 0.005), 0.50")
        gain = verdicts.Gain(16, 0, (0.03, 0.01, 0.05, 0.5))
        self.assertEqual(text.gain_text(gain), "3.0 (1.0 .. 5.0), 0.50")
        self.assertEqual(text.gain_text(verdicts.Gain(16, 0, "no difference")), "no difference")


class IdenticalExperiment(unittest.TestCase):
    def test_the_share_inside_agrees_with_simulation(self):
        draw = random.Random(3)
        for seeds, others in ((10, 10), (3, 10), (2, 10), (10, 40)):
            with self.subTest(seeds=seeds, others=others):
                quantile = statistics.student_t_quantile(0.05, seeds - 1)
                inside, count = 0, 20_000
                for _ in range(count):
                    ours = [draw.gauss(0, 1) for _ in range(seeds)]
                    other = draw.gauss(0, 1 / math.sqrt(others))
                    half = quantile * plain_statistics.stdev(ours) / math.sqrt(seeds)
                    inside += abs(sum(ours) / seeds - other) <= half
                share = statistics.inside_probability(seeds, others)
                self.assertAlmostEqual(inside / count, share, delta=4 * math.sqrt(share * (1 - share) / count))

    def test_ten_seeds_each(self):
        self.assertAlmostEqual(statistics.inside_probability(10, 10), 0.856, 3)
        self.assertIn("would be in 18.8 on the mean", text.inside_text(verdicts.Verdict(table("a"))))
        self.assertIn("18.8 of 22", cause.RULE)


class Bootstrap(unittest.TestCase):
    def test_two_seeds_by_hand(self):
        # Means 0.2, 0.3 and 0.4 with probabilities 1/4, 1/2 and 1/4.
        low, high = statistics.bootstrap_interval([[0.2, 0.4]], [0.1])
        self.assertAlmostEqual(low, 0.1)
        self.assertAlmostEqual(high, 0.3)

    def test_a_normal_mean(self):
        draw = random.Random(1)
        values = [draw.gauss(0, 1) for _ in range(100)]
        low, high = statistics.bootstrap_interval([values], [-100])
        mean = 100 + sum(values) / 100
        for end in (mean - low, high - mean):
            self.assertAlmostEqual(end, 1.96 * plain_statistics.pstdev(values) / 10, delta=0.02)

    def test_it_is_the_same_each_time_or_has_a_reason(self):
        cells = [SPREAD, UNEVEN]
        self.assertEqual(statistics.bootstrap_interval(cells, [0, 0]), statistics.bootstrap_interval(cells, [0, 0]))
        self.assertEqual(statistics.bootstrap_interval([[1]], [0]), "needs two seeds")
        self.assertEqual(statistics.bootstrap_interval([], []), "needs two seeds")
        self.assertEqual(statistics.bootstrap_interval([[1, 1], [2, 2]], [0, 0]), "all seeds equal")


class OfAnArm(unittest.TestCase):
    def test_means_are_counted_where_an_interval_has_a_width(self):
        count = verdicts.Verdict(table("a", plain=first_sizes(3, 0.9, 0.5), gain=0))
        # The first three sizes far below ours; the paper's adaptive row is 0.02 above at the others.
        self.assertEqual((count.inside, count.below, count.above, count.cells), (8, 6, 8, 22))
        for seeds, spread in ((1, SPREAD), (2, [0, 0])):
            count = verdicts.Verdict(table("a", seeds=seeds, spread=spread, uneven=[0, 0]))
            self.assertEqual((count.inside, count.below, count.above, count.cells), (0, 0, 0, 0))
            self.assertIsNone(count.expected_inside)
            self.assertFalse(count.explains)
            self.assertEqual(text.inside_text(count), "of which no cell has an interval")
            self.assertIn("no cell has an interval", page.verdict_text(count.result))

    def test_cells_without_an_interval_are_told(self):
        arm = table("a")
        for row in arm["rows"][:2]:
            row["low"] = row["high"] = row["mean"]
        self.assertIn("in 20 of 20 cells (2 have none), where", text.inside_text(verdicts.Verdict(arm)))

    def test_gains(self):
        gains = verdicts.gains_of(table("a", gain=0.02, paper_gain=0.0205))
        self.assertEqual([gain.inside() for gain in gains], [True] * 11)
        self.assertEqual([gain.paper for gain in gains], [0.02] * 11)  # 0.5205 - 0.5 in three decimals
        for paper_gain in (0.019, 0.021):
            narrow = verdicts.gains_of(table("a", paper_gain=paper_gain, uneven=[0.1 * u for u in UNEVEN]))
            self.assertEqual([gain.inside() for gain in narrow], [False] * 11)
            self.assertEqual([gain.inside(2 * verdicts.PAPER_ROUNDING) for gain in narrow], [True] * 11)

    def test_gains_without_an_interval(self):
        for more, reason in (({"seeds": 1}, "needs two seeds"), ({"uneven": [0] * 10}, "equal differences"),
                             ({"uneven": [0] * 10, "gain": 0}, "no difference")):
            count = verdicts.Verdict(table("a", **more))
            self.assertEqual([gain.ours for gain in count.gains], [reason] * 11)
            self.assertEqual((count.gains_inside, count.explains), (0, False))
            self.assertIn(f"| {reason} |", page.gains_section([count.result]))
            self.assertIn("0 of 11 gains, 11 without an interval", text.score_text(count))

    def test_an_arm_cell_by_cell_has_reasons(self):
        arm = table("default", seeds=1)
        for row in arm["rows"]:
            row.update(mcnemar_p=None, mcnemar_reason="no set differs")
        cells = page.full_table(arm).splitlines()[2].split(" | ")
        self.assertEqual(cells[2:6], ["one seed", "-", "50.0", ""])
        self.assertEqual(cells[11:14], ["needs two seeds", "-", "no set differs"])
        self.assertIn("| 16 | 50.0 | 50.0 |", page.comparison([arm], "softmax"))

    def test_the_largest_gain(self):
        def peak(items):
            return 0.05 if items == 256 else 0.01
        self.assertIn("gains most at n = 256: 5.0 points; in the paper 2.0 at n = 16.",
                      page.gain_sentence(table("a", gain=peak)))
        self.assertIn("better at no size", page.gain_sentence(table("a", gain=0, uneven=[0] * 10)))
        self.assertIn("better at no size", page.gain_sentence(table("a", gain=-0.01)))

    def test_hard_attention_is_counted(self):
        arm = table("a", gain=0)
        for row in arm["rows"]:
            row["argmax_correct"] = row["mean"]
        self.assertIn("of these heads hard attention is right in 55000, and the largest logit sits on the maximum "
                      "in 55000, in every row in as many.", page.hard_sentence(arm))
        arm["rows"][5]["argmax_correct"] -= 7 / 10_000
        self.assertIn("more than 7 of 10000 (n = 32)", page.hard_sentence(arm))
        self.assertNotIn("without error", page.page([arm]))

    def test_mcnemar_is_of_these_heads(self):
        whole = " ".join(page.page([table("default")]).split())
        self.assertEqual(whole.count("McNemar"), 2)
        self.assertIn("McNemar the exact test over all sets of these heads", whole)
        self.assertIn("| McNemar, these heads |", whole)


class TheRule(unittest.TestCase):
    def outcome(self, *arms):
        return cause.cause_section(list(arms))

    def test_it_needs_means_and_gains(self):
        for means_outside, gains_outside, explains in ((0, 0, True), (1, 0, True), (2, 0, False), (0, 1, True),
                                                       (0, 2, False)):
            with self.subTest(means=means_outside, gains=gains_outside):
                arm = table("a", plain=first_sizes(means_outside, 0.9, 0.5),
                            paper_gain=first_sizes(gains_outside, 0.025, 0.02))
                count = verdicts.Verdict(arm)
                self.assertEqual((count.inside, count.gains_inside), (22 - 2 * means_outside, 11 - gains_outside))
                self.assertEqual(count.explains, explains)
                self.assertIn("| yes |" if explains else "| no |", page.verdict_table([arm]))

    def test_it_is_met_by_just_enough(self):
        arm = table("a", plain=first_sizes(1, 0.9, 0.5))  # two means outside
        verdicts.find_row(arm, 512, "softmax")["paper_mean"] -= 0.05  # a third, and a gain
        count = verdicts.Verdict(arm)
        self.assertEqual((count.inside, count.gains_inside, count.explains), (19, 10, True))

    def test_an_arm_explains_it(self):
        section = self.outcome(table("bad", plain=0.9), table("good"))
        self.assertIn("1 of 2 arms explains it", section)
        self.assertIn("good (10 seeds, 22 of 22 means, 11 of 11 gains)", section)
        self.assertIn("does not follow that the paper's were", section)
        self.assertNotIn("No arm", section)
        self.assertNotIn("bad", section)

    def test_no_arm_explains_it(self):
        section = self.outcome(table("means", paper_gain=0.025), table("gains", plain=0.9),
                               table("neither", plain=0.9, paper_gain=0.3))
        self.assertIn("No arm of 3 explains it", section)
        self.assertIn("Enough means are inside for means (10 seeds, 22 of 22 means, 0 of 11 gains); enough gains "
                      "for gains (10 seeds, 0 of 22 means, 11 of 11 gains).", section)
        self.assertIn("none of these ways to train and evaluate is shown to be the cause", section)
        rounded = table("rounded", plain=0.9)
        rounded["evaluation_precision"] = "bf16"
        self.assertIn("to train and evaluate, rounding among them, is shown", self.outcome(rounded))
        self.assertIn("does not follow that rounding plays no part", section)
        self.assertIn("for none; enough gains for none", self.outcome(table("a", seeds=1)))

    def test_what_rounding_allows(self):
        def argmax(items):
            return statistics.perfect_argmax_accuracy(8, items)

        below = self.outcome(table("a", paper_plain=lambda n: argmax(n) - 0.03, paper_gain=0.01))
        self.assertIn("plain row is 3.0 points from a perfect argmax on bf16 priorities on the mean, its adaptive "
                      "row 2.0", below)
        self.assertIn("nowhere above that argmax, and nowhere above the best", below)
        # Between the argmax and the best at 16,384: 12.9 and 19.5.
        between = self.outcome(table("a", paper_plain=lambda n: 0.1, paper_gain=lambda n: 0.05 * (n == 16384)))
        self.assertIn("above that argmax for adaptive attention at n = 16384, and nowhere above the best", between)
        above = self.outcome(table("a", paper_plain=lambda n: 0.1 + 0.4 * (n >= 8192), paper_gain=0))
        self.assertIn("above the best that any reader of such priorities reaches for plain attention at n = 8192 "
                      "and 16384 and for adaptive attention at n = 8192 and 16384: more than", above)
        # A mean that was rounded up from the argmax is not above it.
        rounded = self.outcome(table("a", paper_plain=lambda n: argmax(n) + 0.0004, paper_gain=0))
        self.assertIn("nowhere above that argmax", rounded)

    def test_unrounded_priorities_tie_rarely(self):
        grid = statistics.GRID
        try:
            statistics.GRID = 1 << 8  # all 8 digits, so that nothing is rounded
            for items in (2, 5, 40):
                exact = statistics.perfect_argmax_accuracy(8, items)
                least = statistics.least_unrounded_accuracy(items)
                self.assertLess(least, exact)
                self.assertGreater(least, exact - 1.5 * (1 - exact) - 1e-5)
        finally:
            statistics.GRID = grid


class Nearest(unittest.TestCase):
    def test_it_is_chosen_afterwards_and_its_gains_are_told(self):
        arms = [table("far", plain=0.6), table("near", plain=0.505, gain=first_sizes(10, 0.02, 0.001)),
                table("three", seeds=3)]
        sentence = page.nearest_sentence(arms)
        self.assertIn("**Nearest to the paper** is near (as near): 0.5 points", sentence)
        self.assertIn("nearest of 2 arms with as many seeds, chosen after all were seen", sentence)
        low, high = verdicts.Verdict(arms[1]).distance_interval()
        self.assertIn(f"bootstrap over the seeds {text.range_text(low, high)}", sentence)
        self.assertIn("at 10 of 11 sizes; outside it, even with the rounding of the paper's means, at n = 16384 "
                      "(ours ", sentence)
        self.assertIn("the paper's 2.0)", sentence)

    def test_one_arm_is_not_chosen(self):
        sentence = page.nearest_sentence([table("only", seeds=1)])
        self.assertIn("only (as only)", sentence)
        self.assertIn("no interval: needs two seeds", sentence)
        self.assertNotIn("chosen", sentence)


class Between(unittest.TestCase):
    def rounded(self, *arguments, **more):
        result = table(*arguments, **more)
        result["evaluation_precision"] = "bf16"
        return result

    def test_other_pairs_are_counted(self):
        arms = [table("default", plain=0.6), self.rounded("bf16", plain=0.4), table("low", plain=0.3),
                self.rounded("high", plain=0.7), table("three", plain=0.2, seeds=3)]
        # Below the paper: bf16, low; above it: default, high. Three other pairs have it between them, of which
        # one rounds nothing: default and low.
        section = " ".join(page.between_section(arms).split())
        self.assertIn("In 22 of 22 cells", section)
        self.assertIn("Of the 5 other pairs of arms with as many seeds, 3 have it between them in as many cells or "
                      "more; the most is 22 (", section)
        self.assertIn("In 1 of these pairs nothing is rounded: to lie between two arms is no hint", section)

    def test_without_such_a_pair_nothing_is_concluded(self):
        arms = [table("default", plain=0.6), self.rounded("bf16", plain=0.4)]
        self.assertIn("no other pair", page.between_section(arms))
        section = " ".join(page.between_section(arms + [self.rounded("high", plain=0.7)]).split())
        self.assertIn("Of the 2 other pairs of arms with as many seeds, 1 has it between them", section)
        self.assertNotIn("no hint", section)
        alone = page.between_section(arms + [table("low", plain=lambda n: 0.3 if n > 16 else 0.9)])
        self.assertIn("0 have it between them", alone)
        self.assertNotIn("no hint", alone)
        self.assertEqual(page.between_section(arms[:1]), "")


class PageFigure(CommandLineTest):
    def arms(self, **more):
        return [table("default", plain=0.6), table("bf16-priorities", **more)]

    def test_it_shows_the_paper_both_arms_and_what_rounding_allows(self):
        figure = json.loads(table1_figure.figure_json(self.arms()))
        gain, plain, adaptive = figure["plots"]
        self.assertEqual([curve["name"] for curve in plain["series"]],
                         ["perfect argmax, bf16 priorities", "ours, fp32", "ours, bf16 priorities", "paper"])
        argmax, ours, rounded, paper = adaptive["series"]
        self.assertEqual(argmax["x"], SIZES)
        self.assertAlmostEqual(argmax["y"][-1], 100 * statistics.perfect_argmax_accuracy(8, 16384))
        self.assertAlmostEqual(ours["y"][0], 62)
        self.assertAlmostEqual(paper["y"][3], 52)
        self.assertLess(rounded["low"][0], rounded["y"][0])
        self.assertEqual([curve["name"] for curve in gain["series"]],
                         ["ours, fp32", "ours, bf16 priorities", "paper"])
        self.assertAlmostEqual(gain["series"][2]["y"][5], 2)

    def test_one_seed_has_no_intervals(self):
        arms = [table("default", seeds=1), table("bf16-priorities", seeds=1)]
        figure = json.loads(table1_figure.figure_json(arms))
        self.assertEqual(figure["plots"][1]["series"][1]["low"], [])
        self.assertEqual(figure["plots"][0]["series"][0]["x"], [])
        self.assertEqual(len(figure["plots"][0]["series"][2]["x"]), 11)

    def test_without_an_arm_there_is_none(self):
        self.assertEqual(table1_figure.figure_json([table("default")]), "")
        self.assertNotIn("table1.png", page.page([table("default")]))
        self.assertIn("](figures/table1.png)", page.page(self.arms()))

    def test_the_program_draws_it_and_gives_it_back(self):
        for arms in (self.arms(), [table("default", seeds=1), table("bf16-priorities", seeds=1)]):
            figure = table1_figure.figure_json(arms)
            (self.folder / "figure.json").write_text(figure, encoding="utf-8")
            self.succeed("figure", "--from", "figure.json", "-o", "figure.png", "--force")
            self.succeed("figure", "--from", "figure.png", "-o", "again.json", "--force")
            self.assertEqual(json.loads(self.bytes_of("again.json"))["plots"], json.loads(figure)["plots"])


if __name__ == "__main__":
    unittest.main()
