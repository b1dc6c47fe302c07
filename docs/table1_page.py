"""The page docs/table1.md out of stored tables: every number in it comes from them, or from the closed form
of what rounding leaves possible."""

import itertools
import math

from table1_cause import cause_section, rounding_section
from table1_figure import figure_section
from table1_statistics import compare_pairs, student_t_quantile
from table1_text import (deviation_text, gain_text, heading, inside_text, interval_text, mean_text, p_text,
                         percent, range_text, table_row)
from table1_verdicts import (GAINS, PAPER_ROUNDING, PAPER_SEEDS, SIZES, Verdict, bracketed, complete,
                             find_arm, find_row, gains_of, paper_mean, paper_place, rounds)

# Sections.

INTRODUCTION = """# Table 1, measured

Table 1 of [*Softmax is not Enough (for Sharp Size Generalisation)*](https://arxiv.org/abs/2410.01104),
measured on max-retrieval heads of our own.
This page is written by `docs/table1.py` from the tables stored in docs/results; every number of
ours in it is computed. `docs/table1.py ARM` trains and evaluates an arm again. Accuracy is in
percent. Intervals are Student's t over the seeds, cut where they reach past 0 or 100; p is the
two-sided paired t-test of adaptive against plain softmax over the seeds, McNemar the exact test over
all sets of these heads, which speaks of these heads and not of others trained in the same way; "seeds'
s.d." is the standard deviation between seeds; hard is attention in the limit theta -> 0; H the
mean entropy of the plain weights in nats; argmax how often the largest logit sits on the
largest priority. Both transforms are evaluated on the same sets; sets differ from seed to seed. The
paper gives neither its number of sets nor the spread between its seeds, so its own
uncertainty is not in these comparisons.

"""


def distance_text(verdict):
    interval = verdict.distance_interval()
    if isinstance(interval, str):
        return f"no interval: {interval}"
    return f"95 % bootstrap over the seeds {range_text(*interval)}"


def other_gains_text(verdict):
    """Where the paper's gain lies outside our interval even if its means were rounded against it."""
    gains = [gain for gain in verdict.gains if gain.inside(2 * PAPER_ROUNDING) is False]
    if not gains:
        return ""
    return ("; outside it, even with the rounding of the paper's means, at " + ", ".join(
        f"n = {gain.items} (ours {gain_text(gain)}; the paper's {percent(gain.paper)})" for gain in gains))


def nearest_sentence(results):
    """The arm nearest to the paper, of those with the most seeds."""
    verdicts = [verdict for verdict in map(Verdict, complete(results)) if verdict.distance is not None]
    if not verdicts:
        return ""
    nearest = min(verdicts, key=lambda verdict: verdict.distance)
    text = (f"**Nearest to the paper** is {nearest.result['arm']} ({nearest.result['description']}): "
            f"{percent(nearest.distance)} points from it on the mean over both rows "
            f"({distance_text(nearest)}), {inside_text(nearest)}. ")
    if len(verdicts) > 1:
        text += (f"It is the nearest of {len(verdicts)} arms with as many seeds, chosen after all were seen; "
                 "such a choice favours what chance has moved towards the paper. ")
    if not nearest.gains:
        return text + "\n\n"
    return text + ("The paper's gain of adaptive over plain attention lies inside the interval of its gain at "
                   f"{nearest.gains_inside} of {len(nearest.gains)} sizes{other_gains_text(nearest)}.\n\n")


def verdict_text(result):
    count = Verdict(result)
    return (f"The paper's mean lies {inside_text(count)}; below our interval in {count.below}, above it in "
            f"{count.above}.\n\n")


def gain_sentence(result):
    """The largest gain of adaptive over plain attention, ours and the paper's."""
    def mean(gain, transform):
        return find_row(result, gain.items, transform)["mean"]

    sizes = [(mean(gain, "adaptive") - mean(gain, "softmax"), gain) for gain in gains_of(result)]
    if not sizes:
        return ""
    ours, at = max(sizes, key=lambda size: size[0])
    papers = max((gain for _, gain in sizes), key=lambda gain: gain.paper)
    if ours <= 0:
        return "On the mean over the seeds adaptive temperature is better at no size.\n"
    return (f"Adaptive temperature gains most at n = {at.items}: {percent(ours)} points; in the paper "
            f"{percent(papers.paper)} at n = {papers.items}.\n")


