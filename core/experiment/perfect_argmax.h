#pragma once

#include "core/head/recipe.h"
#include "core/task/item_sets.h"

namespace dispersion {

// What the task allows an argmax once priorities are rounded: the expected accuracy, in [0, 1], of
// one who sees the rounded priorities, takes an item with the largest of them, at random where
// several tie, and answers its class. In closed form: with K tied items the answer is right with
// probability 1/K + (1 - 1/K) / classes, because classes are drawn independently; and the largest
// rounded value is v with K items on it with probability binom(n, K) p^K F^(n-K), where p is the
// share of [0, 1) that rounds to v and F the share that rounds to less (item_sets.h draws on a grid
// of 2^-24, so both are exact). 1 where nothing is rounded. Throws std::invalid_argument unless
// items and classes are at least 1.
double perfect_argmax_accuracy(Precision precision, int items, int classes = kClasses);

}  // namespace dispersion
