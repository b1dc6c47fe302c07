"""The few statistics that only the page docs/table1.md needs: the paired t-test between two arms, how often an
identical experiment lies inside an interval, the bootstrap of a distance, and what rounded priorities leave
possible, in closed form."""

import functools
import math
import operator
import random
import sys

CLASSES = 10
GRID = 1 << 24  # priorities are i / GRID
BF16_DIGITS, FP16_DIGITS = 8, 11  # binary digits of a number


# Student's t.


def beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function by the modified method of Lentz."""

    def away_from_zero(value):
        return value if abs(value) >= 1e-300 else 1e-300

    c = 1.0
    d = fraction = 1 / away_from_zero(1 - (a + b) * x / (a + 1))
    for m in range(1, 10001):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / away_from_zero(1 + term * d)
            c = away_from_zero(1 + term / c)
            fraction *= d * c
        if abs(d * c - 1) < 2.3e-16:
            break
    return fraction


def incomplete_beta(a, b, x):
    """I_x(a, b), regularised."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x)
                     + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


def student_t_p(t, freedom):
    """Two-sided."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def student_t_quantile(alpha, freedom):
    """The t whose two-sided p is alpha, by bisection to the last bit."""
    low, high = 0.0, 1.0
    while student_t_p(high, freedom) > alpha:
        high *= 2
    while low < (middle := (low + high) / 2) < high:
        if student_t_p(middle, freedom) > alpha:
            low = middle
        else:
            high = middle
    return high


def compare_pairs(a, b):
    """Paired t-test of two equally long lists: mean difference, low, high (95 %) and p; or in their place
    a text that says why there is no answer."""
    if len(a) < 2:
        return "needs two seeds"
    if a == b:
        return "no difference"
    count = len(a)
    differences = [x - y for x, y in zip(a, b)]
    # What rounding does to differences that are equal.
    if max(differences) - min(differences) <= 4 * sys.float_info.epsilon * max(map(abs, a + b)):
        return "equal differences"
    mean = sum(differences) / count
    deviation = math.sqrt(sum((d - mean) ** 2 for d in differences) / (count - 1))
    error = deviation / math.sqrt(count)
    half = student_t_quantile(0.05, count - 1) * error
    return mean, mean - half, mean + half, student_t_p(mean / error, count - 1)


def inside_probability(seeds, other_seeds):
    """How often the mean of another, identical experiment lies inside the 95 % interval of one.

    Both means vary: m - m' has the variance s^2 / seeds + s^2 / other_seeds, and is independent of the
    interval's estimate of s. So (m - m') / (s / sqrt(seeds)) is sqrt(1 + seeds / other_seeds) T with Student's
    T, and the mean lies inside where that is at most the interval's quantile."""
    freedom = seeds - 1
    spread = math.sqrt(1 + seeds / other_seeds)
    return 1 - student_t_p(student_t_quantile(0.05, freedom) / spread, freedom)


def bootstrap_interval(cells, targets, resamples=4000, seed=1):
    """Percentile bootstrap (95 %) over seeds of the mean distance between the cells' means and their targets.
    `cells`: a list of values for each, one a seed, in the same order of seeds. Returns low and high, or a text
    that says why not."""
    count = len(cells[0]) if cells else 0
    if count < 2:
        return "needs two seeds"
    if all(max(values) == min(values) for values in cells):
        return "all seeds equal"
    draw = random.Random(seed).random  # the same numbers in every version of Python
    distances = []
    for _ in range(resamples):
        chosen = [int(draw() * count) for _ in range(count)]
        distances.append(sum(abs(sum([values[i] for i in chosen]) / count - target)
                             for values, target in zip(cells, targets)) / len(cells))
    distances.sort()
    cut = round(0.025 * resamples)
    return distances[cut], distances[-1 - cut]


# What rounding leaves possible.