def hard_sentence(result):
    """How often hard attention is right and the largest logit sits on the maximum, counted. (An answer can be
    right in spite of the wrong item, which has its class by chance in a tenth of the sets.)"""
    rows = [row for row in result["rows"] if row["transform"] == "hard"]
    if not rows:
        return ""
    right = [round(row["mean"] * row["sets_pooled"]) for row in rows]
    on_maximum = [round(row["argmax_correct"] * row["sets_pooled"]) for row in rows]
    apart = [abs(a - b) for a, b in zip(right, on_maximum)]
    sets = sum(row["sets_pooled"] for row in rows)
    at = rows[apart.index(max(apart))]
    text = (f"Of all {sets} sets of these heads hard attention is right in {sum(right)}, and the largest logit "
            f"sits on the maximum in {sum(on_maximum)}")
    if max(apart) == 0:
        return text + ", in every row in as many.\n\n"
    return text + (f"; in no row do the two counts differ by more than {max(apart)} of {at['sets_pooled']} "
                   f"(n = {at['n']}).\n\n")


def place_text(row):
    place = paper_place(row)
    return place if place in ("", "inside") else place + " ours"


def full_table(result):
    """An arm cell by cell: both rows of the paper, and hard attention."""
    text = heading(["n", "softmax", "95 % interval", "seeds' s.d.", "paper", "", "adaptive", "95 % interval",
                    "seeds' s.d.", "paper", "", "p", "paper's p", "McNemar, these heads", "hard", "H", "argmax"])
    for items in SIZES:
        plain, adaptive, hard = (find_row(result, items, name) for name in ("softmax", "adaptive", "hard"))
        if not (plain and adaptive and hard):
            continue
        cells = [items]
        for row in (plain, adaptive):
            cells += [percent(row["mean"]), interval_text(row), deviation_text(row),
                      percent(row["paper_mean"]), place_text(row)]
        test = compare_pairs(adaptive["seed_accuracies"], plain["seed_accuracies"])
        cells += [test if isinstance(test, str) else p_text(test[3]), p_text(adaptive["paper_p_value"]),
                  adaptive["mcnemar_reason"] or p_text(adaptive["mcnemar_p"])]
        text += table_row(cells + [percent(hard["mean"]), "%.2f" % plain["entropy_plain"],
                                   percent(plain["argmax_correct"])])
    return text


def provenance_text(result):
    heads = result["heads"]
    recipe = heads[0]["recipe"]
    return ("{} seeds, {} steps each (Adam {learning_rate}, L2 {l2} {l2_lambda}, batches of {batch_sets} "
            "sets of {smallest_set} to {largest_set} items, {path} path, {precision}), evaluated in {} "
            "on the {} path on {} sets per seed and size at commit {}, {}; runs".format(
                len(heads), heads[0]["step"], result["evaluation_precision"], result["evaluation_path"],
                result["sets_per_seed"], result["commit"], result["instruction_set"], **recipe)
            + "".join(" " + head["run_hash"] for head in heads) + "\n")


def arm_section(result):
    return (f"## {result['arm']}: {result['description']}\n\n" + verdict_text(result) + gain_sentence(result)
            + hard_sentence(result) + full_table(result) + "\n" + provenance_text(result) + "\n")


def gains_section(results):
    """Adaptive minus plain attention of the arms with the most seeds, beside the paper's."""
    arms = complete(results)
    gains = [{gain.items: gain for gain in gains_of(arm)} for arm in arms]
    text = ("## Gains\n\nAdaptive minus plain softmax in points, in the arms with "
            f"{len(arms[0]['heads'])} seeds: mean over the seeds, its 95 % interval\nand p of the paired t-test. "
            "The last rows count the sizes at which the paper's gain lies inside the\ninterval: as its means are "
            f"given, and if each may be {100 * PAPER_ROUNDING:g} points from what it rounds.\n\n")
    text += heading(["n", "paper", "paper's p"] + [arm["arm"] for arm in arms])
    for items in SIZES:
        of_size = [by_size.get(items) for by_size in gains]
        known = next((gain for gain in of_size if gain), None)
        if known is None:
            continue
        row = next(row for arm in arms if (row := find_row(arm, items, "adaptive")))
        text += table_row([items, percent(known.paper), p_text(row["paper_p_value"])]
                          + [gain_text(gain) if gain else "-" for gain in of_size])
    verdicts = [Verdict(arm) for arm in arms]
    for name, counts in (("inside", [verdict.gains_inside for verdict in verdicts]),
                         ("with rounding", [verdict.gains_with_rounding for verdict in verdicts])):
        text += table_row([name, "", ""] + [f"{count} of {GAINS}" for count in counts])
    return text + "\n"


