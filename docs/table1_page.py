"""The page docs/table1.md out of stored tables: every number in it comes from them, or from the closed form
of what rounding leaves possible."""

import math

from table1_statistics import (BF16_DIGITS, FP16_DIGITS, best_rounded_accuracy, compare_pairs, most_ties,
                               perfect_argmax_accuracy, share_of_commonest)

SIZES = [16 << k for k in range(11)]


# Text.


def percent(fraction):
    """With one decimal, and a typographic minus unless all digits are 0."""
    text = "%.1f" % (100 * fraction)
    return "0.0" if text == "-0.0" else text.replace("-", "\u2212")


def p_text(p):
    """Three digits that count; very small ones as a bound, because their exact size says nothing."""
    if p is None:
        return "-"
    if p < 1e-12:
        return "< 1e-12"
    if p >= 0.01:
        return "%.2f" % p
    exponent = math.floor(math.log10(p))
    return "%.1fe%d" % (p / 10.0**exponent, exponent)


def table_row(cells):
    return "|" + "".join(f" {cell} |" for cell in cells) + "\n"


def heading(names):
    """The first column to the left, numbers to the right."""
    return table_row(names) + "|:--|" + "--:|" * (len(names) - 1) + "\n"


def interval_text(row):
    if row["low"] is None:
        return row["interval_reason"]
    # Stored tables may have intervals that reach past what a share can be.
    return percent(max(row["low"], 0)) + " .. " + percent(min(row["high"], 1))


def deviation_text(row):
    return "-" if row["std_between_seeds"] is None else percent(row["std_between_seeds"])


def find_arm(results, name):
    return next((result for result in results if result["arm"] == name), None)


def find_row(result, items, transform):
    return next((row for row in result["rows"] if row["n"] == items and row["transform"] == transform), None)


def paper_mean(results, items, transform):
    rows = (find_row(result, items, transform) for result in results)
    return next((row["paper_mean"] for row in rows if row and row["paper_mean"] is not None), None)


class Verdict:
    """Where the paper's means lie beside our intervals, over both of its rows."""

    def __init__(self, result):
        rows = [row for row in result["rows"] if row["paper_inside"] is not None]
        self.cells = len(rows)
        self.inside = sum(row["paper_inside"] for row in rows)
        self.below = sum(row["paper_mean"] < row["low"] for row in rows)
        self.above = self.cells - self.inside - self.below
        self.distance = sum(abs(row["mean"] - row["paper_mean"]) for row in rows) / max(1, len(rows))


# Sections.

INTRODUCTION = """# Table 1, measured

Table 1 of [*Softmax is not Enough (for Sharp Size Generalisation)*](https://arxiv.org/abs/2410.01104),
measured on max-retrieval heads of our own.
This page is written by `docs/table1.py` from the tables stored in docs/results; every number of
ours in it is computed. `docs/table1.py ARM` trains and evaluates an arm again. Accuracy is in
percent. Intervals are Student's t over the seeds; p is the two-sided paired t-test of adaptive
against plain softmax over the seeds, McNemar the exact test over all sets of all seeds; "seeds'
s.d." is the standard deviation between seeds; hard is attention in the limit theta -> 0; H the
mean entropy of the plain weights in nats; argmax how often the largest logit sits on the
largest priority. Both transforms are evaluated on the same sets; sets differ from seed to seed. The
paper gives neither its number of sets nor the spread between its seeds, so its own
uncertainty is not in these comparisons.

"""


def nearest_sentence(results):
    """The arm nearest to the paper, of those with as many seeds as the first."""
    seeds = len(results[0]["heads"])
    complete = [result for result in results if len(result["heads"]) >= seeds]
    nearest = min(complete, key=lambda result: Verdict(result).distance)
    least = Verdict(nearest)
    return (f"**Nearest to the paper** of the arms below is {nearest['arm']} ({nearest['description']}): "
            f"{percent(least.distance)} points from it\non the mean over both rows, inside our 95 % interval "
            f"in {least.inside} of {least.cells} cells.\n\n")


def verdict_text(result):
    count = Verdict(result)
    return (f"The paper's mean lies inside our 95 % interval in {count.inside} of {count.cells} cells, below "
            f"it in {count.below}, above it in {count.above}.\n\n")


