"""The section of docs/table1.md on why the paper's table differs from ours: what a rule that was fixed
beforehand says of every arm, and what rounding allows."""

import math

from table1_statistics import BF16_DIGITS, FP16_DIGITS, inside_probability, least_unrounded_accuracy
from table1_text import heading, numbers_text, percent, score_text, table_row
from table1_verdicts import (CELLS, CELLS_INSIDE, GAINS, GAINS_INSIDE, PAPER_ROUNDING, PAPER_SEEDS, SIZES,
                             Verdict, paper_mean, possible, rounds)

IDENTICAL = CELLS * inside_probability(PAPER_SEEDS, PAPER_SEEDS)
RULE = ("The rule, fixed before heads were trained with nothing but their priorities rounded, and after the "
        "other arms had been seen: an arm explains the table if the paper's mean lies inside our 95 % interval "
        f"in at least {CELLS_INSIDE} of {CELLS} cells, and the paper's gain of adaptive over plain attention "
        f"inside that of our gain at {GAINS_INSIDE} of {GAINS} sizes or more. (An identical experiment with "
        f"{PAPER_SEEDS} seeds each is inside in {IDENTICAL:.1f} of {CELLS} cells on the mean, so it too can "
        "fail.) ")


def arms_text(verdicts):
    return ", ".join(f"{verdict.result['arm']} ({score_text(verdict)})" for verdict in verdicts) or "none"


def explained_text(explaining, count):
    """Some arms meet the rule."""
    explain = "explains" if len(explaining) == 1 else "explain"
    return (f"**{len(explaining)} of {count} arms {explain} it by this rule:** {arms_text(explaining)}. It "
            "follows that heads made and measured in this way give a table like the paper's. It does not follow "
            "that the paper's were: the rule looks at one arm at a time however many are tried, what was not "
            "tried may fit as well, and the paper does not say in which precision it computed. ")


def unexplained_text(verdicts):
    """None does; which meet one half of it."""
    means = [verdict for verdict in verdicts if verdict.holds_means]
    gains = [verdict for verdict in verdicts if verdict.holds_gains]
    return (f"**No arm of {len(verdicts)} explains it.** Enough means are inside for {arms_text(means)}; "
            f"enough gains for {arms_text(gains)}. It follows that none of these ways to train and evaluate"
            + (", rounding among them," if any(rounds(verdict.result) for verdict in verdicts) else "")
            + " is shown to be the cause of the difference. It does not follow that rounding plays no part in "
            "it: further combinations, other formats and other places to round were not tried, and how far the "
            "paper's own ten seeds spread is not known. ")


def sizes_above(results, transform, allowed):
    """Where the paper's mean is more than `allowed(items)`, even if its last digit was rounded up."""
    found = []
    for items in SIZES:
        mean = paper_mean(results, items, transform)
        if mean is not None and mean - PAPER_ROUNDING > allowed(items):
            found.append(items)
    return found


def mean_distance(results, transform, allowed):
    pairs = [(paper_mean(results, items, transform), allowed(items)) for items in SIZES]
    distances = [abs(mean - other) for mean, other in pairs if mean is not None]
    return sum(distances) / len(distances) if distances else None


def above_text(plain, adaptive):
    return " and ".join(f"for {name} attention at n = {numbers_text(sizes)}"
                        for name, sizes in (("plain", plain), ("adaptive", adaptive)) if sizes)


def ceiling_text(results):
    """The paper's means beside what priorities rounded to bf16 allow."""
    def argmax(items):
        return possible(BF16_DIGITS, items)[0]

    def best(items):
        return possible(BF16_DIGITS, items)[1]

    distances = [mean_distance(results, name, argmax) for name in ("softmax", "adaptive")]
    if None in distances:
        return ""
    over_argmax, over_best = ([sizes_above(results, name, allowed) for name in ("softmax", "adaptive")]
                              for allowed in (argmax, best))
    text = ("What rounding allows, in closed form (the table below): the paper's plain row is "
            f"{percent(distances[0])} points from a perfect argmax on bf16 priorities on the mean, its adaptive "
            f"row {percent(distances[1])} (compared afterwards). ")
    if any(over_argmax):
        text += f"The paper is above that argmax {above_text(*over_argmax)}, "
    else:
        text += "The paper is nowhere above that argmax, "
    if any(over_best):
        return text + ("and above the best that any reader of such priorities reaches "
                       f"{above_text(*over_best)}: more than these priorities allow.\n\n")
    return text + ("and nowhere above the best that any reader of such priorities reaches: they would allow "
                   "its table, as unrounded ones do.\n\n")


def cause_section(results):
    verdicts = [Verdict(result) for result in results]
    explaining = [verdict for verdict in verdicts if verdict.explains]
    return ("## The cause\n\n" + RULE
            + (explained_text(explaining, len(verdicts)) if explaining else unexplained_text(verdicts))
            + ceiling_text(results))


def rounding_section(results):
    text = """## What rounding alone allows

What priorities rounded to bf16 or fp16 leave possible, in closed form. *argmax*: the accuracy of one
who takes an item with the largest rounded priority, at random among those that tie, and answers its
class. *best*: of one who answers the commonest class among those that tie; nobody can do better. A
softmax weighs the classes of all tied items, so it can beat the argmax. """
    least = math.floor(1e4 * least_unrounded_accuracy(SIZES[-1])) / 100
    text += f"Without rounding both are at least {least:.2f}.\n\n"
    text += heading(["n", "paper, softmax", "paper, adaptive", "argmax, bf16", "best, bf16", "argmax, fp16",
                     "best, fp16"])
    for items in SIZES:
        paper = [paper_mean(results, items, name) for name in ("softmax", "adaptive")]
        if None in paper:
            continue
        allowed = [share for digits in (BF16_DIGITS, FP16_DIGITS) for share in possible(digits, items)]
        text += table_row([items] + [percent(share) for share in paper + allowed])
    return text + "\n"
