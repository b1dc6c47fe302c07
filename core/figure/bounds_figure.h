#pragma once

#include <span>
#include <string>

#include "core/experiment/bounds.h"
#include "core/experiment/corollary.h"
#include "core/figure/figure.h"

namespace dispersion {

// Lemma 2.1: a head's largest and smallest weights between the bounds, against n. Rows in ascending
// order of n; may be empty.
Figure bounds_figure(std::span<const BoundsRow> rows, double theta);

// What the rows say, whether or not a plot can show all of them; empty without rows. The figure's
// sentence goes on with what its axis has no room for.
std::string bounds_sentence(std::span<const BoundsRow> rows);

// Appendix E: dH/dbeta by the formula and by differences, against beta.
LinePlot slope_plot(std::span<const EntropySlope> slopes, int items, int sets);

// The corollary's set {a, b, b, ...}: a's weight and the probability of its class against n, and a
// table of where number formats lose a.
Figure corollary_figure(const Corollary& corollary);

}  // namespace dispersion