def between_section(results):
    """How often the paper's means lie between those of an arm that rounds nothing and of one that rounds the
    inputs of all products, and how often between those of other pairs."""
    arms = complete(results)
    pair = [find_arm(arms, "default"), find_arm(arms, "bf16")]
    if None in pair:
        return ""
    between, cells = bracketed(*pair)
    others = [(bracketed(*other)[0], other) for other in itertools.combinations(arms, 2) if [*other] != pair]
    text = (f"## The paper between two arms\n\nIn {between} of {cells} cells the paper's mean lies between that "
            "of the default recipe in fp32 and that of the same\nrecipe trained and evaluated in bf16. ")
    if not others:
        return text + "There is no other pair of arms to compare this with.\n\n"
    most, (first, second) = max(others, key=lambda other: other[0])
    as_many = [other for count, other in others if count >= between]
    unrounded = [other for other in as_many if not any(map(rounds, other))]
    have = "has" if len(as_many) == 1 else "have"
    text += (f"Of the {len(others)} other pairs of arms with as many seeds, {len(as_many)} {have} it between them\n"
             f"in as many cells or more; the most is {most} ({first['arm']} and {second['arm']}).")
    if not unrounded:
        return text + "\n\n"
    return text + (f" In {len(unrounded)} of these pairs nothing\nis rounded: to lie between two arms is no hint "
                   "at a precision.\n\n")


def path_section(spectral, direct):
    """The same seeds trained by the spectral and by the direct path, pair by pair."""
    pairs = agreeing = same = 0
    rows = {"softmax": "", "adaptive": ""}
    for row in spectral["rows"]:
        other = find_row(direct, row["n"], row["transform"])
        if not other:
            continue
        pairs += 1
        test = compare_pairs(row["seed_accuracies"], other["seed_accuracies"])
        if isinstance(test, str):
            same += test == "no difference"
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
            f"Of {pairs} cells, hard attention's among them, the interval of the difference holds 0 in "
            f"{agreeing}" + (f", and in {same} there is no difference at all" if same else "") + ".\n\n"
            + heading(["n", "transform", "spectral", "95 % interval", "direct", "95 % interval", "difference",
                       "95 % interval", "p"])
            + rows["softmax"] + rows["adaptive"] + "\n")


def verdict_table(results):
    text = heading(["arm", "", "seeds", "paper inside our interval", "if identical", "below it", "above it",
                    "mean distance, points", "gains inside", "explains"])
    for result in results:
        count = Verdict(result)
        text += table_row([result["arm"], result["description"], count.seeds,
                           f"{count.inside} of {count.cells}",
                           "-" if count.cells == 0 else f"{count.expected_inside:.1f}", count.below,
                           count.above, "-" if count.distance is None else percent(count.distance),
                           f"{count.gains_inside} of {GAINS}", "yes" if count.explains else "no"])
    return text


def half_widths_text(results):
    """What a standard deviation between so many seeds means for the interval of their mean."""
    seeds = sorted({len(result["heads"]) for result in results} - {1})
    return ", ".join(f"of {count} seeds ± {student_t_quantile(0.05, count - 1) / math.sqrt(count):.1f}"
                     for count in seeds)


def comparison(results, transform):
    """One transform of all arms side by side."""
    text = heading(["n", "paper"] + [f"{result['arm']} ({len(result['heads'])})" for result in results])
    for items in SIZES:
        paper = paper_mean(results, items, transform)
        cells = [items, "-" if paper is None else percent(paper)]
        for result in results:
            row = find_row(result, items, transform)
            cells.append(mean_text(row) if row else "-")
        text += table_row(cells)
    return text


def all_arms_section(results):
    text = ("## All arms\n\nWhere the paper's means lie, both rows. The cells of an arm share its heads and "
            "are not independent.\nAn experiment identical to an arm, with the paper's "
            f"{PAPER_SEEDS} seeds, would lie inside in the number of cells under *if identical*\non the mean: "
            f"both means vary, and it does where sqrt(1 + seeds / {PAPER_SEEDS}) |T| is at most the quantile of "
            "the interval, T Student's.\nFew seeds make wide intervals, which hold much. *explains*: by the rule "
            "above.\n\n"
            + verdict_table(results)
            + "\nMean ± standard deviation between seeds; the number of seeds in brackets. ")
    widths = half_widths_text(results)
    text += f"In standard deviations, the 95 % interval of a mean is: {widths}. " if widths else ""
    text += ("Softmax:\n\n" + comparison(results, "softmax") + "\nAdaptive temperature:\n\n"
             + comparison(results, "adaptive") + "\n")
    for result in results:
        text += f"- **{result['arm']}**: {result['description']}. {provenance_text(result)}"
    return text


def page(results):
    """The page in Markdown; `results` are stored tables in the order of the arms, one at least."""
    text = INTRODUCTION + nearest_sentence(results) + figure_section(results)
    text += cause_section(results) + rounding_section(results) + gains_section(results)
    for name in ("default", "bf16-priorities", "bf16"):
        result = find_arm(results, name)
        text += arm_section(result) if result else ""
    text += between_section(results)
    spectral, direct = find_arm(results, "spectral-20k"), find_arm(results, "direct-20k")
    if spectral and direct:
        text += path_section(spectral, direct)
    return text + all_arms_section(results)