def gain_sentence(result):
    """The largest gain of adaptive over plain attention, ours and the paper's."""
    ours, papers = (-1, 0), (-1, 0)
    for items in SIZES:
        adaptive = find_row(result, items, "adaptive")
        plain = paper_mean([result], items, "softmax")
        if not adaptive or plain is None or adaptive["difference"] is None:
            continue
        ours = max(ours, (adaptive["difference"], items), key=lambda gain: gain[0])
        papers = max(papers, (adaptive["paper_mean"] - plain, items), key=lambda gain: gain[0])
    if ours[1] == 0:
        return ""
    return (f"Adaptive temperature gains most at n = {ours[1]}: {percent(ours[0])} points; in the paper "
            f"{percent(papers[0])} at n = {papers[1]}.\n")


def hard_sentence(result):
    """Hard attention answers the class of the item with the largest logit. Where it is right no more often
    than that item is the maximum, no error ever lands on another item of the right class."""
    largest = max((abs(row["mean"] - row["argmax_correct"]) for row in result["rows"]
                   if row["transform"] == "hard"), default=0)
    if largest > 1e-3:
        return ""
    return (f"Hard attention is right as often as the largest logit sits on the maximum, to "
            f"{100 * largest:.3f} points in every row, where chance would make it right in a tenth of the "
            f"other sets too: within a class the head ranks by priority without error, and what it gets "
            f"wrong is the comparison of classes.\n\n")


def paper_place(row):
    if row["paper_inside"] is None:
        return "-"
    if row["paper_inside"]:
        return "inside"
    return "below ours" if row["paper_mean"] < row["low"] else "above ours"


def full_table(result):
    """An arm cell by cell: both rows of the paper, and hard attention."""
    text = heading(["n", "softmax", "95 % interval", "seeds' s.d.", "paper", "", "adaptive", "95 % interval",
                    "seeds' s.d.", "paper", "", "p", "paper's p", "McNemar", "hard", "H", "argmax"])
    for items in SIZES:
        plain, adaptive, hard = (find_row(result, items, name) for name in ("softmax", "adaptive", "hard"))
        if not (plain and adaptive and hard):
            continue
        cells = [items]
        for row in (plain, adaptive):
            cells += [percent(row["mean"]), interval_text(row), deviation_text(row),
                      percent(row["paper_mean"]), paper_place(row)]
        cells += [p_text(adaptive[key]) for key in ("p_value", "paper_p_value", "mcnemar_p")]
        text += table_row(cells + [percent(hard["mean"]), "%.2f" % plain["entropy_plain"],
                                   percent(plain["argmax_correct"])])
    return text


def provenance_text(result):
    heads = result["heads"]
    recipe = heads[0]["recipe"]
    return ("{} seeds, {} steps each (Adam {learning_rate}, L2 {l2} {l2_lambda}, batches of {batch_sets} "
            "sets of {smallest_set} to {largest_set} items, {path} path, {precision}), evaluated on {} sets "
            "per seed and size at commit {}, {}; runs".format(
                len(heads), heads[0]["step"], result["sets_per_seed"], result["commit"],
                result["instruction_set"], **recipe)
            + "".join(" " + head["run_hash"] for head in heads) + "\n")


def arm_section(result):
    return (f"## {result['arm']}: {result['description']}\n\n" + verdict_text(result) + gain_sentence(result)
            + hard_sentence(result) + full_table(result) + "\n" + provenance_text(result) + "\n")


def between_section(exact, rounded_arm):
    """How often the paper's means lie between those of an arm that rounds nothing, and of one that rounds
    the inputs of all products."""
    cells = between = 0
    for row in exact["rows"]:
        other = find_row(rounded_arm, row["n"], row["transform"])
        if not other or row["paper_mean"] is None:
            continue
        cells += 1
        low, high = sorted((row["mean"], other["mean"]))
        between += low <= row["paper_mean"] <= high
    return (f"## The paper between fp32 and bf16\n\nIn {between} of {cells} cells the paper's mean lies "
            "between that of the default recipe in fp32 and that of the same\nrecipe trained and evaluated "
            "in bf16. The paper does not say in which precision it computed; many\ndevices round the inputs "
            "of products by default.\n\n")