def rounded(i, digits):
    """The whole number i to so many binary digits, ties to even."""
    shift = max(0, i.bit_length() - digits)
    return round(i / (1 << shift)) << shift  # exact: i has at most 24 bits


@functools.cache
def first_alike(last, digits):
    """The first grid number that rounds to what `last` rounds to; rounding is monotone."""
    low, high, alike = 0, last, rounded(last, digits)
    while low < high:
        middle = (low + high) // 2
        if rounded(middle, digits) == alike:
            high = middle
        else:
            low = middle + 1
    return low


@functools.cache
def log_binomials(items, last):
    """log binom(items, k) for k = 0 .. last."""
    log_items = math.lgamma(items + 1)
    return [log_items - math.lgamma(k + 1) - math.lgamma(items - k + 1) for k in range(last + 1)]


def share_of_number(items, p, below, right):
    """Sum over k of binom(items, k) p^k below^(items - k) right[k]: the share of one number."""
    if below == 0:
        return p**items * right[items] if items < len(right) else 0.0
    log_p, log_below = math.log(p), math.log(below)
    last = min(items, len(right) - 1)
    log_ways = log_binomials(items, last)
    return sum(right[k] * math.exp(log_ways[k] + k * log_p + (items - k) * log_below)
               for k in range(1, last + 1))


def mean_over_ties(digits, items, right):
    """Mean of right[K] over the number K of items that share the largest rounded priority, from the largest
    number down, until it is certain that the largest item is not below."""
    expected, end = 0.0, GRID
    while end > 0 and (end / GRID) ** items > 1e-18:
        first = first_alike(end - 1, digits)
        expected += share_of_number(items, (end - first) / GRID, first / GRID, right)
        end = first
    return expected


def perfect_argmax_accuracy(digits, items):
    """Of one who takes an item with the largest rounded priority, at random among those that tie."""
    right = [0.0] + [1 / k for k in range(1, items + 1)]
    return mean_over_ties(digits, items, right) * (1 - 1 / CLASSES) + 1 / CLASSES


def least_unrounded_accuracy(items):
    """What such an argmax reaches on unrounded priorities at the least. Two of them tie and are the largest
    with the probability sum over i of ((i + 1) / GRID)^(items - 2) / GRID^2, at most
    1 / (items - 1) / GRID + 1 / GRID^2; a tie may cost all but chance."""
    pairs = items * (items - 1) / 2
    tie = pairs / GRID * (1 / (items - 1) + 1 / GRID)
    return 1 - tie * (1 - 1 / CLASSES)


def product(a, b):
    """Of two power series, as far as the first goes."""
    reversed_b = b[::-1]
    return [sum(map(operator.mul, a, reversed_b[len(b) - 1 - t:])) for t in range(len(a))]


def share_of_commonest(last):
    """E[largest count of t items in the classes] / t, for t = 0 .. last.

    Independent Poisson counts, given their sum, are multinomial: the tenth power of a class's probabilities
    of at most `most` items, divided by those of the sum, says how likely no class has more."""

    def poisson(mean):
        return [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(last + 1)]

    mean = max(1, last) / CLASSES
    of_class, of_sum = poisson(mean), poisson(mean * CLASSES)
    share = [0.0] * (last + 1)
    for most in range(last):
        one = [p if k <= most else 0.0 for k, p in enumerate(of_class)]
        two = product(one, one)
        four = product(two, two)
        ten = product(product(four, four), two)
        for t in range(most + 1, last + 1):
            share[t] += (1 - ten[t] / of_sum[t]) / t
    return share


def most_ties(digits, items):
    """More ties than twelve standard deviations above the mean do not occur."""
    mean = items / (1 << digits)
    return min(items, int(mean + 12 * math.sqrt(mean) + 24))


def best_rounded_accuracy(digits, items, shares=None):
    """Of one who answers the commonest class among those that tie; nobody can do better."""
    last = most_ties(digits, items)
    return mean_over_ties(digits, items, (shares or share_of_commonest(last))[: last + 1])
