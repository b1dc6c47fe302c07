#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/experiment/table_summary.h"
#include "core/figure/statement.h"

namespace dispersion {

// Table 1 in digits and words, the same for command, window and figure.

// A share as a percentage, and a difference of shares in percentage points with its sign, with so
// many digits after the point: "54.7", "+8.7", "0.0".
std::string percentage_text(double share, int decimals = 1);
std::string points_text(double difference, int decimals = 1);

// How many digits after the point of a mean and of a gain in percent count: one, as in the paper,
// none beside an interval of ten points or more to a side, and as many as show the first digit of a
// side below 0.1.
int mean_decimals(const TableOneCell& cell);
int gain_decimals(const TableOneCell& cell);

// Whether the interval of the gain is cut, since no gain is beyond 100 points.
bool gain_is_cut(const TableOneCell& cell);

// Whether a transform is surely better than softmax at that size: p < 0.05 in the paired t-test
// over three seeds or more. With two, p rests on a single degree of freedom.
bool significantly_better(const TableOneCell& cell);

// What is shown and from what: "accuracy in %, mean ± 95 % t-interval over 10 seeds, 4 096 sets of
// every size each", of the table, and the same of the plot.
Statement table_subtitle(const TableOne& table);
Statement plot_subtitle(const TableOne& table);

// The accuracies at one size, how many of the paper's values lie in our intervals, and on which
// side of the paper's our means lie, with the setting that rounds. None is empty.
std::vector<Statement> table_sentences(const TableOne& table);

// What the marks and rows of the table mean: first what its main rows need, then the rest.
struct TableNotes {
  std::vector<Statement> main;
  std::vector<Statement> rest;
};
TableNotes table_notes(const TableOne& table);

// What shares and their intervals are, for the command.
Statement shares_note(const TableOne& table);

// What p and McNemar's p are, for the command and the figure; empty where there are none.
Statement p_note(const TableOne& table);
Statement mcnemar_note(const TableOne& table);

}  // namespace dispersion