def rounding_section(results):
    text = """## What rounding alone allows

What priorities rounded to bf16 or fp16 leave possible, in closed form. *argmax*: the accuracy of one
who takes an item with the largest rounded priority, at random among those that tie, and answers its
class. *best*: of one who answers the commonest class among those that tie; nobody can do better. A
softmax weighs the classes of all tied items, so it can beat the argmax. In fp32 both are 100.

"""
    text += heading(["n", "paper, softmax", "paper, adaptive", "argmax, bf16", "best, bf16", "argmax, fp16",
                     "best, fp16"])
    shares = share_of_commonest(max(most_ties(BF16_DIGITS, SIZES[-1]), most_ties(FP16_DIGITS, SIZES[-1])))
    for items in SIZES:
        paper = [paper_mean(results, items, name) for name in ("softmax", "adaptive")]
        if None in paper:
            continue
        possible = [share for digits in (BF16_DIGITS, FP16_DIGITS)
                    for share in (perfect_argmax_accuracy(digits, items),
                                  best_rounded_accuracy(digits, items, shares))]
        text += table_row([items] + [percent(share) for share in paper + possible])
    return text + "\n"


def path_section(spectral, direct):
    """The same seeds trained by the spectral and by the direct path, pair by pair."""
    pairs = agreeing = 0
    rows = {"softmax": "", "adaptive": ""}
    for row in spectral["rows"]:
        other = find_row(direct, row["n"], row["transform"])
        if not other:
            continue
        pairs += 1
        test = compare_pairs(row["seed_accuracies"], other["seed_accuracies"])
        if isinstance(test, str):
            agreeing += test == "no difference"
            cells = ["-", test, "-"]
        else:
            mean, low, high, p = test
            agreeing += low <= 0 <= high
            cells = [percent(mean), percent(low) + " .. " + percent(high), p_text(p)]
        if row["transform"] in rows:
            rows[row["transform"]] += table_row(
                [row["n"], row["transform"], percent(row["mean"]), interval_text(row),
                 percent(other["mean"]), interval_text(other)] + cells)
    return ("## Both paths\n\nThe spectral path is the default, the direct one the definition. The same "
            "seeds trained by\neach on the same batches, evaluated on the same sets; difference: spectral "
            "minus direct, with\nits 95 % interval and p over pairs of seeds. "
            f"In {agreeing} of {pairs} cells, hard attention's among them, the interval of the difference "
            "holds 0.\n\n" + heading(["n", "transform", "spectral", "95 % interval", "direct",
                                      "95 % interval", "difference", "95 % interval", "p"])
            + rows["softmax"] + rows["adaptive"] + "\n")


def verdict_table(results):
    text = heading(["arm", "", "seeds", "paper inside our interval", "below it", "above it",
                    "mean distance, points"])
    for result in results:
        count = Verdict(result)
        text += table_row([result["arm"], result["description"], len(result["heads"]),
                           f"{count.inside} of {count.cells}", count.below, count.above,
                           percent(count.distance)])
    return text


def comparison(results, transform):
    """One transform of all arms side by side."""
    text = heading(["n", "paper"] + [f"{result['arm']} ({len(result['heads'])})" for result in results])
    for items in SIZES:
        paper = paper_mean(results, items, transform)
        cells = [items, "-" if paper is None else percent(paper)]
        for result in results:
            row = find_row(result, items, transform)
            cells.append(f"{percent(row['mean'])} ± {deviation_text(row)}" if row else "-")
        text += table_row(cells)
    return text


def all_arms_section(results):
    text = ("## All arms\n\nWhere the paper's means lie, both rows. The cells of an arm share its heads and "
            "are not independent;\nthree seeds make wide intervals, which hold much.\n\n"
            + verdict_table(results)
            + "\nMean ± standard deviation between seeds; the number of seeds in brackets (with three, the "
            "95 %\ninterval of a mean is ± 2.5 standard deviations; with ten, ± 0.7). Softmax:\n\n"
            + comparison(results, "softmax") + "\nAdaptive temperature:\n\n"
            + comparison(results, "adaptive") + "\n")
    for result in results:
        text += f"- **{result['arm']}**: {result['description']}. {provenance_text(result)}"
    return text


def page(results):
    """The page in Markdown; `results` are stored tables in the order of the arms, one at least."""
    text = INTRODUCTION + nearest_sentence(results)
    exact, rounded_arm = find_arm(results, "default"), find_arm(results, "bf16")
    for result in (exact, rounded_arm):
        text += arm_section(result) if result else ""
    if exact and rounded_arm:
        text += between_section(exact, rounded_arm)
    text += rounding_section(results)
    spectral, direct = find_arm(results, "spectral-20k"), find_arm(results, "direct-20k")
    if spectral and direct:
        text += path_section(spectral, direct)
    return text + all_arms_section(results)
